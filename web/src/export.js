// Export: the plotted time range as CSV, the robot and the open panel as PNG.

import { COLUMNS, SCALARS } from './store.js';
import { clock, unitOf } from './numbers.js';
import { palette } from './theme.js';

const SCALAR_UNITS = {
  kinetic_energy: 'J',
  potential_energy: 'J',
  power: 'W',
  input_age: 's',
  compute_time: 's',
  condition: '',
};

/** Hands a file to the browser. */
export function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function fileName(store, t, kind) {
  const robot = (store.model?.name || 'robot').replace(/[^\w.-]+/g, '_').slice(0, 60);
  const stamp = new Date((Number.isFinite(t) ? t : Date.now() / 1000) * 1000)
    .toISOString()
    .slice(0, 19);
  return `mbdyn_${robot}_${stamp.replace(/:/g, '-')}.${kind}`;
}

// quoted where it has to be; a name must not become a formula of a spreadsheet
function cell(text) {
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const number = (x) => (Number.isFinite(x) ? String(Number(x.toPrecision(8))) : '');

/** Rows of the history from t0 to t1: all joints, all columns. */
export function csv(store, t0, t1) {
  const { history, joints } = store;
  const head = ['time [s]'];
  const columns = [];
  joints.forEach((joint, j) => {
    for (const name of COLUMNS) {
      const unit = unitOf(
        name === 'position' || name === 'velocity' || name === 'acceleration' ? name : 'effort',
        joint.unit ?? 'rad',
      );
      head.push(`${joint.name}.${name} [${unit}]`);
      columns.push(history.data[store.column(name, j)]);
    }
  });
  for (const name of SCALARS) {
    head.push(SCALAR_UNITS[name] ? `${name} [${SCALAR_UNITS[name]}]` : name);
    columns.push(history.data[store.scalar(name)]);
  }
  const lines = [head.map(cell).join(',')];
  for (let row = 0; row < history.length; row++) {
    const t = history.times[row];
    if (t < t0 || t > t1) continue;
    lines.push(`${t.toFixed(6)},${columns.map((column) => number(column[row])).join(',')}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The robot and the pictures of the open panel on one sheet; a promise of a Blob. */
export function picture(app, panel) {
  app.view.draw(); // the buffer of a 3D canvas is there only right after drawing
  const all = [
    { title: app.store.model?.name ?? '', canvas: app.view.canvas },
    ...panel.pictures,
  ].filter(({ canvas }) => canvas && canvas.width > 0 && canvas.height > 0);
  const ratio = window.devicePixelRatio;
  const gap = 16 * ratio;
  const title = 26 * ratio;
  const [robot, ...rest] = all;
  const cols = rest.length > 1 ? 2 : 1;
  const cw = Math.max(...rest.map((p) => p.canvas.width), 1);
  const ch = Math.max(...rest.map((p) => p.canvas.height), 1);
  const rows = Math.ceil(rest.length / cols);
  const sheet = document.createElement('canvas');
  const left = robot ? robot.canvas.width + gap : 0;
  sheet.width = gap + left + cols * (cw + gap);
  sheet.height =
    2 * title + gap + Math.max((robot?.canvas.height ?? 0) + title, rows * (ch + title + gap));
  const ctx = sheet.getContext('2d');
  const c = palette();
  ctx.fillStyle = c.panel;
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  ctx.fillStyle = c.text;
  ctx.font = `600 ${15 * ratio}px system-ui, sans-serif`;
  ctx.fillText(
    `mbdyn · ${app.store.model?.name ?? 'no robot'} · ${clock(app.timeline.head)}`,
    gap,
    title,
  );
  ctx.font = `${12 * ratio}px system-ui, sans-serif`;
  const put = ({ title: text, canvas }, x, y) => {
    ctx.fillStyle = c.soft;
    ctx.fillText(text, x, y + title * 0.7);
    ctx.drawImage(canvas, x, y + title);
  };
  if (robot) put(robot, gap, title + gap);
  rest.forEach((p, k) =>
    put(
      p,
      gap + left + (k % cols) * (cw + gap),
      title + gap + Math.floor(k / cols) * (ch + title + gap),
    ),
  );
  return new Promise((resolve) => sheet.toBlob(resolve, 'image/png'));
}
