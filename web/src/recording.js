// A recording in place of a live robot: its clock, which the server has, files dropped onto the page,
// and what the recording lacks.

import { byId, el, setText } from './dom.js';
import { fixed } from './numbers.js';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50];
const SEEK_MS = 80; // between two requests while the slider is dragged
const BEFORE = 60; // most seconds before a moment that the server reads
// what is computed, as people call it, and the panel that shows it
const COMPUTED = {
  joint_dynamics: ['torque terms', 'joints'],
  external_torque: ['external torques', 'contact'],
  dynamics: ['energies', 'energy'],
  mass_matrix: ['mass matrix', 'mass'],
  jacobian: ['Jacobians', 'frame'],
  operational_space_inertia: ['operational-space inertia', 'frame'],
  singularity: ['singularities', 'singularity'],
};

export class Recording {
  constructor(app) {
    this.app = app;
    this.target = null; // moment that was asked for and is not reached yet
    this.awaited = null; // name of the file that this page sends
    this.progress = null; // of that, 0 to 1
    this.#controls();
    this.#notes();
    this.#drop();
  }

  // ---------- what the server says ----------

  get state() {
    return this.app.store.playback;
  }

  /** The robot of this page is one of the recording. */
  get active() {
    const { store } = this.app;
    const robot = store.robots.find((r) => r.id === store.model?.robot);
    return Boolean(this.state?.open && robot?.recorded);
  }

  get playing() {
    return this.state.playing;
  }

