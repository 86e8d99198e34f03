// Charts over time of the pages of mbdyn analyze and mbdyn simulate; data has first, last, slices.
const $ = (id) => document.getElementById(id);
const add = (parent, tag, text, className) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  parent.append(e);
  return e;
};
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const show = (x) => {
  if (x === null || x === undefined || !isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size < 1e-9) return "0";
  return size < 1e-3 || size >= 1e6 ? x.toExponential(2).replace("e+", "e") : Number(x.toPrecision(4)).toString();
};

// ---------- curves ----------
const decode = (c) => {
  if (!c) return null;
  const raw = atob(c.data), n = raw.length / 4, lo = new Float32Array(n), hi = new Float32Array(n);
  const level = (i) => {
    const x = raw.charCodeAt(i) | raw.charCodeAt(i + 1) << 8;
    return x === 65535 ? NaN : c.min + (c.max - c.min) * x / 65534;
  };
  for (let i = 0; i < n; i++) { lo[i] = level(4 * i); hi[i] = level(4 * i + 2); }
  return { lo, hi };
};
const shown = new Set();
const { first, last, slices } = data;
let view = [first, last], cursor = null;
const charts = [];

function chart(parent, title, unit, curves, bounds = []) {
  const f = add(parent, "figure"), cap = add(f, "figcaption");
  add(cap, "span", unit ? `${title} [${unit}]` : title);
  // the terms of torques are explained once, above
  for (const x of curves) {
    if (x.key || (curves.length === 1 && !x.named) || !x.data) continue;
    const label = add(cap, "span", undefined, "key");
    add(label, "span", "", "swatch").style.background = x.color.startsWith("--") ? `var(${x.color})` : x.color;
    add(label, "span", " " + x.name);
  }
  const values = add(cap, "span", "", "values"), canvas = add(f, "canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${title} over time`);
  const c = { canvas, values, bounds, curves: curves.filter((x) => x.data).map((x) => ({ ...x, ...decode(x.data) })) };
  charts.push(c);
  let from = null;
  const time = (ev) => {
    const b = canvas.getBoundingClientRect();
    return view[0] + (view[1] - view[0]) * Math.min(1, Math.max(0, (ev.clientX - b.left - 52) / (b.width - 60)));
  };
  canvas.addEventListener("pointermove", (ev) => { cursor = time(ev); c.select = from === null ? null : [from, cursor]; drawAll(); });
  canvas.addEventListener("pointerleave", () => { cursor = null; from = null; c.select = null; drawAll(); });
  canvas.addEventListener("pointerdown", (ev) => { if (ev.pointerType === "mouse") from = time(ev); });
  canvas.addEventListener("pointerup", (ev) => {
    const to = time(ev), least = 4 * (last - first) / slices;
    if (from !== null && Math.abs(to - from) > least) view = [Math.min(from, to), Math.max(from, to)];
    from = null; c.select = null; drawAll();
  });
  canvas.addEventListener("dblclick", () => { view = [first, last]; drawAll(); });
}

function ticks(lo, hi, n) {
  const raw = (hi - lo) / n, p = 10 ** Math.floor(Math.log10(raw)), f = raw / p;
  const step = p * (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10), out = [];
  for (let x = Math.ceil(lo / step) * step; x <= hi + 1e-9 * step; x += step) out.push(Math.abs(x) < 1e-9 * step ? 0 : x);
  return out;
}

function draw(c) {
  const { canvas } = c, w = canvas.clientWidth, h = canvas.clientHeight, k = devicePixelRatio || 1;
  if (canvas.width !== Math.round(w * k)) { canvas.width = Math.round(w * k); canvas.height = Math.round(h * k); }
  const g = canvas.getContext("2d"), L = 52, R = w - 8, T = 6, B = h - 20;
  g.setTransform(k, 0, 0, k, 0, 0);
  g.clearRect(0, 0, w, h);
  const per = (last - first) / slices;
  const i0 = Math.max(0, Math.floor((view[0] - first) / per) - 1), i1 = Math.min(slices - 1, Math.ceil((view[1] - first) / per));
  const visible = c.curves.filter((x) => !x.key || shown.has(x.key));
  let lo = Infinity, hi = -Infinity;
  for (const x of visible) for (let i = i0; i <= i1; i++) {
    if (x.lo[i] < lo) lo = x.lo[i];
    if (x.hi[i] > hi) hi = x.hi[i];
  }
  if (!(lo <= hi)) { lo = -1; hi = 1; }
  // a limit that is near belongs into the picture
  const reach = Math.max(hi - lo, 1e-9);
  for (const b of c.bounds) if (b > lo - 0.5 * reach && b < hi + 0.5 * reach) { lo = Math.min(lo, b); hi = Math.max(hi, b); }
  const pad = (hi - lo || Math.max(Math.abs(hi), 1e-3)) * 0.06;
  lo -= pad; hi += pad;
  const X = (t) => L + (R - L) * (t - view[0]) / (view[1] - view[0]), Y = (y) => B - (B - T) * (y - lo) / (hi - lo);
  g.font = "11px system-ui, sans-serif"; g.lineWidth = 1; g.strokeStyle = css("--line"); g.fillStyle = css("--dim");
  g.textAlign = "right"; g.textBaseline = "middle";
  for (const y of ticks(lo, hi, 5)) { g.beginPath(); g.moveTo(L, Y(y)); g.lineTo(R, Y(y)); g.stroke(); g.fillText(show(y), L - 6, Y(y)); }
  g.textAlign = "center"; g.textBaseline = "top";
  const times = ticks(view[0], view[1], Math.max(2, (w - 60) / 70));
  times.forEach((t, i) => {
    g.beginPath(); g.moveTo(X(t), T); g.lineTo(X(t), B); g.stroke();
    const text = show(t) + (i === times.length - 1 ? " s" : "");
    g.fillText(text, Math.min(X(t), w - g.measureText(text).width / 2 - 1), B + 5);
  });
  g.save(); g.beginPath(); g.rect(L, T, R - L, B - T); g.clip();
  g.setLineDash([5, 4]); g.strokeStyle = css("--warn");
  for (const b of c.bounds) { g.beginPath(); g.moveTo(L, Y(b)); g.lineTo(R, Y(b)); g.stroke(); }
  g.setLineDash([]);
  for (const x of visible) {
    g.strokeStyle = x.color.startsWith("--") ? css(x.color) : x.color;
    g.lineWidth = x.wide ? 1.8 : 1.2; g.lineJoin = "round"; g.beginPath();
    let on = false;
    for (let i = i0; i <= i1; i++) {
      if (isNaN(x.lo[i])) { on = on && per * (R - L) / (view[1] - view[0]) < 1 / 4; continue; }
      const t = X(first + (i + 0.5) * per);
      if (on) g.lineTo(t, Y(x.hi[i])); else g.moveTo(t, Y(x.hi[i]));
      if (x.lo[i] !== x.hi[i]) g.lineTo(t, Y(x.lo[i]));
      on = true;
    }
    g.stroke();
  }
  if (c.select) { g.fillStyle = css("--dim"); g.globalAlpha = 0.2; g.fillRect(X(c.select[0]), T, X(c.select[1]) - X(c.select[0]), B - T); g.globalAlpha = 1; }
  if (cursor !== null) { g.strokeStyle = css("--dim"); g.beginPath(); g.moveTo(X(cursor), T); g.lineTo(X(cursor), B); g.stroke(); }
  g.restore();
  const i = cursor === null ? -1 : Math.min(slices - 1, Math.max(0, Math.floor((cursor - first) / per)));
  c.values.textContent = i < 0 ? "" : `${show(cursor)} s  ` + visible.filter((x) => !isNaN(x.lo[i]))
    .map((x) => `${x.name} ${show((x.lo[i] + x.hi[i]) / 2)}`).join("  ");
}
let pending = false;
function drawAll() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => { pending = false; charts.forEach(draw); });
}

const zoom = (factor, shift) => {
  const half = (view[1] - view[0]) / 2 * factor, mid = (view[0] + view[1]) / 2 + shift * (view[1] - view[0]);
  const least = 8 * (last - first) / slices, size = Math.min(Math.max(2 * half, least), last - first);
  const start = Math.min(Math.max(mid - size / 2, first), last - size);
  view = [start, start + size];
  drawAll();
};
function addZoom(bar) {
  for (const [text, title, action] of [["−", "zoom out", () => zoom(2, 0)], ["+", "zoom in", () => zoom(0.5, 0)],
    ["←", "earlier", () => zoom(1, -0.5)], ["→", "later", () => zoom(1, 0.5)], ["all", "whole recording", () => zoom(1e9, 0)]]) {
    const b = add(bar, "button", text);
    b.title = title; b.setAttribute("aria-label", title);
    b.addEventListener("click", action);
  }
}
