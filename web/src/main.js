// The page of mbdyn view: connects its parts and redraws them on changes.

import { byId, el, setText } from './dom.js';
import { Choice } from './choice.js';
import { Connection } from './connection.js';
import { csv, fileName, picture, save } from './export.js';
import { JointTable } from './joint_table.js';
import { bindKeys } from './keys.js';
import { ContactPanel } from './panel_contact.js';
import { EnergyPanel } from './panel_energy.js';
import { FramePanel } from './panel_frame.js';
import { HealthPanel } from './panel_health.js';
import { JointsPanel } from './panel_joints.js';
import { MassPanel } from './panel_mass.js';
import { SingularityPanel } from './panel_singularity.js';
import { publishState } from './state.js';
import { Recording } from './recording.js';
import { RobotView } from './robot_view.js';
import { Scrubber } from './scrubber.js';
import { StatusBar } from './status_bar.js';
import { Store } from './store.js';
import { followTheme, onTheme, toggleTheme } from './theme.js';
import { Timeline } from './timeline.js';
import { Tabs } from './tabs.js';
import { Frames } from './frames.js';

const RATE = 30; // messages in a second
// how often plots are drawn and numbers in tables change; less where the processor draws everything
const PLOT_MS = { gpu: 0, software: 60 };
const TEXT_MS = { gpu: 100, software: 200 };
const NO_SPRINGS = [];
const MESHES_LISTED = 4; // missing files that are named for each reason

class App {
  constructor() {
    this.toggleTheme = toggleTheme;
    this.due = new Set(); // parts of the page that are to be drawn
    this.saved = { csv: 0, png: 0, lastCsvRows: 0 };
    this.frames = new Frames();
    this.store = new Store();
    this.timeline = new Timeline(() => this.touch());
    this.choice = new Choice(() => this.rebuild());
    this.view = new RobotView(byId('view'), () => this.touch(), () => this.#meshesChanged());
    if (this.view.failure) this.viewMessage(this.view.failure);
    this.panels = [
      JointsPanel,
      MassPanel,
      FramePanel,
      EnergyPanel,
      ContactPanel,
      HealthPanel,
      SingularityPanel,
    ].map((P) => new P(this));
    this.framePanel = this.panels[2];
    this.singularityPanel = this.panels[6];
    this.table = new JointTable(this);
    this.scrubber = new Scrubber(this);
    this.tabs = new Tabs(this);
    this.bar = new StatusBar(this);
    this.recording = new Recording(this);
    this.connection = new Connection({
      state: (connection) => this.connectionChanged(connection),
      message: (message) => this.take(message),
    });
    bindKeys(this);
    this.#buttons();
    onTheme(() => this.#recolour());
    setInterval(() => this.bar.connection(), 500);
    this.#loop();
  }

  #buttons() {
    byId('csv').addEventListener('click', () => this.saveCsv());
    byId('png').addEventListener('click', () => this.savePng());
    byId('theme').addEventListener('click', () => toggleTheme());
    byId('fit').addEventListener('click', () => this.view.fit());
    byId('skeleton').addEventListener('click', () => this.toggleSkeleton());
    byId('limits').addEventListener('click', () => this.toggleLimits());
    byId('ellipsoid-button').addEventListener('click', () => this.nextEllipsoid());
  }

  #recolour() {
    this.view.recolour();
    this.rebuild();
    this.table.rebuild();
  }

  // ---------- what comes ----------

  connectionChanged(connection) {
    this.connection ??= connection;
    if (!connection.subscription) connection.subscription = this.#wanted(null);
    this.bar.connection();
    this.touch();
  }