  /** Log time less stamp: rows have stamps, the recording's clock has log times. */
  get #offset() {
    const { store } = this.app;
    return store.pose ? this.state.t - store.pose.t : 0;
  }

  /** The moment that is shown, in log time. */
  get position() {
    const { timeline } = this.app;
    if (this.target !== null) return this.target;
    return timeline.live ? this.state.t : timeline.head + this.#offset;
  }

  /** A row's time as a share of the recording. */
  share(t) {
    const { start, end } = this.state;
    return (t + this.#offset - start) / (end - start);
  }

  /** Robots, model or playback changed. */
  changed() {
    const { timeline, bar } = this.app;
    const active = this.active;
    timeline.remote = active ? this : null;
    this.speedBox.hidden = !active;
    byId('live').hidden = active;
    if (active && document.activeElement !== this.speed) this.speed.value = String(this.state.rate);
    if (active && this.target !== null && !this.state.seeking) this.#reached();
    if (this.awaited && !this.state?.opening) this.#opened(bar);
    this.#say();
  }

  #reached() {
    if (Math.abs(this.state.t - this.sent) > 1e-3 && !this.#outside(this.sent)) return;
    if (this.sent === this.target) this.target = null;
    else this.#send();
  }

  #outside(t) {
    return t < this.state.start || t > this.state.end;
  }

  // the file of this page is open, or could not be opened
  #opened(bar) {
    const { state } = this;
    if (state?.open && state.name === this.awaited) {
      this.awaited = null;
      this.app.chooseRobot('recording');
    } else if (state?.error) {
      this.awaited = null;
      bar.say(`Cannot open the recording: ${state.error}`);
    }
  }

  // ---------- its clock ----------

  #ask(wanted) {
    this.app.connection.ask({ type: 'playback', ...wanted });
  }

  pause() {
    this.#ask({ playing: false });
  }

  /** Goes on, from a row's time if one is given. */
  play(from = null) {
    if (from === null) this.#ask({ playing: true });
    else this.#ask({ playing: true, t: from + this.#offset, before: this.#before });
  }

  get #before() {
    return Math.min(this.app.timeline.span, BEFORE);
  }

  /** To a log time. Requests do not pile up: the last one counts. */
  seek(t) {
    const { start, end } = this.state;
    const { timeline } = this.app;
    this.target = Math.min(Math.max(t, start), end);
    timeline.goLive();
    const wait = SEEK_MS - (performance.now() - (this.sentAt ?? -Infinity));
    clearTimeout(this.timer);
    if (wait <= 0) this.#send();
    else this.timer = setTimeout(() => this.#send(), wait);
    this.app.touch();
  }

  #send() {
    if (this.target === null) return;
    this.sent = this.target;
    this.sentAt = performance.now();
    this.#ask({ t: this.sent, before: this.#before });
  }

  step(seconds) {
    this.seek(this.position + seconds);
  }

  // ---------- controls ----------

  #controls() {
    this.speed = el(
      'select',
      { id: 'speed', title: 'Playback speed' },
      ...SPEEDS.map((s) => el('option', { value: String(s) }, `${s}×`)),
    );
    this.speed.value = '1';
    this.speed.addEventListener('change', () => this.#ask({ rate: Number(this.speed.value) }));
    this.speedBox = el('label', { class: 'span', hidden: true }, 'Speed ', this.speed);
    byId('span').parentNode.before(this.speedBox);

    this.files = el('input', {
      type: 'file',
      accept: '.mcap,.db3,.urdf,.xml',
      'aria-label': 'Recording or URDF',
      hidden: true,
    });
    this.files.addEventListener('change', () => this.take([...this.files.files]));
    this.open = el(
      'button',
      { type: 'button', id: 'open', title: 'Open a recording (.mcap, .db3), or drop one here' },
      'Open',
    );
    this.open.addEventListener('click', () => this.files.click());
    byId('csv').before(this.open, this.files);
  }

  // ---------- what it lacks ----------

  #notes() {
    this.damage = el('p', { id: 'recording-damage', role: 'status', hidden: true });
    this.computed = el('p', { id: 'recording-computed', hidden: true });
    const choose = el('button', { type: 'button' }, 'Choose URDF');
    choose.addEventListener('click', () => this.files.click());
    this.urdf = el(
      'p',
      { id: 'recording-urdf', role: 'status', hidden: true },
      'The recording has no robot description. Drop a URDF here. ',
      choose,
    );
    byId('view').append(
      el('div', { class: 'view-notes' }, this.urdf, this.damage, this.computed),
    );
  }

  #say() {
    const { state, active } = this;
    const list = active ? state.computed : [];
    this.urdf.hidden = !active || !state.needs_urdf;
    const damaged = active ? state.note : '';
    this.damage.hidden = damaged === '';
    setText(this.damage, damaged.charAt(0).toUpperCase() + damaged.slice(1));
    const names = list.map((kind) => COMPUTED[kind]?.[0] ?? kind);
    const missing = active && state.missing;
    this.computed.hidden = names.length === 0;
    setText(
      this.computed,
      missing
        ? `Nothing can be computed: no message contains joint ${missing}`
        : '* not recorded, computed from joint states and URDF',
    );
    this.computed.title = names.join(', ');
    const panels = missing ? [] : list.map((kind) => COMPUTED[kind]?.[1]);
    this.app.tabs.mark(panels);
  }

  // ---------- files ----------

  #drop() {
    const layer = el('div', { id: 'drop', hidden: true }, 'Drop a recording (.mcap, .db3) or a URDF');
    document.body.append(layer);
    const has = (event) => event.dataTransfer?.types.includes('Files');
    document.addEventListener('dragover', (event) => {
      if (!has(event)) return;
      event.preventDefault();
      layer.hidden = false;
    });
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) layer.hidden = true;
    });
    document.addEventListener('drop', async (event) => {
      layer.hidden = true;
      if (!has(event)) return;
      event.preventDefault();
      this.take(await dropped(event.dataTransfer));
    });
  }

  /** Files that were dropped or chosen: a recording, or a URDF. */
  take(files) {
    const { bar } = this.app;
    const recordings = files.filter((file) => /\.(mcap|db3)$/i.test(file.name));
    const urdf = files.find((file) => /\.(urdf|xml)$/i.test(file.name));
    this.files.value = '';
    if (recordings.length === 1) this.#upload(recordings[0]);
    else if (recordings.length > 1)
      bar.say('The recording has several files: use mbdyn view FOLDER');
    else if (urdf) this.#describe(urdf);
    else bar.say('Not a recording (.mcap, .db3) or URDF');
  }

  // fetch() does not tell how far an upload is
  #upload(file) {
    const { bar } = this.app;
    const request = new XMLHttpRequest();
    const percent = () => bar.say(`${file.name}: ${fixed(100 * this.progress, 0)} %`);
    this.awaited = null;
    this.progress = 0;
    request.upload.addEventListener('progress', (event) => {
      this.progress = event.loaded / Math.max(event.total, 1);
      percent();
    });
    request.addEventListener('loadend', () => {
      this.progress = null;
      if (request.status !== 202)
        bar.say(`Upload failed: ${request.responseText || 'the server closed the connection'}`);
    });
    request.addEventListener('load', () => {
      if (request.status !== 202) return;
      this.awaited = file.name;
      this.changed();
    });
    request.open('PUT', `/api/recording?name=${encodeURIComponent(file.name)}`);
    request.send(file);
    percent();
  }

  async #describe(file) {
    const { bar } = this.app;
    const answer = await fetch('/api/recording/urdf', { method: 'PUT', body: file });
    if (answer.ok) bar.say(`${file.name} is now used as robot description`);
    else bar.say(`Cannot use ${file.name}: ${await answer.text()}`);
  }
}

/** Files of a drop, and those in a folder that was dropped. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [...transfer.files];
  const folder = entries.length === 1 && entries[0].isDirectory ? entries[0] : null;
  if (!folder) return files;
  const inside = await new Promise((done, failed) =>
    folder.createReader().readEntries(done, failed),
  );
  return Promise.all(
    inside
      .filter((entry) => entry.isFile)
      .map((entry) => new Promise((done, failed) => entry.file(done, failed))),
  );
}
