// Panel "Singularity": how near a frame is to one, on which side of it; self-motion of a redundant arm with
// a ghost; forces of springs.

import { definition, el, setOptions, setText } from './dom.js';
import { Gauge } from './gauge.js';
import { fixed, short } from './numbers.js';
import { palette } from './theme.js';

const ROWS = ['linear x', 'linear y', 'linear z', 'angular x', 'angular y', 'angular z'];
const LIMIT = 0.01; // singularity_warning of the node, where it does not say otherwise

// on which side of the singularities
function side(sign, reciprocal) {
  if (sign !== 0) return sign > 0 ? 'det J > 0' : 'det J < 0';
  return reciprocal > 1e-9 ? 'J is not square' : 'singular';
}

// row of positions that differs least
function nearest(rows, position) {
  const far = rows.map((row) =>
    row.reduce((sum, x, k) => sum + Math.abs(x - (position?.[k] ?? x)), 0),
  );
  return far.indexOf(Math.min(...far));
}

export class SingularityPanel {
  id = 'singularity';
  title = 'Singularity';

  constructor(app) {
    this.app = app;
    this.gauge = new Gauge('Reciprocal condition number');
    this.#numbers();
    this.#motion();
    this.springs = el('table', { class: 'plain' });
    this.springPart = el(
      'section',
      { class: 'part' },
      el('h2', {}, 'Springs'),
      (this.springNote = el('p', { class: 'soft' })),
      this.springs,
    );
    this.root = el(
      'div',
      { class: 'column scroll' },
      el('header', { class: 'line' }, el('label', {}, 'Frame ', this.frames), this.held),
      el(
        'section',
        { class: 'part' },
        el('h2', {}, 'Reciprocal condition number of the Jacobian'),
        this.gauge.root,
        this.facts,
      ),
      this.motionPart,
      this.springPart,
    );
  }

