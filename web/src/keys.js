// Keys of the whole page, and the help that lists them.

import { byId, el } from './dom.js';

/** Actions by key. Single characters hold whatever has the focus, but for fields and lists. */
export function bindKeys(app) {
  const { timeline, choice, store } = app;
  const keys = [
    [' ', 'Space', 'pause or resume', () => timeline.toggle()],
    ['ArrowLeft', '←', 'one second back (Shift: ten)', (e) => timeline.step(e.shiftKey ? -10 : -1)],
    ['ArrowRight', '→', 'one second forward (Shift: ten)', (e) => timeline.step(e.shiftKey ? 10 : 1)],
    ['End', 'End', 'back to live', () => timeline.toLast()],
    ['Home', 'Home', 'start of the history', () => timeline.toFirst()],
    ['+', '+', 'zoom in on time', () => timeline.zoom(-1)],
    ['-', '−', 'zoom out on time', () => timeline.zoom(1)],
    ['j', 'J', 'next joint', () => choice.step(1, store.joints.length)],
    ['k', 'K', 'previous joint', () => choice.step(-1, store.joints.length)],
    ['a', 'A', 'plot all joints', () => choice.all(store.joints.length)],
    ['o', 'O', 'plot only the selected joint', () => choice.onlyFocus()],
    ['l', 'L', 'zoom to limits', () => app.toggleLimits()],
    ['m', 'M', 'ellipsoid: none, manipulability, effective mass', () => app.nextEllipsoid()],
    ['s', 'S', 'toggle skeleton', () => app.toggleSkeleton()],
    ['r', 'R', 'fit robot', () => app.view.fit()],
    ['c', 'C', 'save CSV', () => app.saveCsv()],
    ['p', 'P', 'save PNG', () => app.savePng()],
    ['t', 'T', 'dark or light theme', () => app.toggleTheme()],
    ['?', '?', 'this help', () => toggleHelp()],
  ];
  app.panels.forEach((panel, k) =>
    keys.splice(5 + k, 0, [
      String(k + 1),
      String(k + 1),
      `panel ${panel.title}`,
      () => app.open(panel.id),
    ]),
  );
  const actions = new Map(keys.map(([key, , , action]) => [key, action]));
  actions.set('=', actions.get('+'));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (busy(event)) return;
    const action = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  fillHelp(keys);
}

// keys that the element with the focus needs itself
function busy(event) {
  const { target, key } = event;
  if (byId('help').open) return key !== '?';
  if (target.matches('select, input[type="text"], input[type="number"]')) return true;
  if (target.matches('input[type="range"], [role="tab"]') && /^(Arrow|Home|End)/.test(key))
    return true;
  if (key === ' ') return target.matches('button, input, summary, a');
  return false;
}

function fillHelp(keys) {
  byId('help-keys').replaceChildren(
    ...keys.map(([, name, text]) =>
      el('div', {}, el('dt', {}, el('kbd', {}, name)), el('dd', {}, text)),
    ),
  );
  byId('help-button').addEventListener('click', toggleHelp);
  byId('help-close').addEventListener('click', toggleHelp);
}

export function toggleHelp() {
  const help = byId('help');
  if (help.open) help.close();
  else help.showModal();
}