  #wanted(robot) {
    return { robot, rate: RATE, history: this.store.seconds };
  }

  chooseRobot(id) {
    this.store.forget();
    this.timeline.remote = null;
    this.timeline.goLive();
    this.connection.subscribe(this.#wanted(id));
    this.touch();
  }

  take(message) {
    const before = this.store.model;
    const type = this.store.take(message);
    if (type === null) return;
    this.touch();
    if (type === 'model') this.#modelCame(before);
    else if (type === 'robots') this.#robotsCame();
    else if (type === 'reset') this.timeline.goLive();
    else if (type === 'error') this.#refused(message);
    if (['model', 'robots', 'playback'].includes(type)) this.recording.changed();
  }

  // a server that has just begun does not know the robot yet: ask again when it does
  #refused(message) {
    this.unknownRobot = message.code === 'unknown_robot';
    if (!this.unknownRobot) this.bar.say(`Request rejected: ${message.message}`);
  }

  #robotsCame() {
    this.bar.listRobots();
    this.bar.draw(); // a node that is gone is told at once
    const { subscription } = this.connection;
    if (!this.unknownRobot || !this.store.robots.some((r) => r.id === subscription.robot)) return;
    this.unknownRobot = false;
    this.connection.subscribe(subscription);
  }

  #modelCame(before) {
    const { model } = this.store;
    // from now on this robot, after a lost connection too
    this.connection.subscription = this.#wanted(model.robot);
    const same =
      before &&
      before.robot === model.robot &&
      before.joints.length === model.joints.length &&
      before.joints.every((joint, k) => joint.name === model.joints[k].name);
    if (!same) this.choice.reset(model.joints);
    this.table.rebuild();
    this.bar.listRobots();
    this.rebuild();
    this.#loadRobot(model);
  }

  async #loadRobot(model) {
    if (!model.urdf_url) {
      this.view.clear();
      this.viewMessage('No robot description yet');
      return;
    }
    try {
      const answer = await fetch(model.urdf_url, { cache: 'no-store' });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text.slice(0, 200));
      if (this.store.model !== model) return; // another one came meanwhile
      const failure =
        text === this.urdf && this.view.robot
          ? null
          : this.view.load(text, this.store.hello?.mesh_packages ?? [], model.floating);
      this.urdf = text;
      this.viewMessage(failure ?? '');
    } catch (error) {
      this.viewMessage(`No robot description: ${error.message}`);
    }
    this.touch();
  }

  // the missing meshes, by reason; the first files of each, so that the note does not cover the robot
  #meshesChanged() {
    const { missing, wanted, reasons } = this.view.robot?.meshes ?? { missing: 0 };
    byId('meshes').hidden = missing === 0;
    if (missing === 0) return;
    setText(byId('meshes-text'), `${missing} of ${wanted} meshes are missing: links are drawn as lines`);
    const entries = Object.entries(reasons);
    const help = new Set(entries.map(([, reason]) => reason));
    byId('meshes-list').replaceChildren(
      ...[...help].map((reason) => {
        const files = entries.filter(([, why]) => why === reason).map(([file]) => file);
        const listed = files.length > MESHES_LISTED ? files.slice(0, MESHES_LISTED - 1) : files;
        const lines = listed.map((file) => el('li', {}, file));
        if (listed.length < files.length) {
          lines.push(el('li', {}, `and ${files.length - listed.length} more`));
        }
        return el('li', {}, el('strong', {}, reason), el('ul', {}, ...lines));
      }),
    );
    byId('meshes').open = true;
  }

  viewMessage(text) {
    byId('view-message').textContent = text;
    byId('view-message').hidden = text === '';
  }

  // ---------- what the user does ----------

  open(id) {
    this.tabs.open(id);
  }

  toggleLimits() {
    this.choice.fitLimits = !this.choice.fitLimits;
    byId('limits').setAttribute('aria-pressed', String(this.choice.fitLimits));
    this.rebuild();
  }

  toggleSkeleton() {
    this.view.skeletonWanted = !this.view.skeletonShown;
    byId('skeleton').setAttribute('aria-pressed', String(this.view.skeletonWanted));
    this.touch();
  }

  nextEllipsoid() {
    const kinds = ['none', 'manipulability', 'mass'];
    this.choice.ellipsoid = kinds[(kinds.indexOf(this.choice.ellipsoid) + 1) % kinds.length];
    this.bar.say(
      {
        none: 'No ellipsoid',
        manipulability: `Manipulability ellipsoid at ${this.choice.frame}`,
        mass: `Effective-mass ellipsoid at ${this.choice.frame}`,
      }[this.choice.ellipsoid],
    );
    this.rebuild();
  }

  saveCsv() {
    const { store, timeline } = this;
    if (!store.history || store.history.length === 0) return this.bar.say('Nothing to save yet');
    const text = csv(store, timeline.start, timeline.end);
    this.saved.csv++;
    this.saved.lastCsvRows = text.split('\n').length - 2;
    save(fileName(store, timeline.end, 'csv'), new Blob([text], { type: 'text/csv' }));
    return this.bar.say(`Saved ${this.saved.lastCsvRows} rows of the plotted time range`);
  }

  async savePng() {
    const blob = await picture(this, this.tabs.panel);
    this.saved.png++;
    save(fileName(this.store, this.timeline.head, 'png'), blob);
    this.bar.say('Image saved');
  }

  // ---------- drawing ----------

  /** Something changed: draw with the next frame. */
  touch() {
    this.due.add('robot').add('panel').add('text');
  }

  /** Joints, frame or colours were chosen anew. */
  rebuild() {
    this.panels?.forEach((panel) => panel.rebuild());
    this.table?.mark();
    byId('ellipsoid-button').setAttribute('aria-pressed', String(this.choice.ellipsoid !== 'none'));
    this.touch();
  }

  #loop() {
    const pace = this.view.software ? 'software' : 'gpu';
    const parts = [
      { name: 'robot', ms: 0, draw: () => this.#drawRobot() },
      { name: 'panel', ms: PLOT_MS[pace], draw: () => this.tabs.panel.draw() },
      { name: 'text', ms: TEXT_MS[pace], draw: () => this.#drawText() },
    ];
    const step = (now) => {
      this.frames.tick(now);
      const { history } = this.store;
      if (this.due.size > 0 && history) this.timeline.follow(history.first, history.last);
      for (const part of parts) this.#drawPart(part, now);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    setInterval(() => {
      followTheme();
      this.touch(); // ages and counters
    }, 500);
  }

  // each part as often as it may; what is left out now comes with a later frame
  #drawPart(part, now) {
    if (!this.due.has(part.name) || now - (part.at ?? -Infinity) < part.ms) return;
    this.due.delete(part.name);
    part.at = now;
    part.draw();
  }

  #drawText() {
    this.table.draw();
    this.scrubber.draw();
    this.bar.draw();
  }

  #drawRobot() {
    const { store, timeline, view, choice } = this;
    const pose = timeline.live ? store.pose : store.poseAt(timeline.head);
    if (pose) {
      view.pose(
        store.joints.map((joint, k) => [joint.joint ?? joint.name, pose.position[k]]),
        pose.base,
      );
    }
    const summary = store.message('summary', timeline.head);
    const wrench = store.message('external_wrench', timeline.head);
    view.showFrame(choice.frame);
    view.showCom(summary?.center_of_mass ?? null);
    view.showForce(wrench?.frame, wrench?.force, 50);
    view.showEllipsoid(
      this.framePanel.shape(choice.ellipsoid, view.linkPosition(choice.frame)),
      choice.frame,
    );
    const ghost = this.singularityPanel.ghost;
    view.showGhost(ghost && store.joints.map((joint, k) => [joint.joint ?? joint.name, ghost[k]]));
    view.showSprings(store.model?.springs ?? NO_SPRINGS);
    view.draw();
  }
}

publishState(new App());
