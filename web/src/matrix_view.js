// Heat map of a matrix: diverging colours, row and column names, value under the pointer.

import { el } from './dom.js';
import { fixed, short } from './numbers.js';
import { palette } from './theme.js';

const FONT = 'system-ui, sans-serif';

export class MatrixView {
  /** describe(row, column, value): text for the line below */
  constructor({ title, describe }) {
    this.describe = describe;
    this.cell = null; // [row, column] that is looked at
    this.logarithmic = false;
    this.canvas = el('canvas', {
      tabindex: 0,
      role: 'img',
      'aria-label': `${title}. Arrow keys select an element.`,
      onpointermove: (event) => this.#point(event),
      onpointerleave: () => this.#leave(),
      onkeydown: (event) => this.#key(event),
      onpointerdown: (event) => this.#point(event),
    });
    this.ctx = this.canvas.getContext('2d', { willReadFrequently: true });
    this.box = el('div', { class: 'matrix-box' }, this.canvas);
    this.reading = el('p', { class: 'reading', 'aria-live': 'polite' });
    this.root = el('div', { class: 'matrix' }, this.box, this.reading);
    this.size = { width: 0, height: 0 };
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect)).observe(this.box);
  }

  #resize({ width, height }) {
    this.size = { width, height };
    this.draw();
  }

  /** {rowNames, colNames, data} or null */
  set(matrix) {
    this.matrix = matrix;
    this.draw();
  }

  // ---------- layout ----------

  #layout(width, height) {
    const { rowNames, colNames } = this.matrix;
    const { ctx } = this;
    const longest = (names) => Math.max(...names.map((name) => ctx.measureText(name).width));
    ctx.font = `11px ${FONT}`;
    const left = Math.min(longest(rowNames) + 10, width * 0.3);
    const slanted = Math.min(longest(colNames) * 0.75 + 12, height * 0.3);
    const flat = (width - left) / colNames.length >= longest(colNames) + 6;
    const top = flat ? 20 : slanted;
    const right = flat ? 4 : slanted * 0.7; // names that lean over the edge
    const size = Math.min(
      (width - left - right) / colNames.length,
      (height - top - 4) / rowNames.length,
    );
    const wide = Math.min((width - left - right) / colNames.length, size * 2.2);
    return { left, top, cw: wide, ch: Math.min(size, 64), flat };
  }

  #scale() {
    const finite = this.matrix.data.filter((x) => Number.isFinite(x) && x !== 0).map(Math.abs);
    this.most = Math.max(...finite, 1e-300);
    this.least = Math.max(Math.min(...finite, this.most), this.most * 1e-5);
  }

  /** -1 to 1: strength of the colour of a number. */
  strength(x) {
    if (!Number.isFinite(x) || x === 0) return 0;
    const size = Math.abs(x);
    if (!this.logarithmic) return x / this.most;
    const span = Math.log(this.most / this.least) || 1;
    const part = Math.max(0, Math.log(size / this.least) / span);
    return Math.sign(x) * (0.12 + 0.88 * part);
  }

  // ---------- drawing ----------

  draw() {
    const { width, height } = this.size;
    if (!width || !height) return;
    const ratio = window.devicePixelRatio;
    if (
      this.canvas.width !== Math.round(width * ratio) ||
      this.canvas.height !== Math.round(height * ratio)
    ) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const { ctx } = this;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    if (!this.matrix || this.matrix.data.length === 0) {
      this.#empty(ctx, width, height);
      return;
    }
    this.#scale();
    this.place = this.#layout(width, height);
    this.#cells(ctx);
    this.#names(ctx);
    this.#mark(ctx);
    this.#read();
  }

  #empty(ctx, width, height) {
    ctx.fillStyle = palette().soft;
    ctx.font = `13px ${FONT}`;
    ctx.textAlign = 'center';
    ctx.fillText('No data yet', width / 2, height / 2);
    this.place = null;
    this.reading.textContent = '';
  }

  #cells(ctx) {
    const { left, top, cw, ch } = this.place;
    const { data, colNames, rowNames } = this.matrix;
    const cols = colNames.length;
    const written = cw >= 40 && ch >= 15;
    const colours = mixer();
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.font = `${Math.min(12, ch * 0.6, cw / 4.2)}px ${FONT}`;
    const gap = cw > 8 ? 1 : 0;
    const digits = written ? decimals(ctx, data, this.most, cw - 6) : null;
    for (let i = 0; i < rowNames.length; i++) {
      for (let j = 0; j < cols; j++) {
        const x = data[i * cols + j];
        const s = this.strength(x);
        ctx.fillStyle = colours.fill(s);
        ctx.fillRect(left + j * cw, top + i * ch, cw - gap, ch - gap);
        if (!written) continue;
        ctx.fillStyle = colours.ink(s);
        ctx.fillText(
          digits === null ? short(x, 2) : fixed(x, digits),
          left + (j + 0.5) * cw,
          top + (i + 0.5) * ch,
        );
      }
    }
  }

  #names(ctx) {
    const { left, top, cw, ch, flat } = this.place;
    const { rowNames, colNames } = this.matrix;
    ctx.font = `11px ${FONT}`;
    ctx.textBaseline = 'middle';
    const everyRow = Math.ceil(12 / ch);
    rowNames.forEach((name, i) => {
      ctx.fillStyle = this.cell?.[0] === i ? palette().accent : palette().soft;
      ctx.textAlign = 'right';
      if (i % everyRow === 0 || this.cell?.[0] === i)
        ctx.fillText(name, left - 6, top + (i + 0.5) * ch, left - 6);
    });
    const everyCol = flat ? 1 : Math.ceil(16 / cw);
    colNames.forEach((name, j) => {
      if (j % everyCol !== 0 && this.cell?.[1] !== j) return;
      ctx.fillStyle = this.cell?.[1] === j ? palette().accent : palette().soft;
      ctx.save();
      ctx.translate(left + (j + 0.5) * cw, top - 8);
      if (!flat) ctx.rotate(-Math.PI / 4);
      ctx.textAlign = flat ? 'center' : 'left';
      ctx.fillText(name, 0, 0);
      ctx.restore();
    });
  }

  #mark(ctx) {
    if (!this.cell) return;
    const { left, top, cw, ch } = this.place;
    ctx.strokeStyle = palette().text;
    ctx.lineWidth = 2;
    ctx.strokeRect(left + this.cell[1] * cw, top + this.cell[0] * ch, cw - 1, ch - 1);
  }

  #read() {
    const { data, colNames, rowNames } = this.matrix;
    if (!this.cell || this.cell[0] >= rowNames.length || this.cell[1] >= colNames.length) {
      this.cell = null;
      this.reading.textContent = '';
      return;
    }
    const [i, j] = this.cell;
    this.reading.textContent = this.describe(i, j, data[i * colNames.length + j], this.matrix);
  }

  // ---------- pointer and keys ----------

  #point(event) {
    if (!this.place) return;
    const { left, top, cw, ch } = this.place;
    const j = Math.floor((event.offsetX - left) / cw);
    const i = Math.floor((event.offsetY - top) / ch);
    const inside =
      i >= 0 && j >= 0 && i < this.matrix.rowNames.length && j < this.matrix.colNames.length;
    this.cell = inside ? [i, j] : null;
    this.draw();
  }

  #leave() {
    if (document.activeElement === this.canvas) return;
    this.cell = null;
    this.draw();
  }

  #key(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    if (!step || !this.matrix) return;
    const [i, j] = this.cell ?? [0, 0];
    const clamp = (k, n) => Math.min(Math.max(k, 0), n - 1);
    this.cell = this.cell
      ? [
          clamp(i + step[0], this.matrix.rowNames.length),
          clamp(j + step[1], this.matrix.colNames.length),
        ]
      : [0, 0];
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }
}

// the same number of decimals for all, so many that the largest has four digits and all fit; or null
function decimals(ctx, data, most, width) {
  const size = Math.floor(Math.log10(most));
  if (size < -3 || size > 6) return null;
  for (let n = Math.max(0, 3 - size); n >= 0; n--) {
    if (Math.max(...data.map((x) => ctx.measureText(fixed(x, n)).width)) <= width) return n;
  }
  return null;
}

// from the negative colour over that of zero to the positive one
function mixer() {
  const [negative, zero, positive] = ['negative', 'zero', 'positive'].map((k) =>
    channels(palette()[k]),
  );
  const light = (c) => 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
  const at = (s) => {
    const to = s < 0 ? negative : positive;
    const part = Math.min(Math.abs(s), 1) ** 0.7; // small numbers stay visible
    return zero.map((z, k) => Math.round(z + (to[k] - z) * part));
  };
  return {
    fill: (s) => `rgb(${at(s).join()})`,
    ink: (s) => (light(at(s)) > 140 ? '#111820' : '#f4f7fa'),
  };
}

function channels(hex) {
  const n = Number.parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}
