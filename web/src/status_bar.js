// What the page says about itself: connection, robot, rates; and the line for news.

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

  /** The connection changed, or a second went by while it is lost. */
  connection() {
    const { connection } = this.app;
    const banner = byId('banner');
    if (connection.state === 'open') {
      if (this.lost) this.say('Connected again.');
      this.lost = false;
      banner.hidden = true;
      return;
    }
    if (connection.opened > 0 || connection.attempt > 1) this.lost = true;
    const wait = Math.max(0, Math.ceil((connection.retryAt - performance.now()) / 1000));
    const lead = connection.opened > 0 ? 'Connection lost.' : 'No connection to mbdyn view.';
    const what = connection.state === 'waiting' ? `Trying again in ${wait} s` : 'Trying again';
    setText(
      byId('banner-text'),
      `${lead} ${what} (attempt ${connection.attempt + (connection.state === 'waiting' ? 1 : 0)}).`,
    );
    banner.hidden = !this.lost;
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
    this.robots.disabled = ids.length < 2;
    byId('no-robot').hidden = ids.length > 0;
  }

  draw() {
    const { store, timeline, connection, frames } = this.app;
    const robot = store.robots.find((r) => r.id === store.model?.robot);
    const [state, text] = pill(connection, robot, timeline);
    const node = byId('state');
    node.dataset.state = state;
    setText(byId('state-text'), text);
    setText(byId('mode'), (robot?.mode ?? '').replaceAll('_', ' '));
    setText(byId('lifecycle'), robot?.state ?? '');
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
  if (!timeline.live) return ['paused', 'Paused'];
  return robot.alive ? ['live', 'Live'] : ['waiting', 'Robot is silent'];
}
