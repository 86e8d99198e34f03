// Panel "Frame": Jacobian, operational-space inertia, and the ellipsoid at the selected frame.

import { definition, el, setOptions, setText } from './dom.js';
import { effectiveMass, manipulability } from './ellipsoid.js';
import { block } from './linear.js';
import { MatrixView } from './matrix_view.js';
import { fixed, short } from './numbers.js';

const REFERENCES = ['in frame axes', 'in world axes, at the world origin', 'in world axes'];
const UNITS = [
  ['kg', 'kg m'],
  ['kg m', 'kg m²'],
];

export class FramePanel {
  id = 'frame';
  title = 'Frame';

  constructor(app) {
    this.app = app;
    this.#controls();
    this.#numbers();
    this.jacobian = new MatrixView({
      title: 'Jacobian',
      describe: (i, j, x, m) =>
        `J(${m.rowNames[i]}, ${m.colNames[j]}) = ${short(x, 7)} ${this.#jacobianUnit(i, j)}`,
    });
    this.inertia = new MatrixView({
      title: 'Operational-space inertia',
      describe: (i, j, x, m) =>
        `Λ(${m.rowNames[i]}, ${m.colNames[j]}) = ${short(x, 7)} ${UNITS[i > 2 ? 1 : 0][j > 2 ? 1 : 0]}`,
    });
    const part = (title, ...children) =>
      el('section', { class: 'part' }, el('h2', {}, title), ...children);
    this.jacobianPart = part('Jacobian', this.jacobian.root);
    this.root = el(
      'div',
      { class: 'column scroll' },
      this.controls,
      this.jacobianPart,
      el(
        'div',
        { class: 'pair' },
        part('Operational-space inertia Λ', this.inertia.root),
        part('Frame', this.facts),
      ),
    );
  }

  #controls() {
    const { choice } = this.app;
    this.frames = el('select', {
      id: 'frame',
      onchange: () => this.#choose(this.frames.value, choice.ellipsoid),
    });
    this.shapes = el('select', {
      id: 'ellipsoid',
      onchange: () => this.#choose(choice.frame, this.shapes.value),
    });
    setOptions(
      this.shapes,
      ['none', 'manipulability', 'mass'],
      ['none', 'manipulability', 'effective mass'],
    );
    this.reference = el('span', { class: 'soft' });
    this.controls = el(
      'header',
      { class: 'line' },
      el('label', {}, 'Frame ', this.frames),
      el('label', {}, 'Ellipsoid ', this.shapes),
      this.reference,
    );
  }

  #numbers() {
    this.facts = el('dl', { class: 'facts tall' });
    this.measure = definition(this.facts, 'Manipulability (linear)');
    this.measure6 = definition(this.facts, 'Manipulability (6D)');
    this.condition = definition(this.facts, 'Condition number of J');
    this.speeds = definition(this.facts, 'Velocity semi-axes');
    this.masses = definition(this.facts, 'Effective masses');
    this.rank = definition(this.facts, 'Rank of Λ⁻¹');
    this.bias = definition(this.facts, 'J̇ v (linear)');
  }

  #choose(frame, ellipsoid) {
    this.app.choice.frame = frame;
    this.app.choice.ellipsoid = ellipsoid;
    this.app.choice.changed();
  }

  #jacobianUnit(i, j) {
    const sliding = this.app.store.joints[j]?.unit === 'm';
    return i < 3 ? (sliding ? '' : 'm') : sliding ? '1/m' : '';
  }

  rebuild() {
    const { store, choice } = this.app;
    const frames = store.model?.frames ?? [];
    setOptions(this.frames, frames);
    if (!frames.includes(choice.frame)) choice.frame = frames[0] ?? '';
    this.frames.value = choice.frame;
    this.shapes.value = choice.ellipsoid;
    this.last = null;
  }

  /** Ellipsoid of the moment for the 3D view, or null. */
  shape(kind, origin) {
    const { store, choice, timeline } = this.app;
    if (kind === 'manipulability') {
      const message = store.message(`jacobian:${choice.frame}`, timeline.head);
      return message && origin ? manipulability(message, origin) : null;
    }
    const message = store.message('operational_space_inertia', timeline.head);
    return kind === 'mass' && message && origin
      ? effectiveMass(message, choice.frame, origin)
      : null;
  }

  draw() {
    const { store, choice, timeline } = this.app;
    const jacobian = store.message(`jacobian:${choice.frame}`, timeline.head);
    const inertia = store.message('operational_space_inertia', timeline.head);
    if (this.last?.[0] === jacobian && this.last?.[1] === inertia && this.jacobian.place) return;
    this.last = [jacobian, inertia];
    this.jacobian.set(
      jacobian && {
        rowNames: jacobian.row_names,
        colNames: jacobian.col_names,
        data: jacobian.data,
      },
    );
    this.inertia.set(this.#block(inertia));
    this.#facts(jacobian, inertia);
  }

  #block(inertia) {
    const index = inertia ? inertia.frames.indexOf(this.app.choice.frame) : -1;
    if (index < 0) return null;
    const names = inertia.names
      .slice(6 * index, 6 * index + 6)
      .map((name) => name.split('.').pop());
    return {
      rowNames: names,
      colNames: names,
      data: block(inertia.data, inertia.cols, 6 * index, 6 * index, 6, 6),
    };
  }

  #facts(jacobian, inertia) {
    const origin = this.app.view.linkPosition(this.app.choice.frame) ?? [0, 0, 0];
    const motion = jacobian && manipulability(jacobian, origin);
    const mass = inertia && effectiveMass(inertia, this.app.choice.frame, origin);
    const list = (values, unit) =>
      values ? `${values.map((x) => short(x, 3)).join(', ')} ${unit}` : '–';
    setText(this.reference, jacobian ? (REFERENCES[jacobian.reference] ?? '') : '');
    setText(this.measure, short(motion?.measure ?? NaN));
    setText(this.measure6, short(motion?.measure6 ?? NaN));
    setText(this.condition, short(motion?.condition ?? NaN));
    setText(this.speeds, list(motion?.lengths, 'm'));
    setText(this.masses, list(mass?.masses, 'kg'));
    setText(this.rank, inertia ? `${inertia.rank} of ${inertia.rows}` : '–');
    setText(
      this.bias,
      jacobian?.bias
        ? `${jacobian.bias
            .slice(0, 3)
            .map((x) => fixed(x ?? NaN, 3))
            .join(', ')} m/s²`
        : '–',
    );
  }

  get pictures() {
    return [
      { title: `Jacobian of ${this.app.choice.frame}`, canvas: this.jacobian.canvas },
      { title: 'Operational-space inertia', canvas: this.inertia.canvas },
    ];
  }
}
