// Table of joints: plotted, selected, and values at the current time.

import { byId, el, setText } from './dom.js';
import { fixed } from './numbers.js';
import { jointColour } from './theme.js';

const CELLS = ['position', 'velocity', 'command', 'residual'];

export class JointTable {
  constructor(app) {
    this.app = app;
    this.body = byId('joint-rows');
    this.rows = [];
    byId('joints-all').addEventListener('click', () => app.choice.all(app.store.joints.length));
    byId('joints-one').addEventListener('click', () => app.choice.onlyFocus());
  }

  rebuild() {
    const { store, choice } = this.app;
    this.rows = store.joints.map((joint, j) => this.#row(joint, j));
    this.body.replaceChildren(...this.rows.map((row) => row.node));
    const units = new Set(store.joints.map((joint) => joint.unit ?? 'rad'));
    const sliding = units.has('m') ? (units.size > 1 ? 'rad, m' : 'm') : 'rad';
    const effort = units.has('m') ? (units.size > 1 ? 'N m, N' : 'N') : 'N m';
    byId('unit-position').textContent = sliding;
    byId('unit-velocity').textContent = sliding.replace(/(\w+)/g, '$1/s');
    byId('unit-command').textContent = effort;
    byId('unit-residual').textContent = effort;
    setText(
      byId('joints-count'),
      store.joints.length ? `${choice.shown.size} of ${store.joints.length} plotted` : '',
    );
    this.mark();
  }

  #row(joint, j) {
    const { choice } = this.app;
    const check = el('input', {
      type: 'checkbox',
      'aria-label': `Plot ${joint.name}`,
      onchange: () => choice.toggle(j),
    });
    check.style.accentColor = jointColour(j);
    const swatch = el('span', { class: 'swatch' });
    swatch.style.background = jointColour(j);
    const name = el(
      'button',
      {
        type: 'button',
        class: 'name',
        title: `Select ${joint.name}: torque terms and limits`,
        onclick: () => choice.setFocus(j),
      },
      swatch,
      el('span', {}, joint.name),
    );
    const numbers = CELLS.map((column) => el('td', { class: `number ${column}` }, '–'));
    const bar = el('span', { class: 'gauge-fill' });
    const use = el('span', { class: 'gauge-text' });
    const node = el(
      'tr',
      {},
      el('td', {}, check),
      el('th', { scope: 'row' }, name),
      ...numbers,
      el('td', { class: 'use' }, el('span', { class: 'gauge' }, bar), use),
    );
    return { node, check, name, numbers, bar, use };
  }

  /** Which joints are plotted, and which one is in focus. */
  mark() {
    const { choice, store } = this.app;
    this.rows.forEach((row, j) => {
      row.check.checked = choice.shown.has(j);
      row.node.classList.toggle('focus', choice.focus === j);
      row.name.setAttribute('aria-pressed', String(choice.focus === j));
    });
    if (this.rows.length)
      setText(byId('joints-count'), `${choice.shown.size} of ${store.joints.length} plotted`);
    this.#intoView(this.rows[choice.focus]);
  }

  // only within the table: the page must not jump
  #intoView(row) {
    const box = this.body.closest('.table-box');
    if (!row || !box || this.focused === row) return;
    this.focused = row;
    const { offsetTop: top, offsetHeight: height } = row.node;
    const head = 26;
    if (top - head < box.scrollTop) box.scrollTop = top - head;
    else if (top + height > box.scrollTop + box.clientHeight)
      box.scrollTop = top + height - box.clientHeight;
  }

  draw() {
    const { store, timeline } = this.app;
    if (!store.history) return;
    const at = store.history.rowAt(timeline.reading);
    const cut = store.message('saturated', timeline.reading)?.joints ?? [];
    this.rows.forEach((row, j) => {
      CELLS.forEach((column, k) => setText(row.numbers[k], fixed(store.at(column, j, at), 3)));
      this.#use(row, j, at);
      row.node.classList.toggle('cut', cut.includes(j));
    });
  }

  // share of the effort limit that the command uses
  #use(row, j, at) {
    const limit = this.app.store.joints[j].limits?.effort;
    const part = Math.abs(this.app.store.at('command', j, at)) / limit;
    const known = Number.isFinite(part);
    row.bar.style.width = known ? `${Math.min(part, 1) * 100}%` : '0';
    row.bar.classList.toggle('high', part > 0.8);
    setText(row.use, known ? `${Math.round(part * 100)} %` : '–');
  }
}
