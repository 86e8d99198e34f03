// Elements without HTML text: what comes from a robot is only ever put in as text.

/** el('p', {class: 'note', title: 'x'}, 'text', child): attributes by name, `on...` as listeners. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

export const byId = (id) => document.getElementById(id);

/** Changes the text only if it is another: no layout work for numbers that stand still. */
export function setText(node, text) {
  if (texts.get(node) === text) return;
  texts.set(node, text);
  const only = node.firstChild;
  if (only?.nodeType === Node.TEXT_NODE && !only.nextSibling) only.data = text;
  else node.textContent = text;
}

// what setText wrote last: asking the document costs more than remembering
const texts = new WeakMap();

/** Fills a <select> with values, keeping the choice if it is still there. */
export function setOptions(select, values, labels = values) {
  const key = JSON.stringify([values, labels]);
  if (select.dataset.key === key) return;
  const chosen = select.value;
  select.replaceChildren(...values.map((v, i) => el('option', { value: v }, labels[i])));
  if (values.includes(chosen)) select.value = chosen;
  select.dataset.key = key;
}

/** A table cell row of two columns: name and number. */
export function definition(list, name) {
  const value = el('dd', {}, '–');
  list.append(el('div', {}, el('dt', {}, name), value));
  return value;
}
