// Dark or light theme: the system's preference or the user's choice; canvas colours from the style sheet.

const KEY = 'mbdyn.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = [];

// the same ten hues, light enough on dark and dark enough on light
const HUES = {
  dark: [
    '#6cb6ff',
    '#ffab70',
    '#ff7b72',
    '#56d4c8',
    '#85e89d',
    '#e3c04b',
    '#d2a8ff',
    '#ff9bce',
    '#c9a58b',
    '#a9b4c0',
  ],
  light: [
    '#1f6fc0',
    '#c8600a',
    '#c9302c',
    '#0b8a86',
    '#2f8537',
    '#8f6a00',
    '#8246af',
    '#c4387a',
    '#7d5a43',
    '#5c6773',
  ],
};
const TERM_HUES = {
  gravity: 0,
  coriolis: 1,
  inertia: 4,
  friction: 8,
  external: 2,
  command: 6,
  measured: 3,
};

let chosen = read();

function read() {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null; // storage is switched off
  }
}

function wanted() {
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return system.matches ? 'dark' : 'light';
}

let shown = wanted();

/** What is shown now. */
export const theme = () => shown;

/** Goes with what is wanted, if that changed; a browser may tell late that the system did. */
export function followTheme() {
  if (wanted() === shown) return;
  shown = wanted();
  document.documentElement.dataset.theme = shown;
  colours = null;
  listeners.forEach((listener) => listener());
}

export function toggleTheme() {
  chosen = shown === 'dark' ? 'light' : 'dark';
  try {
    window.localStorage.setItem(KEY, chosen);
  } catch {
    // it holds until the page is closed
  }
  followTheme();
}

export function onTheme(listener) {
  listeners.push(listener);
}

let colours = null;

/** Colours of the style sheet, for what is drawn on canvases. */
export function palette() {
  if (!colours) {
    const style = window.getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    colours = {
      text: get('--text'),
      soft: get('--soft'),
      line: get('--line'),
      panel: get('--panel'),
      page: get('--page'),
      accent: get('--accent'),
      good: get('--good'),
      bad: get('--bad'),
      warn: get('--warn'),
      band: get('--band'),
      positive: get('--positive'),
      negative: get('--negative'),
      zero: get('--zero'),
    };
  }
  return colours;
}

export const jointColour = (index) => HUES[theme()][index % 10];

/** Dashes tell joints apart that share a hue. */
export const jointDash = (index) => [[], [6, 3], [2, 3], [8, 3, 2, 3]][Math.floor(index / 10) % 4];

export function termColour(name) {
  return name === 'total' ? palette().text : HUES[theme()][TERM_HUES[name]];
}

document.documentElement.dataset.theme = shown;
system.addEventListener('change', followTheme);
