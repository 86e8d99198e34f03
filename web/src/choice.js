// Selection: plotted joints, the selected joint, the selected frame.

const MOST_AT_FIRST = 8;

export class Choice {
  constructor(changed) {
    this.changed = changed;
    this.shown = new Set(); // indices of joints
    this.focus = 0;
    this.frame = '';
    this.ellipsoid = 'none'; // or 'manipulability', 'mass'
    this.fitLimits = false;
  }

  /** For the joints of a new model: those that have a motor rather than the free base. */
  reset(joints) {
    const own = joints.map((_, k) => k).filter((k) => joints[k].type !== 'floating');
    const first = own.length > 0 ? own : joints.map((_, k) => k);
    this.shown = new Set(first.slice(0, MOST_AT_FIRST));
    this.focus = first[0] ?? 0;
    this.changed();
  }

  toggle(joint) {
    if (!this.shown.delete(joint)) this.shown.add(joint);
    this.changed();
  }

  setFocus(joint) {
    this.focus = joint;
    this.shown.add(joint);
    this.changed();
  }

  step(direction, count) {
    if (count > 0) this.setFocus((this.focus + direction + count) % count);
  }

  all(count) {
    this.shown = new Set(Array.from({ length: count }, (_, k) => k));
    this.changed();
  }

  onlyFocus() {
    this.shown = new Set([this.focus]);
    this.changed();
  }

  get list() {
    return [...this.shown].sort((a, b) => a - b);
  }
}
