// Panel "Energy": energies, power, momentum, and the effective mass of links.

import { definition, el, setText } from './dom.js';
import { fixed, short, withUnit } from './numbers.js';
import { jointColour, palette } from './theme.js';
import { TimePlot } from './time_plot.js';

export class EnergyPanel {
  id = 'energy';
  title = 'Energy';

  constructor(app) {
    this.app = app;
    const { store, timeline } = app;
    const scalar = (label, name, hue) => ({
      label,
      colour: jointColour(hue),
      width: 1.6,
      column: store.scalar(name),
    });
    const sum = (row) =>
      store.history.data[store.scalar('kinetic_energy')][row] +
      store.history.data[store.scalar('potential_energy')][row];
    this.energy = new TimePlot({
      store,
      timeline,
      title: 'Energy',
      unit: () => 'J',
      least: 0.1,
      legend: true,
      lines: () => [
        scalar('kinetic', 'kinetic_energy', 0),
        scalar('potential', 'potential_energy', 4),
        { label: 'total', colour: palette().text, width: 1.6, dash: [6, 3], values: sum },
      ],
    });
    this.power = new TimePlot({
      store,
      timeline,
      title: 'Joint power',
      unit: () => 'W',
      least: 0.1,
      lines: () => [scalar('power', 'power', 1)],
    });
    this.plots = [this.energy, this.power];
    this.facts = el('dl', { class: 'facts tall' });
    this.values = Object.fromEntries(
      [
        'Mass',
        'Centre of mass',
        'CoM velocity',
        'Linear momentum',
        'Angular momentum',
        'Gravity',
      ].map((name) => [name, definition(this.facts, name)]),
    );
    this.links = el('table', { class: 'plain' });
    this.root = el(
      'div',
      { class: 'split' },
      el('div', { class: 'plots one' }, ...this.plots.map((p) => p.root)),
      el(
        'div',
        { class: 'side', tabindex: 0, role: 'group', 'aria-label': 'Whole robot' },
        el('h2', {}, 'Whole robot'),
        this.facts,
        el('h2', {}, 'Effective mass of links'),
        el(
          'p',
          { class: 'soft' },
          'Mass that a force at the origin of the link accelerates, joints free. ∞: the origin lies on the ' +
            'joint axes, so that the link rotates but its origin does not translate.',
        ),
        this.links,
      ),
    );
  }

  rebuild() {
    this.plots.forEach((plot) => plot.rebuild());
    this.linkCells = null;
  }

  draw() {
    this.plots.forEach((plot) => plot.draw());
    const summary = this.app.store.message('summary', this.app.timeline.reading);
    if (summary) this.#write(summary);
  }

  #write(s) {
    const triple = (v, unit) =>
      v ? `${v.map((x) => fixed(x ?? NaN, 3)).join(', ')} ${unit}` : '–';
    const v = this.values;
    setText(v.Mass, withUnit(s.mass ?? NaN, 'kg'));
    setText(v['Centre of mass'], triple(s.center_of_mass, 'm'));
    setText(v['CoM velocity'], triple(s.com_velocity, 'm/s'));
    setText(v['Linear momentum'], triple(s.linear_momentum, 'kg m/s'));
    setText(v['Angular momentum'], triple(s.angular_momentum, 'kg m²/s'));
    setText(v.Gravity, triple(s.gravity, 'm/s²'));
    this.#writeLinks(s.links ?? [], s.effective_mass ?? []);
  }

  #writeLinks(links, masses) {
    const key = links.join('\n');
    if (!this.linkCells || this.linkKey !== key) {
      this.linkKey = key;
      this.linkCells = links.map(() => el('td', { class: 'number' }));
      this.links.replaceChildren(
        ...links.map((name, k) =>
          el('tr', {}, el('th', { scope: 'row' }, name), this.linkCells[k]),
        ),
      );
    }
    // null: the origin of the link does not translate
    this.linkCells.forEach((cell, k) => setText(cell, this.#mass(links[k], masses[k])));
  }

  #mass(link, mass) {
    if (mass !== null) return `${short(mass, 3)} kg`;
    return this.app.view.linkMoves(link) ? '∞' : 'fixed to the world';
  }

  get pictures() {
    return this.plots.map((p) => ({
      title: `${p.heading.textContent} ${p.unitText.textContent}`,
      canvas: p.canvas,
    }));
  }
}
