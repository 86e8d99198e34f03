// A time plot: lines, limits as bands, cursor at the current time.

import uPlot from 'uplot';
import { el } from './dom.js';
import { niceStep, short } from './numbers.js';
import { palette } from './theme.js';

const SYNC = uPlot.sync('time');
const POINTS = 700; // more rows than this are thinned so that peaks stay
const GAP = 1; // seconds without a row that break a line

/**
 * lines(): [{label, colour, width, dash, column}] with `column` of the history; or `values(row)`
 * least: the scale never shows less than this, so that noise looks like noise
 * bands(): [{low, high, colour, always}], the allowed range: what is outside is shaded
 */
export class TimePlot {
  constructor({
    title,
    unit,
    lines,
    bands = () => [],
    timeline,
    store,
    legend = false,
    least = 1e-3,
  }) {
    Object.assign(this, { title, unit, lines, bands, timeline, store, least });
    this.fitBands = false;
    this.heading = el('h2', {}, title);
    this.unitText = el('span', { class: 'unit' });
    this.legend = legend ? el('ul', { class: 'legend' }) : null;
    this.box = el('div', { class: 'plot-box' });
    this.root = el(
      'section',
      { class: 'plot', 'aria-label': title },
      el('header', {}, this.heading, this.unitText, ...(this.legend ? [this.legend] : [])),
      this.box,
    );
    // asking for the size while drawing would make the browser lay out the page at once
    this.size = { width: 0, height: 0 };
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect)).observe(this.box);
    this.hidden = new Set(); // labels of lines that are switched off in the legend
    this.points = 0;
  }

  setTitle(text) {
    if (this.heading.textContent === text) return;
    this.heading.textContent = text;
    this.root.setAttribute('aria-label', text);
  }

  /** Lines, colours or unit changed: build anew with the next draw. */
  rebuild() {
    this.stale = true;
  }

  #resize({ width, height }) {
    this.size = { width: Math.floor(width), height: Math.floor(height) }; // whole pixels: sharp lines
    if (this.u && width > 0) this.u.setSize(this.size);
    this.timeline.changed();
  }

  #build() {
    this.stale = false;
    this.shown = this.lines();
    this.unitText.textContent = this.unit() ? `[${this.unit()}]` : '';
    if (this.legend) this.#buildLegend();
    this.u?.destroy();
    const colours = palette();
    const axis = {
      stroke: colours.soft,
      font: '11px system-ui, sans-serif',
      grid: { stroke: colours.line, width: 1 },
      ticks: { stroke: colours.line, width: 1, size: 4 },
    };
    this.u = new uPlot(
      {
        ...this.size,
        legend: { show: false },
        padding: [8, 10, 0, 0],
        cursor: {
          sync: { key: SYNC.key, setSeries: false },
          points: { show: false },
          y: false,
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => this.timeline.setSpan(10) },
        },
        scales: { x: { time: false, range: () => this.xRange }, y: { range: () => this.yRange } },
        axes: [
          { ...axis, size: 26, gap: 2, values: (_, ticks) => ticks.map((t) => `${short(t)} s`) },
          { ...axis, size: 54, gap: 3, values: (_, ticks) => ticks.map((y) => short(y)) },
        ],
        series: [
          {},
          ...this.shown.map((line) => ({
            stroke: line.colour,
            width: line.width ?? 1.25,
            dash: line.dash?.length ? line.dash : undefined,
            points: { show: false },
            pxAlign: 0,
            show: !this.hidden.has(line.label),
          })),
        ],
        hooks: {
          drawClear: [(u) => this.#drawBands(u)],
          draw: [(u) => this.#drawHead(u)],
          setCursor: [(u) => this.#hover(u)],
          setSelect: [(u) => this.#select(u)],
        },
      },
      [[0], ...this.shown.map(() => [null])],
      this.box,
    );
    this.u.over.addEventListener('click', (event) => this.#click(event));
    this.u.over.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  #buildLegend() {
    this.legend.replaceChildren(
      ...this.shown.map((line) => {
        const swatch = el('span', { class: 'swatch' });
        swatch.style.background = line.colour;
        const button = el(
          'button',
          {
            type: 'button',
            'aria-pressed': String(!this.hidden.has(line.label)),
            onclick: () => this.#toggle(line.label),
          },
          swatch,
          line.label,
        );
        return el('li', {}, button);
      }),
    );
  }

  #toggle(label) {
    if (!this.hidden.delete(label)) this.hidden.add(label);
    this.rebuild();
    this.timeline.changed();
  }

  // ---------- pointer ----------

  #timeAt(u, left) {
    return u.posToVal(left, 'x') + this.timeline.now;
  }

  #hover(u) {
    // other plots of the sync group get the cursor too: only the one under the pointer counts
    if (!u.over.matches(':hover')) return;
    this.timeline.hover = u.cursor.left >= 0 ? this.#timeAt(u, u.cursor.left) : null;
  }

  #select(u) {
    const { left, width } = u.select;
    if (width > 5 && u.over.matches(':hover')) {
      this.timeline.window(this.#timeAt(u, left), this.#timeAt(u, left + width));
      this.dragged = true;
    }
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  }

  #click(event) {
    if (!this.dragged && !this.timeline.live) {
      this.timeline.seek(this.#timeAt(this.u, event.offsetX));
    }
    this.dragged = false;
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
    event.preventDefault();
    const factor = (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8;
    this.timeline.setSpan(this.timeline.span * factor, this.#timeAt(this.u, event.offsetX));
  }

  // ---------- drawing ----------

  draw() {
    if (this.size.width === 0) return; // not shown
    if (this.stale || !this.u) this.#build();
    const { timeline } = this;
    const data = this.#data();
    this.xRange = [timeline.start - timeline.now, timeline.end - timeline.now];
    if (!this.xRange.every(Number.isFinite)) this.xRange = [-timeline.span, 0];
    this.yRange = this.#range(data);
    this.points = data[0].length;
    this.u.setData(data);
  }

  #data() {
    const { history } = this.store;
    if (!history || history.length === 0) return [[0], ...this.shown.map(() => [null])];
    const [from, to] = history.rows(this.timeline.start, this.timeline.end);
    const per = Math.max(1, Math.ceil((to - from) / (POINTS / 2)));
    const x =
      per > 2 ? thinTimes(history.times, from, to, per) : plainTimes(history.times, from, to);
    const zero = this.timeline.now;
    const out = [x.map((t) => t - zero)];
    for (const line of this.shown) {
      const column = line.values ? computed(line.values, from, to) : history.data[line.column];
      const offset = line.values ? from : 0;
      out.push(
        per > 2
          ? thin(column, from - offset, to - offset, per)
          : plain(column, from - offset, to - offset),
      );
    }
    breakGaps(out);
    return out;
  }

  #range(data) {
    let low = Infinity;
    let high = -Infinity;
    data.slice(1).forEach((column, k) => {
      if (this.hidden.has(this.shown[k].label)) return;
      for (const y of column) {
        if (y !== null && y < low) low = y;
        if (y !== null && y > high) high = y;
      }
    });
    for (const band of this.bands()) {
      if (!this.fitBands && !band.always) continue;
      if (Number.isFinite(band.low)) low = Math.min(low, band.low);
      if (Number.isFinite(band.high)) high = Math.max(high, band.high);
    }
    if (!(low <= high)) return [-1, 1];
    const positive = low >= 0 && high > 0;
    const extent = Math.max(high - low, this.least);
    const step = niceStep(extent / 4);
    const middle = (low + high) / 2;
    low = Math.min(low, middle - extent / 2);
    high = Math.max(high, middle + extent / 2);
    const from = Math.floor(low / step - 0.15) * step;
    return [positive ? Math.max(from, 0) : from, Math.ceil(high / step + 0.15) * step];
  }

  #drawBands(u) {
    const { ctx, bbox } = u;
    for (const band of this.bands()) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.fillStyle = palette().band;
      ctx.strokeStyle = band.colour ?? palette().bad;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
      this.#edge(u, band.high, -1);
      this.#edge(u, band.low, 1);
      ctx.restore();
    }
  }

  // shades what is beyond a limit: above it for side -1, below it for side 1
  #edge(u, limit, side) {
    if (!Number.isFinite(limit)) return;
    const { ctx, bbox } = u;
    const y = Math.min(Math.max(u.valToPos(limit, 'y', true), -1e5), 1e5);
    const edge = side < 0 ? bbox.top : bbox.top + bbox.height;
    if (side * (edge - y) <= 0) return;
    ctx.fillRect(bbox.left, Math.min(y, edge), bbox.width, Math.abs(edge - y));
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }

  #drawHead(u) {
    const { timeline } = this;
    if (timeline.live) return;
    const { ctx, bbox } = u;
    const x = u.valToPos(timeline.head - timeline.now, 'x', true);
    if (!(x >= bbox.left && x <= bbox.left + bbox.width)) return;
    ctx.save();
    ctx.strokeStyle = palette().accent;
    ctx.setLineDash([]);
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  get canvas() {
    return this.u?.ctx.canvas ?? null;
  }
}

