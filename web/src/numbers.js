// Formatting of numbers and times.

const MINUS = '\u2212';
const NONE = '–';

const sign = (text) => (/^-[0.]*$/.test(text) ? text.slice(1) : text.replace('-', MINUS));

/** A fixed number of decimals, for columns that must not jump. */
export function fixed(value, decimals = 3) {
  return Number.isFinite(value) ? sign(value.toFixed(decimals)) : NONE;
}

/** So many digits, whatever the size: 0.00123, 12.3, 4.5e+7. */
export function short(value, digits = 4) {
  if (value === Infinity) return '∞';
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return sign(value.toExponential(digits - 2));
  return sign(String(Number(value.toPrecision(digits))));
}

export function withUnit(value, unit, digits = 4) {
  const text = short(value, digits);
  return text === NONE || !unit ? text : `${text} ${unit}`;
}

/** Seconds as s, ms or µs. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return NONE;
  const size = Math.abs(seconds);
  if (size >= 1) return `${fixed(seconds, 2)} s`;
  return size >= 1e-3 ? `${fixed(seconds * 1e3, 2)} ms` : `${fixed(seconds * 1e6, 0)} µs`;
}

export function rate(hz) {
  if (!Number.isFinite(hz)) return NONE;
  return `${hz >= 100 ? hz.toFixed(0) : hz.toFixed(1)} Hz`;
}

/** Wall clock of a time in seconds since 1970. */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return NONE;
  const d = new Date(seconds * 1000);
  const pad = (n) => String(n).padStart(2, '0');
  const tenths = Math.floor(d.getMilliseconds() / 100);
  return `${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}.${tenths}`;
}

/** Smallest of 1, 2, 5 times a power of ten that is not below. */
export function niceStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((m) => m * power >= value * (1 - 1e-9));
}

/** Unit of effort, velocity or acceleration of a joint whose position has the unit `unit`. */
export function unitOf(quantity, unit) {
  if (quantity === 'position') return unit;
  if (quantity === 'velocity') return `${unit}/s`;
  if (quantity === 'acceleration') return `${unit}/s²`;
  return unit === 'm' ? 'N' : 'N m';
}
