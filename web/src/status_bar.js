// Status bar: connection, robot, node, rates; and short notifications.

import { byId, el, setOptions, setText } from './dom.js';
import { duration, rate } from './numbers.js';

export class StatusBar {
  constructor(app) {
    this.app = app;
    this.robots = byId('robots');
    this.robots.addEventListener('change', () => app.chooseRobot(this.robots.value));
    this.news = byId('news');
    this.lost = false;
    byId('retry').addEventListener('click', () => app.connection.retryNow());
  }

  /** The connection or the list of robots changed, or a second went by while something is lost. */
  connection() {
    const { connection } = this.app;
    const open = connection.state === 'open';
    if (open && this.lost) this.say('Connected again.');
    if (open) this.lost = false;
    else if (connection.opened > 0 || connection.attempt > 1) this.lost = true;
    const text = open ? silence(this.#robot()) : this.lost ? lostConnection(connection) : '';
    setText(byId('banner-text'), text);
    byId('retry').hidden = open;
    byId('banner').hidden = text === '';
  }

  #robot() {
    const { store } = this.app;
    return store.robots.find((r) => r.id === store.model?.robot);
  }

  /** A short line that goes away by itself. */
  say(text) {
    setText(this.news, text);
    this.news.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.news.hidden = true), 4000);
  }

  listRobots() {
    const { store } = this.app;
    const ids = store.robots.map((robot) => robot.id);
    setOptions(
      this.robots,
      ids,
      store.robots.map((robot) => label(robot, store.playback)),
    );
    if (store.model) this.robots.value = store.model.robot;
    this.connection();
    this.robots.disabled = ids.length < 2;
    byId('no-robot').hidden = ids.length > 0;
  }

  draw() {
    const { store, timeline, connection, frames } = this.app;
    const robot = this.#robot();
    const [state, text] = pill(connection, robot, timeline);
    const node = byId('state');
    node.dataset.state = state;
    setText(byId('state-text'), text);
    // of a node that has stopped, neither is known
    const told = robot?.node_alive ?? false;
    const mode = told ? robot.mode.replaceAll('_', ' ') : '';
    setText(byId('mode'), mode);
    byId('mode').title = mode;
    setText(byId('lifecycle'), told ? robot.state : '');
    const row = store.history ? store.history.rowAt(timeline.reading) : -1;
    const status = store.message('status');
    const input = status?.topics?.find((topic) => topic.topic.endsWith('joint_states'));
    setText(byId('rate'), rate(input?.hz ?? NaN));
    setText(
      byId('age'),
      row < 0 ? '–' : duration(store.history.value(store.scalar('input_age'), row, 15)),
    );
    setText(
      byId('compute'),
      row < 0 ? '–' : duration(store.history.value(store.scalar('compute_time'), row, 15)),
    );
    setText(byId('fps'), `${Math.round(frames.perSecond)} fps`);
  }
}

function label(robot, playback) {
  const name = robot.name ? `${robot.name} (${robot.node})` : robot.node;
  return robot.recorded ? `${name} in ${playback?.name ?? 'a recording'}` : name;
}

function pill(connection, robot, timeline) {
  if (connection.state !== 'open') return ['lost', 'Reconnecting'];
  if (!robot) return ['waiting', 'No robot yet'];
  if (robot.recorded) return timeline.playing ? ['live', 'Playing'] : ['paused', 'Recording'];
  if (!robot.alive) return ['lost', 'Robot is silent'];
  if (!robot.node_alive) return ['lost', stopped(robot) ? `Node is ${robot.state}` : 'Node is silent'];
  return timeline.live ? ['live', 'Live'] : ['paused', 'Paused'];
}

// it says itself that it is not active
const stopped = (robot) => robot.state !== '' && robot.state !== 'active';

/** What is missing of a robot, in a sentence; or nothing. */
function silence(robot) {
  if (!robot || (robot.alive && robot.node_alive)) return '';
  if (!robot.alive) return `No joint states: neither the robot nor node ${robot.node} publishes.`;
  const what = stopped(robot) ? `is ${robot.state}` : 'has stopped publishing';
  return `Node ${robot.node} ${what}: no torques and no commands. Joint states still arrive.`;
}

function lostConnection({ state, opened, attempt, retryAt }) {
  const waiting = state === 'waiting';
  const wait = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
  const lead = opened > 0 ? 'Connection to mbdyn view lost.' : 'No connection to mbdyn view.';
  const what = waiting ? `Next attempt in ${wait} s` : 'Connecting';
  return `${lead} ${what} (attempt ${attempt + (waiting ? 1 : 0)}).`;
}