  #numbers() {
    this.frames = el('select', {
      id: 'singularity-frame',
      onchange: () => {
        this.app.choice.frame = this.frames.value;
        this.app.choice.changed();
      },
    });
    this.held = el('strong', { class: 'held', role: 'status' });
    this.facts = el('dl', { class: 'facts tall' });
    this.component = definition(this.facts, 'Component');
    this.joint = definition(this.facts, 'Nearest joint');
    this.row = definition(this.facts, 'Direction that is lost');
    this.holds = definition(this.facts, 'Held (stay_in_component)');
  }

  // ---------- self-motion ----------

  #motion() {
    this.begin = el(
      'button',
      { type: 'button', id: 'motion-begin', onclick: () => this.#ask() },
      'Trace',
    );
    this.end = el(
      'button',
      { type: 'button', id: 'motion-end', hidden: true, onclick: () => this.#clear() },
      'Hide the ghost',
    );
    this.slider = el('input', {
      type: 'range',
      id: 'motion-slider',
      min: 0,
      max: 0,
      value: 0,
      'aria-label': 'Place on the curve of self-motion',
      oninput: () => this.app.touch(),
    });
    this.strip = el('canvas', { class: 'arcs', 'aria-hidden': 'true' });
    this.where = el('p', { class: 'soft', role: 'status' });
    this.box = el('div', { class: 'motion', hidden: true }, this.strip, this.slider);
    this.motionPart = el(
      'section',
      { class: 'part' },
      el('h2', {}, 'Self-motion'),
      el('div', { class: 'line' }, this.begin, this.end),
      this.box,
      this.where,
    );
    this.#clear();
  }

  #ask() {
    const { store, timeline, choice, connection } = this.app;
    const pose = timeline.live ? store.pose : store.poseAt(timeline.head);
    const position = pose?.position.map((x) => (Number.isFinite(x) ? x : null)) ?? null;
    store.selfMotion = null;
    this.asked = position;
    setText(this.where, 'Computing …');
    connection.ask({ type: 'self_motion', frame: choice.frame, position });
  }

  #clear() {
    this.app.store.selfMotion = null;
    this.shown = null;
    this.box.hidden = true;
    this.end.hidden = true;
    setText(
      this.where,
      'All configurations with the present pose of the frame, if the robot is redundant: a ghost ' +
        'shows them. Nothing is sent to the robot.',
    );
    this.app.touch();
  }

  #take(motion) {
    this.shown = motion;
    const good = motion.error === '' && motion.s.length > 0;
    this.box.hidden = !good;
    this.end.hidden = !good;
    if (!good) {
      setText(this.where, motion.error || 'no curve');
      return;
    }
    this.slider.max = motion.s.length - 1;
    this.slider.value = nearest(motion.position, this.asked);
  }

  /** Positions of the ghost's joints, or null. */
  get ghost() {
    return this.shown && !this.box.hidden ? this.shown.position[Number(this.slider.value)] : null;
  }

  inside(s) {
    const { arcs, length, closed } = this.shown;
    const within = (x) => arcs.some((arc) => x >= arc.begin && x <= arc.end);
    return within(s) || (closed && within(s + length));
  }

  #drawMotion() {
    const motion = this.app.store.selfMotion;
    if (motion && motion !== this.shown) this.#take(motion);
    if (!this.ghost) return;
    const { s, length, closed, whole, frame } = this.shown;
    const at = s[Number(this.slider.value)];
    const kind = `${whole ? '' : 'part of a '}${closed ? 'closed' : 'open'} curve`;
    const state = this.inside(at) ? 'within limits' : 'outside the limits';
    setText(this.where, `${frame}: ${fixed(at, 2)} of ${fixed(length, 2)} rad, ${kind}; ${state}`);
    this.where.dataset.inside = String(this.inside(at));
    this.#drawStrip();
  }

  #drawStrip() {
    const { strip } = this;
    const ratio = window.devicePixelRatio;
    const w = strip.clientWidth;
    const h = strip.clientHeight;
    if (w === 0) return;
    strip.width = Math.round(w * ratio);
    strip.height = Math.round(h * ratio);
    const g = strip.getContext('2d');
    const { line, good } = palette();
    const { arcs, length, s } = this.shown;
    const x = (at) => ((at - s[0]) / length) * strip.width;
    g.fillStyle = line;
    g.fillRect(0, 0, strip.width, strip.height);
    g.fillStyle = good;
    for (const arc of arcs) {
      g.fillRect(x(arc.begin), 0, x(Math.min(arc.end, s[0] + length)) - x(arc.begin), strip.height);
      // arcs of a closed curve may pass its end
      if (arc.end > s[0] + length) g.fillRect(0, 0, x(arc.end - length), strip.height);
    }
  }

  // ---------- numbers ----------

  rebuild() {
    const { store, choice } = this.app;
    const frames = store.model?.frames ?? [];
    setOptions(this.frames, frames);
    this.frames.value = choice.frame;
    this.springKey = null;
    if (this.shown && this.shown.robot !== store.model?.robot) this.#clear();
  }

  #limit() {
    const { store } = this.app;
    const node = store.diagnostics.find((d) => d.values?.singularity_warning !== undefined);
    const value = Number(node?.values.singularity_warning);
    return value > 0 ? value : LIMIT;
  }

  draw() {
    const { store, timeline, choice } = this.app;
    const m = store.message('singularity', timeline.head);
    const i = m ? m.frames.indexOf(choice.frame) : -1;
    this.gauge.show(i < 0 ? NaN : (m.reciprocal_condition[i] ?? NaN), this.#limit());
    setText(this.component, i < 0 ? '–' : side(m.sign[i], m.reciprocal_condition[i]));
    setText(this.joint, i < 0 ? '–' : (m.joint_names[m.nearest_joint[i]] ?? 'none'));
    setText(this.row, i < 0 ? '–' : (ROWS[m.nearest_row[i]] ?? 'none'));
    setText(this.holds, m ? `${m.holds} times` : '–');
    setText(this.held, m?.held ? 'Held before a singularity' : '');
    this.#drawMotion();
    this.#drawSprings();
  }

  #drawSprings() {
    const springs = this.app.view.springForces;
    const failure = this.app.store.model?.springs_error ?? '';
    this.springPart.hidden = springs.length === 0 && failure === '';
    setText(this.springNote, failure || 'Orange pulls, blue pushes; without damping.');
    const key = springs.map((spring) => spring.name).join('\n');
    if (key !== this.springKey) {
      this.springKey = key;
      this.springCells = springs.map(() => [
        el('td', { class: 'number' }),
        el('td', { class: 'number' }),
      ]);
      this.springs.replaceChildren(
        ...springs.map((spring, k) =>
          el('tr', {}, el('th', { scope: 'row' }, spring.name), ...this.springCells[k]),
        ),
      );
    }
    springs.forEach((spring, k) => {
      setText(this.springCells[k][0], `${fixed(spring.length, 3)} m`);
      setText(this.springCells[k][1], `${short(spring.force, 3)} N`);
    });
  }

  get pictures() {
    return [{ title: 'Arcs within limits', canvas: this.strip }];
  }
}
