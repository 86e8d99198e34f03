// window.mbdyn: read-only state of the page for tests and scripts; every answer is a copy. Documented
// in docs/view_page.md.

export function publishState(app) {
  const { store, timeline, view, choice, connection, frames } = app;
  const copy = (x) => (x === undefined ? null : structuredClone(x));
  const row = () => (store.history ? store.history.rowAt(timeline.head) : -1);
  const api = {
    get connection() {
      return {
        state: connection.state,
        opened: connection.opened,
        received: connection.received,
        bytes: connection.bytes,
        bad: connection.badMessages,
      };
    },
    get robots() {
      return copy(store.robots);
    },
    get model() {
      return copy(store.model);
    },
    get time() {
      return {
        live: timeline.live,
        head: timeline.head,
        start: timeline.start,
        end: timeline.end,
        first: timeline.first,
        last: timeline.last,
        span: timeline.span,
      };
    },
    get playback() {
      return { ...copy(store.playback), active: app.recording.active, sent: app.recording.progress };
    },
    get rows() {
      return { kept: store.history?.length ?? 0, received: store.rows };
    },
    get frames() {
      return {
        count: frames.count,
        perSecond: frames.perSecond,
        longest: frames.longest,
        robotDrawn: view.drawn,
      };
    },
    get view() {
      return {
        links: view.linkCount,
        meshes: copy(view.robot?.meshes),
        unlit: view.unlit,
        floor: view.floor,
        lowest: view.lowest,
        capsules: view.robot?.capsules,
        skeleton: view.skeletonShown,
        ellipsoid: view.ellipsoid.visible,
        force: view.force.visible,
        webgl: view.renderer !== null,
        software: view.software,
        positions: Object.fromEntries(
          Object.keys(view.robot?.links ?? {}).map((name) => [name, view.linkPosition(name)]),
        ),
      };
    },
    get choice() {
      return {
        shown: choice.list,
        focus: choice.focus,
        frame: choice.frame,
        ellipsoid: choice.ellipsoid,
        limits: choice.fitLimits,
        panel: app.tabs.panel.id,
      };
    },
    /** The ghost of self-motion and its curve, or null. */
    get selfMotion() {
      const panel = app.singularityPanel;
      if (!panel.shown) return null;
      const { frame, error, closed, arcs } = panel.shown;
      return {
        ...copy({ frame, error, closed, arcs }),
        curveLength: panel.shown.length ?? 0, // an object with a length would be taken for an array
        at: Number(panel.slider.value),
        points: panel.shown.s?.length ?? 0,
        positions: panel.ghost ? copy(panel.ghost) : null,
        link: panel.ghost ? view.ghost.linkPosition(frame) : null,
      };
    },
    get springs() {
      return copy(view.springForces);
    },
    get massMatrix() {
      return copy(app.panels.find((panel) => panel.id === 'mass').matrix ?? null);
    },
    /** The picture's colour of an element of the shown mass matrix: [r, g, b]. */
    massMatrixColour(i, j) {
      const { view: matrix } = app.panels.find((panel) => panel.id === 'mass');
      if (!matrix.place) return null;
      const { left, top, cw, ch } = matrix.place;
      const ratio = window.devicePixelRatio;
      const pixel = matrix.ctx.getImageData(
        Math.round((left + (j + 0.06) * cw) * ratio),
        Math.round((top + (i + 0.1) * ch) * ratio),
        1,
        1,
      );
      return Array.from(pixel.data.slice(0, 3));
    },
    /** Columns of all joints at the moment that is looked at. */
    joint(name) {
      const j = store.joints.findIndex((joint) => joint.name === name);
      if (j < 0) return null;
      return Object.fromEntries(
        ['position', 'velocity', 'total', 'gravity', 'command', 'residual'].map((column) => [
          column,
          store.at(column, j, row()),
        ]),
      );
    },
    /** Times and numbers of one column of the history: {t, y}. */
    series(column, name) {
      const j = store.joints.findIndex((joint) => joint.name === name);
      if (j < 0 || !store.history) return null;
      const h = store.history;
      return {
        t: Array.from(h.times.subarray(0, h.length)),
        y: Array.from(h.data[store.column(column, j)].subarray(0, h.length)),
      };
    },
    get plots() {
      return Object.fromEntries(
        (app.tabs.panel.plots ?? []).map((plot) => [
          plot.heading.textContent,
          {
            points: plot.points,
            lines: plot.shown?.length ?? 0,
            from: plot.xRange?.[0],
            to: plot.xRange?.[1],
            low: plot.yRange?.[0],
            high: plot.yRange?.[1],
          },
        ]),
      );
    },
    message(key) {
      return copy(store.message(key, timeline.head));
    },
    get diagnostics() {
      return copy(store.diagnostics);
    },
    get threshold() {
      return store.threshold;
    },
    get saved() {
      return { ...app.saved };
    },
  };
  Object.defineProperty(window, 'mbdyn', { value: Object.freeze(api), enumerable: true });
}
