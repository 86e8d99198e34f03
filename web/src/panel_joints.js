// Panel "Joints": position, velocity, torque terms, external torque.

import { el } from './dom.js';
import { jointLines, limitBands, termLines, thresholdBand, unitOfChosen } from './joint_lines.js';
import { unitOf } from './numbers.js';
import { TimePlot } from './time_plot.js';

export class JointsPanel {
  id = 'joints';
  title = 'Joints';

  constructor(app) {
    this.app = app;
    const shared = { timeline: app.timeline, store: app.store };
    const plot = (title, column, least, bands) =>
      new TimePlot({
        ...shared,
        title,
        least,
        unit: () => unitOfChosen(app, column),
        lines: () => jointLines(app, column),
        bands,
      });
    this.position = plot('Position', 'position', 0.02, () => limitBands(app, 'position'));
    this.velocity = plot('Velocity', 'velocity', 0.05, () => limitBands(app, 'velocity'));
    this.external = plot('External torque (momentum observer)', 'residual', 0.5, () => thresholdBand(app));
    this.terms = new TimePlot({
      ...shared,
      title: 'Torque terms',
      legend: true,
      least: 0.5,
      lines: () => termLines(app),
      unit: () => unitOf('effort', app.store.joints[app.choice.focus]?.unit ?? 'rad'),
      bands: () => limitBands(app, 'effort'),
    });
    this.plots = [this.position, this.velocity, this.terms, this.external];
    this.root = el('div', { class: 'plots two' }, ...this.plots.map((p) => p.root));
  }

  rebuild() {
    const { store, choice } = this.app;
    const name = store.joints[choice.focus]?.name;
    this.terms.setTitle(name ? `Torque of ${name}` : 'Torque terms');
    for (const plot of this.plots) {
      plot.fitBands = choice.fitLimits;
      plot.rebuild();
    }
  }

  draw() {
    this.plots.forEach((plot) => plot.draw());
  }

  get pictures() {
    return this.plots.map((p) => ({
      title: `${p.heading.textContent} ${p.unitText.textContent}`,
      canvas: p.canvas,
    }));
  }
}