// ---------- rows to points ----------

const plainTimes = (times, from, to) => Array.from(times.subarray(from, to));

function plain(column, from, to) {
  const out = new Array(to - from);
  for (let k = from; k < to; k++) out[k - from] = Number.isFinite(column[k]) ? column[k] : null;
  return out;
}

function computed(values, from, to) {
  const out = new Float64Array(to - from);
  for (let row = from; row < to; row++) out[row - from] = values(row);
  return out;
}

function thinTimes(times, from, to, per) {
  const out = [];
  for (let k = from; k < to; k += per) {
    const end = Math.min(k + per, to) - 1;
    // two points per group: at its first time and halfway to its last
    out.push(times[k], end > k ? (times[k] + times[end]) / 2 : times[k] + 1e-6);
  }
  return out;
}

// least and greatest of each group, in the order in which they came
function thin(column, from, to, per) {
  const out = [];
  for (let k = from; k < to; k += per) {
    let least = -1;
    let most = -1;
    for (let i = k; i < Math.min(k + per, to); i++) {
      if (!Number.isFinite(column[i])) continue;
      if (least < 0 || column[i] < column[least]) least = i;
      if (most < 0 || column[i] > column[most]) most = i;
    }
    if (least < 0) out.push(null, null);
    else out.push(column[Math.min(least, most)], column[Math.max(least, most)]);
  }
  return out;
}

// a line must not run over a time from which there is nothing
function breakGaps(data) {
  const x = data[0];
  for (let k = x.length - 1; k > 0; k--) {
    if (x[k] - x[k - 1] <= GAP) continue;
    const middle = (x[k] + x[k - 1]) / 2;
    data.forEach((column, c) => column.splice(k, 0, c === 0 ? middle : null));
  }
}
