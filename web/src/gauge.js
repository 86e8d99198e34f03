// A logarithmic gauge as a meter: from 1e-4 to 1, with the limit below which something is bad.

import { el, setText } from './dom.js';
import { short } from './numbers.js';

const LOW = 1e-4;

/** Place of a number on the scale, 0 to 1. */
export function place(x) {
  if (!(x > LOW)) return 0;
  return Math.min(1 - Math.log10(x) / Math.log10(LOW), 1);
}

export class Gauge {
  constructor(label) {
    this.bar = el('div', { class: 'meter-bar' });
    this.mark = el('div', { class: 'meter-mark' });
    this.text = el('span', { class: 'meter-text' }, '–');
    this.track = el('div', { class: 'meter-track' }, this.bar, this.mark);
    this.root = el(
      'div',
      {
        class: 'meter',
        role: 'meter',
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': 1,
        'aria-valuenow': 0,
      },
      this.track,
      this.text,
      el(
        'div',
        { class: 'meter-scale', 'aria-hidden': 'true' },
        ...['0.0001', '0.001', '0.01', '0.1', '1'].map((x) => el('span', {}, x)),
      ),
    );
  }

  /** x: 0 to 1, or NaN; limit: bad below it */
  show(x, limit) {
    const known = Number.isFinite(x);
    this.bar.style.width = `${100 * (known ? place(x) : 0)}%`;
    this.bar.dataset.level = !known || x >= 5 * limit ? 'good' : x >= limit ? 'near' : 'bad';
    this.mark.style.left = `${100 * place(limit)}%`;
    this.root.setAttribute('aria-valuenow', String(known ? Number(x.toPrecision(3)) : 0));
    setText(this.text, known ? short(x, 3) : '–');
  }
}
