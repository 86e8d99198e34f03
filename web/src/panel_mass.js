// Panel "Mass matrix": heat map of M(q).

import { definition, el, setText } from './dom.js';
import { conditionNumber } from './linear.js';
import { MatrixView } from './matrix_view.js';
import { short } from './numbers.js';

const LARGEST = 256; // rows, as the server sends them

export class MassPanel {
  id = 'mass';
  title = 'Mass matrix';

  constructor(app) {
    this.app = app;
    this.view = new MatrixView({
      title: 'Mass matrix',
      describe: (i, j, x, m) =>
        `M(${m.rowNames[i]}, ${m.colNames[j]}) = ${short(x, 7)} ${this.#unit(i, j)}`,
    });
    this.log = el('input', { type: 'checkbox', onchange: () => this.#scale() });
    this.list = el('dl', { class: 'facts' });
    this.condition = definition(this.list, 'Condition number');
    this.logdet = definition(this.list, 'ln det M');
    this.largest = definition(this.list, 'Largest element');
    this.root = el(
      'div',
      { class: 'column' },
      el(
        'header',
        { class: 'line' },
        this.list,
        el('label', { class: 'check' }, this.log, 'logarithmic colour scale'),
      ),
      this.view.root,
    );
  }

  #scale() {
    this.view.logarithmic = this.log.checked;
    this.view.draw();
  }

  // by the units of the two joints
  #unit(i, j) {
    const sliding = [i, j].filter((k) => this.app.store.joints[k]?.unit === 'm').length;
    return ['kg m²', 'kg m', 'kg'][sliding];
  }

  rebuild() {
    this.last = null;
    this.view.draw();
  }

  draw() {
    const { store, timeline } = this.app;
    const message = store.message('mass_matrix', timeline.head);
    if (message === this.last && this.view.place) return;
    this.last = message;
    this.matrix = message && {
      t: message.t,
      rowNames: message.names,
      colNames: message.names,
      data: message.data,
    };
    this.view.set(this.matrix);
    if (!message) return;
    setText(this.condition, this.#conditionText(message));
    setText(this.logdet, short(store.message('summary', timeline.head)?.log_det ?? NaN));
    setText(this.largest, `${short(Math.max(...message.data.map((x) => Math.abs(x ?? 0))))} kg m²`);
  }

  // the node computes it up to 16 degrees of freedom; above, the page does, about once a second
  #conditionText(message) {
    if (message.condition !== null) return short(message.condition);
    if (message.rows > LARGEST) return `not computed above ${LARGEST} degrees of freedom`;
    if (this.computed?.names !== message.names.join() || message.t - this.computed.t > 1 ||
        message.t < this.computed.t) {
      const condition = conditionNumber(message.data, message.rows);
      this.computed = { t: message.t, names: message.names.join(), condition };
    }
    const { condition } = this.computed;
    return Number.isFinite(condition) ? short(condition) : '∞ (M is singular)';
  }

  get pictures() {
    return [{ title: 'Mass matrix', canvas: this.view.canvas }];
  }
}
