// Lines and limits that the plots of several panels share.

import { jointColour, jointDash, termColour } from './theme.js';
import { TERMS } from './store.js';
import { unitOf } from './numbers.js';

/** One line per chosen joint; that in focus is thicker and on top. */
export function jointLines({ store, choice }, column) {
  const order = choice.list.filter((j) => j !== choice.focus && j < store.joints.length);
  if (choice.shown.has(choice.focus) && choice.focus < store.joints.length)
    order.push(choice.focus);
  return order.map((j) => ({
    label: store.joints[j].name,
    colour: jointColour(j),
    dash: jointDash(j),
    width: j === choice.focus ? 2.25 : 1.1,
    column: store.column(column, j),
  }));
}

/** Terms of the torque of the joint in focus. */
export function termLines({ store, choice }) {
  if (choice.focus >= store.joints.length) return [];
  const column = (name) => store.column(name, choice.focus);
  return [
    ...TERMS.map((name) => ({
      label: name,
      colour: termColour(name),
      width: 1.3,
      column: column(name),
    })),
    {
      label: 'measured',
      colour: termColour('measured'),
      width: 1,
      dash: [2, 2],
      column: column('measured'),
    },
    {
      label: 'command',
      colour: termColour('command'),
      width: 1.5,
      dash: [6, 3],
      column: column('command'),
    },
    { label: 'total', colour: termColour('total'), width: 2, column: column('total') },
  ];
}

/** Unit of a quantity of the chosen joints; both where they differ. */
export function unitOfChosen({ store, choice }, quantity) {
  const joints = choice.list.map((j) => store.joints[j]).filter(Boolean);
  return [...new Set(joints.map((joint) => unitOf(quantity, joint.unit ?? 'rad')))].join(', ');
}

/** Allowed range of the joint in focus. */
export function limitBands({ store, choice }, quantity) {
  const limits = store.joints[choice.focus]?.limits;
  if (!limits) return [];
  const { lower, upper, velocity, effort } = limits;
  if (quantity === 'position') return [{ low: lower ?? NaN, high: upper ?? NaN }];
  const most = quantity === 'velocity' ? velocity : effort;
  return most > 0 ? [{ low: -most, high: most }] : [];
}

/** What the observer may say without a contact. */
export function thresholdBand({ store }) {
  const { threshold } = store;
  return threshold === null ? [] : [{ low: -threshold, high: threshold, always: true }];
}
