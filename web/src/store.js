// Data of the selected robot: model, history, last messages.

import { History, Messages } from './history.js';

export const COLUMNS = [
  'position',
  'velocity',
  'acceleration',
  'measured',
  'total',
  'gravity',
  'coriolis',
  'inertia',
  'friction',
  'external',
  'command',
  'residual',
];
export const TERMS = ['gravity', 'coriolis', 'inertia', 'friction', 'external'];
export const SCALARS = [
  'kinetic_energy',
  'potential_energy',
  'power',
  'input_age',
  'compute_time',
  'condition',
];
const BASE = 7; // x y z and quaternion x y z w of a floating base
const ROWS_PER_SECOND = 60;
const KEYED = { jacobian: (m) => `jacobian:${m.frame}` };
const KEPT = [
  'mass_matrix',
  'jacobian',
  'operational_space_inertia',
  'summary',
  'external_wrench',
  'singularity',
  'saturated',
  'status',
];

export class Store {
  constructor() {
    this.seconds = 300;
    this.robots = [];
    this.hello = null;
    this.diagnostics = [];
    this.playback = null; // of the recording, if one is open
    this.lastError = null;
    this.forget();
  }

  /** Another robot, or none. */
  forget() {
    this.model = null;
    this.history = null;
    this.pose = null;
    this.selfMotion = null; // the last one that was asked for
    this.messages = new Messages(this.seconds);
    this.rows = 0;
  }

  /** Takes a message; returns its type if anything changed, else null. */
  take(message) {
    const handler = this[`take_${message.type}`];
    if (handler) return handler.call(this, message) ? message.type : null;
    if (!KEPT.includes(message.type) || !this.#ours(message)) return null;
    this.messages.add(KEYED[message.type]?.(message) ?? message.type, message);
    return message.type;
  }

  #ours(message) {
    return this.model !== null && message.robot === this.model.robot;
  }

  take_hello(message) {
    this.hello = message;
    if (message.history > 0) this.seconds = Math.min(message.history, 1800);
    return true;
  }

  take_robots(message) {
    this.robots = Array.isArray(message.robots) ? message.robots : [];
    return true;
  }

  take_playback(message) {
    this.playback = message;
    return true;
  }

  take_error(message) {
    this.lastError = message;
    return true;
  }

  take_diagnostics(message) {
    this.diagnostics = Array.isArray(message.status) ? message.status : [];
    return true;
  }

  take_model(message) {
    const names = (m) => JSON.stringify([m.robot, m.name, m.joints.map((j) => j.name)]);
    const same = this.model !== null && names(this.model) === names(message);
    // the history stays over a restart of the server, as long as it is the same robot
    if (!same) this.forget();
    this.model = message;
    if (!same) {
      const columns = COLUMNS.length * message.joints.length + SCALARS.length + BASE;
      this.history = new History(columns, this.seconds * ROWS_PER_SECOND);
    }
    return true;
  }

  take_self_motion(message) {
    if (!this.#ours(message)) return false;
    this.selfMotion = message;
    return true;
  }

  take_reset(message) {
    if (!this.#ours(message)) return false;
    this.history.clear();
    this.messages.clear();
    this.pose = null;
    return true;
  }

  take_samples(message) {
    if (!this.#ours(message) || message.model !== this.model.version) return false;
    const h = this.history;
    let row = -1;
    message.t.forEach((t, r) => {
      row = h.append(t);
      if (row >= 0) this.#fill(message, r, row);
    });
    if (message.pose) {
      this.pose = message.pose;
      const base = message.pose.base;
      if (base && row >= 0) base.forEach((x, k) => (h.data[this.baseColumn(k)][row] = x ?? NaN));
    }
    this.rows += message.t.length;
    return true;
  }

  #fill(message, r, row) {
    const { data } = this.history;
    for (const name in message.columns) {
      if (!COLUMNS.includes(name)) continue;
      message.columns[name].forEach((numbers, k) => {
        const column = data[this.column(name, message.joints[k])];
        if (column) column[row] = numbers[r] ?? NaN;
      });
    }
    for (const name in message.scalars) {
      if (SCALARS.includes(name)) data[this.scalar(name)][row] = message.scalars[name][r] ?? NaN;
    }
  }

  get joints() {
    return this.model ? this.model.joints : [];
  }

  column(name, joint) {
    return COLUMNS.indexOf(name) * this.joints.length + joint;
  }

  scalar(name) {
    return COLUMNS.length * this.joints.length + SCALARS.indexOf(name);
  }

  baseColumn(k) {
    return COLUMNS.length * this.joints.length + SCALARS.length + k;
  }

  /** Number of a joint at a row, or the last one known up to a quarter of a second before. */
  at(name, joint, row) {
    return row < 0 ? NaN : this.history.value(this.column(name, joint), row, 15);
  }

  /** Positions of all joints, and the base, at a time of the past. */
  poseAt(t) {
    const row = this.history ? this.history.rowAt(t) : -1;
    if (row < 0) return null;
    const base = Array.from({ length: BASE }, (_, k) =>
      this.history.value(this.baseColumn(k), row, ROWS_PER_SECOND),
    );
    return {
      t: this.history.times[row],
      position: this.joints.map((_, j) => this.at('position', j, row)),
      base: base.every(Number.isFinite) ? base : null,
    };
  }

  message(key, t) {
    return this.messages.at(key, t);
  }

  /** Threshold of the observer, or null. */
  get threshold() {
    const value = this.messages.at('status')?.threshold;
    return value > 0 ? value : null;
  }
}
