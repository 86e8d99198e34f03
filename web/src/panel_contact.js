// Panel "Contact": external torques of the momentum observer, their threshold, and the external wrench.

import { definition, el, setText } from './dom.js';
import { jointLines, thresholdBand, unitOfChosen } from './joint_lines.js';
import { fixed, short, withUnit } from './numbers.js';
import { palette } from './theme.js';
import { TimePlot } from './time_plot.js';

export class ContactPanel {
  id = 'contact';
  title = 'Contact';

  constructor(app) {
    this.app = app;
    const { store, timeline } = app;
    this.residual = new TimePlot({
      store,
      timeline,
      title: 'External torque (momentum observer)',
      least: 0.5,
      unit: () => unitOfChosen(app, 'residual'),
      lines: () => jointLines(app, 'residual'),
      bands: () => thresholdBand(app),
    });
    this.largest = new TimePlot({
      store,
      timeline,
      title: 'Largest external torque',
      least: 0.5,
      unit: () => unitOfChosen(app, 'residual'),
      lines: () => [
        {
          label: 'largest',
          colour: palette().bad,
          width: 1.6,
          values: (row) => this.#largest(row),
        },
      ],
      bands: () => thresholdBand(app).map((band) => ({ ...band, low: NaN })),
    });
    this.plots = [this.residual, this.largest];
    this.verdict = el('p', { class: 'verdict', role: 'status' }, 'No data from the observer yet');
    this.facts = el('dl', { class: 'facts tall' });
    this.values = Object.fromEntries(
      ['Threshold', 'Largest', 'Joints above', 'Frame', 'Force', 'Total force', 'Torque'].map(
        (name) => [name, definition(this.facts, name)],
      ),
    );
    this.root = el(
      'div',
      { class: 'split' },
      el('div', { class: 'plots one' }, ...this.plots.map((p) => p.root)),
      el(
        'div',
        { class: 'side', tabindex: 0, role: 'group', 'aria-label': 'Contact now' },
        this.verdict,
        el('h2', {}, 'Now'),
        this.facts,
      ),
    );
  }

  #largest(row) {
    const { store } = this.app;
    let most = NaN;
    for (let j = 0; j < store.joints.length; j++) {
      const size = Math.abs(store.history.data[store.column('residual', j)][row]);
      if (!(size <= most)) most = Number.isNaN(size) ? most : size;
    }
    return most;
  }

  rebuild() {
    this.plots.forEach((plot) => plot.rebuild());
  }

  draw() {
    this.plots.forEach((plot) => plot.draw());
    const { store, timeline } = this.app;
    if (!store.history) return;
    const row = store.history.rowAt(timeline.reading);
    const sizes = store.joints.map((_, j) => Math.abs(store.at('residual', j, row)));
    this.#judge(sizes);
    this.#wrench(store.message('external_wrench', timeline.reading));
  }

  #judge(sizes) {
    const { threshold, joints } = this.app.store;
    const known = sizes.filter(Number.isFinite);
    const largest = known.length ? Math.max(...known) : NaN;
    const above =
      threshold === null ? [] : joints.filter((_, j) => sizes[j] > threshold).map((j) => j.name);
    const v = this.values;
    setText(
      v.Threshold,
      threshold === null ? 'not set (parameter observer_threshold)' : withUnit(threshold, 'N m'),
    );
    setText(v.Largest, `${short(largest, 3)} N m`);
    setText(v['Joints above'], above.join(', ') || 'none');
    const text = Number.isNaN(largest)
      ? 'No data from the observer'
      : threshold === null
        ? 'No threshold: set observer_threshold'
        : above.length
          ? 'Contact'
          : 'No contact';
    setText(this.verdict, text);
    this.verdict.classList.toggle('bad', above.length > 0);
  }

  #wrench(wrench) {
    const v = this.values;
    const triple = (x, unit) =>
      x ? `${x.map((y) => fixed(y ?? NaN, 2)).join(', ')} ${unit}` : '–';
    setText(v.Frame, wrench ? wrench.frame : '–');
    setText(v.Force, triple(wrench?.force, 'N'));
    setText(v['Total force'], wrench ? withUnit(Math.hypot(...wrench.force), 'N', 3) : '–');
    setText(v.Torque, triple(wrench?.torque, 'N m'));
  }

  get pictures() {
    return this.plots.map((p) => ({
      title: `${p.heading.textContent} ${p.unitText.textContent}`,
      canvas: p.canvas,
    }));
  }
}
