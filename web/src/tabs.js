// The panels as tabs: one is shown; arrow keys go from tab to tab (WAI-ARIA tabs pattern).

import { byId, el } from './dom.js';

export class Tabs {
  constructor(app) {
    this.app = app;
    this.panel = app.panels[0];
    this.buttons = app.panels.map((panel, k) =>
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${panel.id}`,
          'aria-controls': `panel-${panel.id}`,
          onclick: () => this.open(panel.id),
          onkeydown: (event) => this.#key(event, k),
        },
        panel.title,
      ),
    );
    this.boxes = app.panels.map((panel) =>
      el(
        'div',
        {
          role: 'tabpanel',
          id: `panel-${panel.id}`,
          'aria-labelledby': `tab-${panel.id}`,
          class: 'panel',
        },
        panel.root,
      ),
    );
    byId('tabs').append(...this.buttons);
    byId('panels').append(...this.boxes);
    this.open(this.panel.id);
  }

  open(id) {
    this.app.panels.forEach((panel, k) => {
      const chosen = panel.id === id;
      if (chosen) this.panel = panel;
      this.buttons[k].setAttribute('aria-selected', String(chosen));
      this.buttons[k].tabIndex = chosen ? 0 : -1;
      this.boxes[k].hidden = !chosen;
    });
    this.#reveal(this.buttons[this.app.panels.indexOf(this.panel)]);
    this.app.touch();
  }

  /** Panels whose numbers are computed, not recorded. */
  mark(ids) {
    this.app.panels.forEach((panel, k) =>
      this.buttons[k].toggleAttribute('data-computed', ids.includes(panel.id)),
    );
  }

  // where tabs are wider than the window; the page itself must not move
  #reveal(button) {
    const list = button.parentElement;
    const right = button.offsetLeft + button.offsetWidth - list.offsetLeft;
    if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth;
    else list.scrollLeft = Math.min(list.scrollLeft, button.offsetLeft - list.offsetLeft);
  }

  #key(event, k) {
    const n = this.buttons.length;
    const to = { ArrowRight: (k + 1) % n, ArrowLeft: (k + n - 1) % n, Home: 0, End: n - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(this.app.panels[to].id);
    this.buttons[to].focus();
  }
}
