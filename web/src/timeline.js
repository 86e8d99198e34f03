// Time selection: live, or a time and a range of the history.

export const SPANS = [2, 5, 10, 30, 60, 120, 300];
const MIN_SPAN = 0.2;

export class Timeline {
  constructor(changed) {
    this.changed = changed;
    this.live = true;
    this.span = 10; // width of the plots [s]
    this.head = NaN; // the moment that numbers and the robot show
    this.end = NaN; // right edge of the plots
    this.now = NaN; // zero of the time axis: newest time, or that at which it was paused
    this.hover = null; // time under the pointer
    this.remote = null; // clock of a recording, on the server: {playing, pause, play, seek, step}
  }

  /** What is shown moves on by itself. */
  get playing() {
    return this.live && (this.remote === null || this.remote.playing);
  }

  /** Newest and oldest time that is there. */
  follow(first, last) {
    this.first = first;
    this.last = last;
    if (this.live) {
      this.head = last;
      this.end = last;
      this.now = last;
    } else if (!(this.head >= first)) {
      this.seek(first);
    }
  }

  /** Where numbers are read: under the pointer if it is in a plot. */
  get reading() {
    return this.hover ?? this.head;
  }

  get start() {
    return this.end - this.span;
  }

  pause() {
    if (this.remote) this.remote.pause();
    else this.hold();
  }

  /** Another moment of what is here, whatever comes in. */
  hold() {
    if (!this.live || !Number.isFinite(this.head)) return;
    if (this.remote?.playing) this.remote.pause();
    this.live = false;
    this.changed();
  }

  resume() {
    this.remote?.play(this.live ? null : this.head);
    this.goLive();
  }

  /** To what came last. */
  goLive() {
    if (this.live) return;
    this.live = true;
    this.hover = null;
    this.follow(this.first, this.last);
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.resume();
  }

  seek(t) {
    if (!Number.isFinite(t) || !Number.isFinite(this.first)) return;
    this.hold();
    this.head = Math.min(Math.max(t, this.first), this.last);
    if (this.head > this.end) this.end = this.head;
    if (this.head < this.start) this.end = this.head + this.span;
    this.changed();
  }

  step(seconds) {
    if (this.remote) this.remote.step(seconds);
    else this.seek(this.head + seconds);
  }

  toFirst() {
    if (this.remote) this.remote.seek(-Infinity);
    else this.seek(this.first);
  }

  toLast() {
    if (this.remote) this.remote.seek(Infinity);
    else this.resume();
  }

  /** Shows [t0, t1]. */
  window(t0, t1) {
    this.hold();
    this.span = Math.max(t1 - t0, MIN_SPAN);
    this.end = t0 + this.span;
    this.head = Math.min(Math.max(this.head, t0), this.end);
    this.changed();
  }

  /** Another width; while paused, `about` stays where it is. */
  setSpan(span, about = this.head) {
    const next = Math.min(Math.max(span, MIN_SPAN), SPANS[SPANS.length - 1]);
    if (!this.live) this.end = about + (this.end - about) * (next / this.span);
    this.span = next;
    this.changed();
  }

  /** The next wider (+1) or narrower (-1) of the usual widths. */
  zoom(direction) {
    const wider = SPANS.find((s) => s > this.span * 1.001) ?? this.span;
    const narrower = SPANS.findLast((s) => s < this.span * 0.999) ?? this.span / 2;
    this.setSpan(direction > 0 ? wider : narrower);
  }
}
