// Ring buffers of the last minutes: rows of numbers, and whole messages.

/** Index of the first element of times[0..n) that is not below t. */
export function lowerBound(times, n, t) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Columns of numbers over strictly growing times. The newest `capacity` rows are kept; storage is a
 * quarter longer, so that old rows are moved out only now and then and every column stays in one
 * piece.
 */
export class History {
  constructor(columns, capacity) {
    this.capacity = capacity;
    this.allocated = capacity + (capacity >> 2) + 1;
    this.columns = columns;
    this.length = 0;
    this.times = new Float64Array(this.allocated);
    this.data = Array.from({ length: columns }, () => new Float32Array(this.allocated));
  }

  /** Adds an empty row (all NaN) and returns its index, or -1 if t is not after the last row. */
  append(t) {
    if (this.length > 0 && t <= this.times[this.length - 1]) return -1;
    if (this.length === this.allocated) this.#moveOut();
    const row = this.length++;
    this.times[row] = t;
    for (const column of this.data) column[row] = NaN;
    return row;
  }

  #moveOut() {
    const from = this.length - this.capacity;
    this.times.copyWithin(0, from, this.length);
    for (const column of this.data) column.copyWithin(0, from, this.length);
    this.length = this.capacity;
  }

  clear() {
    this.length = 0;
  }

  get first() {
    return this.length > 0 ? this.times[0] : NaN;
  }

  get last() {
    return this.length > 0 ? this.times[this.length - 1] : NaN;
  }

  /** Rows from the one before t0 to the one after t1, so that lines reach the edges. */
  rows(t0, t1) {
    const from = Math.max(0, lowerBound(this.times, this.length, t0) - 1);
    const to = Math.min(this.length, lowerBound(this.times, this.length, t1) + 1);
    return [from, Math.max(from, to)];
  }

  /** Newest row that is not after t, or -1 if there is none. */
  rowAt(t) {
    // seconds since 1970 have steps of a quarter of a microsecond
    return lowerBound(this.times, this.length, t + 1e-6) - 1;
  }

  /** Number of a column at row, or the last finite one of the `back` rows before it. */
  value(column, row, back = 0) {
    const data = this.data[column];
    for (let k = row; k >= 0 && k >= row - back; k--) if (!Number.isNaN(data[k])) return data[k];
    return NaN;
  }
}

/** Whole messages by key, each with its time `t`; those older than `seconds` are let go. */
export class Messages {
  constructor(seconds, most = 3000) {
    this.seconds = seconds;
    this.most = most;
    this.lists = new Map();
  }

  add(key, message) {
    let list = this.lists.get(key);
    if (!list) this.lists.set(key, (list = []));
    const last = list[list.length - 1];
    if (last && message.t < last.t - 1)
      list.length = 0; // the clock went back
    else if (last && message.t <= last.t) list.pop();
    list.push(message);
    if (list.length > this.most || message.t - list[0].t > this.seconds * 1.25) {
      const keep = list.findIndex((m) => message.t - m.t <= this.seconds);
      list.splice(0, Math.max(keep, list.length - this.most, 1));
    }
  }

  /** Newest message of a key that is not after t (the oldest, if all are). */
  at(key, t = Infinity) {
    const list = this.lists.get(key);
    if (!list) return null;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].t <= t) low = middle + 1;
      else high = middle;
    }
    return list[Math.max(0, low - 1)];
  }

  keys(prefix) {
    return [...this.lists.keys()].filter((key) => key.startsWith(prefix));
  }

  clear() {
    this.lists.clear();
  }
}
