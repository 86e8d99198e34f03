// Frame rate of the page.

export class Frames {
  constructor() {
    this.count = 0;
    this.perSecond = 0;
    this.longest = 0; // between two frames of the last second [ms]
    this.since = 0;
    this.from = 0;
    this.last = 0;
    this.worst = 0;
  }

  tick(now) {
    this.count++;
    if (this.last) this.worst = Math.max(this.worst, now - this.last);
    this.last = now;
    if (now - this.from < 1000) return;
    this.perSecond = ((this.count - this.since) * 1000) / (now - this.from);
    this.longest = this.worst;
    this.since = this.count;
    this.from = now;
    this.worst = 0;
  }
}
