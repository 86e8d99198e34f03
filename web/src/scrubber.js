// The scrubber: overview of the history, and the current time in it.

import { byId, setOptions, setText } from './dom.js';
import { clock, fixed } from './numbers.js';
import { SPANS } from './timeline.js';
import { palette } from './theme.js';

const label = (s) =>
  s < 60 ? `${fixed(s, s % 1 ? 1 : 0)} s` : `${fixed(s / 60, (s / 60) % 1 ? 1 : 0)} min`;

export class Scrubber {
  constructor(app) {
    this.app = app;
    const { timeline } = app;
    this.range = byId('scrub');
    this.canvas = byId('overview');
    this.span = byId('span');
    this.range.addEventListener('input', () => {
      const value = Number(this.range.value);
      if (timeline.remote) timeline.remote.seek(app.recording.state.start + value);
      else timeline.seek(timeline.last + value);
    });
    byId('pause').addEventListener('click', () => timeline.toggle());
    byId('live').addEventListener('click', () => timeline.resume());
    this.span.addEventListener('change', () => timeline.setSpan(Number(this.span.value)));
    // asking for the size while drawing would make the browser lay out the page at once
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect)).observe(this.canvas);
  }

  draw() {
    const { timeline } = this.app;
    const button = byId('pause');
    button.setAttribute('aria-pressed', String(!timeline.playing));
    setText(byId('pause-text'), timeline.playing ? 'Pause' : timeline.remote ? 'Play' : 'Resume');
    button.dataset.icon = timeline.playing ? 'pause' : 'play';
    setText(byId('head'), clock(timeline.reading));
    if (timeline.remote) this.#drawRecording();
    else this.#drawLive();
    this.#spans();
    this.#overview();
  }

  // all of it, from the start
  #drawRecording() {
    const { state, position } = this.app.recording;
    const length = Math.max(state.end - state.start, 1e-3);
    const at = position - state.start;
    const text = `${fixed(at, 1)} of ${fixed(length, 1)} s`;
    // the maximum first, or the value is cut to the old one
    this.range.min = '0';
    this.range.max = String(length);
    this.range.value = String(at);
    this.range.setAttribute('aria-valuetext', text);
    setText(byId('behind'), text);
  }

  #drawLive() {
    const { timeline } = this.app;
    const length = Math.max(timeline.last - timeline.first, 0) || 0;
    const behind = timeline.head - timeline.last || 0;
    this.range.max = '0';
    this.range.min = String(-Math.max(length, 1));
    this.range.value = String(behind);
    this.range.setAttribute(
      'aria-valuetext',
      timeline.live ? 'live' : `${fixed(-behind, 1)} seconds ago`,
    );
    byId('live').disabled = timeline.live;
    setText(
      byId('behind'),
      timeline.hover === null && timeline.live
        ? 'live'
        : `${fixed(timeline.reading - timeline.now, 1)} s`,
    );
  }

  #spans() {
    const { span } = this.app.timeline;
    const values = SPANS.includes(span) ? SPANS : [...SPANS, span].sort((a, b) => a - b);
    setOptions(this.span, values.map(String), values.map(label));
    if (document.activeElement !== this.span) this.span.value = String(span);
  }

  #resize({ width, height }) {
    const ratio = window.devicePixelRatio;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ctx = this.canvas.getContext('2d');
    this.ctx.scale(ratio, ratio);
    this.app.touch();
  }

  // kinetic energy: where the robot moved
  #overview() {
    const { store, timeline } = this.app;
    const { width, height, ctx } = this;
    if (!width) return;
    ctx.clearRect(0, 0, width, height);
    const { history } = store;
    if (!history || history.length < 2) return;
    const { recording } = this.app;
    const x = timeline.remote
      ? (t) => recording.share(t) * width
      : (t) => ((t - timeline.first) / (timeline.last - timeline.first)) * width;
    const c = palette();
    ctx.fillStyle = c.line;
    ctx.fillRect(
      x(Math.max(timeline.start, timeline.first)),
      0,
      x(timeline.end) - x(Math.max(timeline.start, timeline.first)),
      height,
    );
    this.#curve(ctx, history, history.data[store.scalar('kinetic_energy')], x, height);
    if (timeline.live) return;
    ctx.fillStyle = c.accent;
    ctx.fillRect(x(timeline.head) - 1, 0, 2, height);
  }

  #curve(ctx, history, column, x, height) {
    const peaks = new Float32Array(Math.max(1, Math.floor(this.width / 2)));
    const last = peaks.length - 1e-6;
    for (let k = 0; k < history.length; k++) {
      const bin = Math.floor((x(history.times[k]) / this.width) * last);
      if (column[k] > peaks[bin]) peaks[bin] = column[k];
    }
    const most = Math.max(...peaks, 1e-9);
    ctx.fillStyle = palette().soft;
    ctx.globalAlpha = 0.55;
    peaks.forEach((y, k) => {
      const h = (y / most) * (height - 4);
      ctx.fillRect(k * 2, height - h, 1.5, h);
    });
    ctx.globalAlpha = 1;
  }
}
