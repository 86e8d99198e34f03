// Panel "Health": topic rates and ages, compute times, diagnostics.

import { el, setText } from './dom.js';
import { duration, rate } from './numbers.js';
import { jointColour } from './theme.js';
import { TimePlot } from './time_plot.js';

const LEVELS = ['ok', 'warning', 'error', 'stale'];

export class HealthPanel {
  id = 'health';
  title = 'Health';

  constructor(app) {
    this.app = app;
    const { store, timeline } = app;
    const ms = (name) => (row) => 1000 * store.history.data[store.scalar(name)][row];
    this.times = new TimePlot({
      store,
      timeline,
      title: 'Input age and compute time',
      unit: () => 'ms',
      legend: true,
      lines: () => [
        { label: 'input age', colour: jointColour(0), width: 1.4, values: ms('input_age') },
        { label: 'compute time', colour: jointColour(1), width: 1.4, values: ms('compute_time') },
      ],
    });
    this.topics = el('tbody');
    this.diagnostics = el('div', { class: 'diagnostics' });
    this.empty = el('p', { class: 'soft' }, 'No message on /diagnostics yet');
    this.open = new Set();
    const head = ['Topic', 'Type', 'Rate', 'Age', 'Count'].map((name) =>
      el('th', { scope: 'col' }, name),
    );
    this.root = el(
      'div',
      { class: 'column scroll' },
      el('div', { class: 'plots one short' }, this.times.root),
      el(
        'section',
        { class: 'part' },
        el('h2', {}, 'Topics'),
        el(
          'div',
          { class: 'wide' },
          el(
            'table',
            { class: 'plain topics' },
            el('thead', {}, el('tr', {}, ...head)),
            this.topics,
          ),
        ),
      ),
      el('section', { class: 'part' }, el('h2', {}, 'Diagnostics'), this.empty, this.diagnostics),
    );
  }

  rebuild() {
    this.times.rebuild();
    this.lastStatus = null;
    this.lastDiagnostics = null;
  }

  draw() {
    this.times.draw();
    const { store, timeline } = this.app;
    const status = store.message('status', timeline.head);
    if (status && status !== this.lastStatus) this.#topics(status.topics ?? []);
    this.lastStatus = status;
    if (store.diagnostics !== this.lastDiagnostics) this.#diagnose(store.diagnostics);
    this.lastDiagnostics = store.diagnostics;
  }

  #topics(topics) {
    const key = topics.map((topic) => topic.topic).join('\n');
    if (key !== this.topicKey) {
      this.topicKey = key;
      this.topicCells = topics.map(() => [0, 1, 2].map(() => el('td', { class: 'number' })));
      this.topics.replaceChildren(
        ...topics.map((topic, k) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, topic.topic),
            el('td', { class: 'soft' }, topic.type ?? ''),
            ...this.topicCells[k],
          ),
        ),
      );
    }
    topics.forEach((topic, k) => {
      const [hz, age, count] = this.topicCells[k];
      setText(hz, rate(topic.hz ?? NaN));
      setText(age, duration(topic.age ?? NaN));
      setText(count, String(topic.count ?? '–'));
    });
  }

  // what is open or has the focus stays so: elements are kept, texts change
  #diagnose(list) {
    const key = JSON.stringify(
      list.map((status) => [status.name, Object.keys(status.values ?? {})]),
    );
    if (key !== this.diagnosticsKey) {
      this.diagnosticsKey = key;
      this.reports = list.map((status) => this.#report(status));
      this.diagnostics.replaceChildren(...this.reports.map((report) => report.details));
    }
    this.empty.hidden = list.length > 0;
    list.forEach((status, k) => this.#write(this.reports[k], status));
  }

  #report(status) {
    const badge = el('span', { class: 'badge' });
    const message = el('span', { class: 'soft' });
    const cells = Object.keys(status.values ?? {}).map((key) => [key, el('dd')]);
    const details = el(
      'details',
      { open: this.open.has(status.name) },
      el('summary', {}, badge, el('strong', {}, status.name), message),
      el(
        'dl',
        { class: 'facts grid' },
        ...cells.map(([key, cell]) => el('div', {}, el('dt', {}, key), cell)),
      ),
    );
    details.addEventListener('toggle', () =>
      details.open ? this.open.add(status.name) : this.open.delete(status.name),
    );
    return { details, badge, message, cells };
  }

  #write({ badge, message, cells }, status) {
    const level = LEVELS[status.level] ?? 'stale';
    badge.className = `badge ${level}`;
    setText(badge, level);
    setText(message, status.message ?? '');
    for (const [key, cell] of cells) setText(cell, String(status.values[key]));
  }

  get pictures() {
    return [{ title: 'Input age and compute time [ms]', canvas: this.times.canvas }];
  }
}
