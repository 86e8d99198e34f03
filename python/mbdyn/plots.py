"""Plots of motions and recordings with Matplotlib: every function returns the figure.

    from mbdyn import plots, simulate
    plots.motion(simulate.run(model, q, duration=2), model).savefig('motion.png')
"""
import numpy as np


def _figure(rows, title):
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(rows, 1, sharex=True, figsize=(8, 1.2 + 1.9 * rows), squeeze=False, layout='constrained')
    if title:
        figure.suptitle(title)
    axes[-1, 0].set_xlabel('t [s]')
    return figure, axes[:, 0]


def _names(model, n):
    names = [j.name for j in model.joints for _ in range(j.nv)] if model is not None else []
    return names if len(names) == n else [f'{k}' for k in range(n)]


def series(t, parts, names=None, title=None):
    """One axis per entry of parts: {label: n x columns}."""
    figure, axes = _figure(len(parts), title)
    for axis, (label, values) in zip(axes, parts.items()):
        values = np.asarray(values, dtype=float)
        values = values[:, None] if values.ndim == 1 else values
        for k in range(values.shape[1]):
            named = names is not None and len(names) == values.shape[1] > 1
            axis.plot(t, values[:, k], lw=1.2, label=names[k] if named else None)
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    if names is not None and axes[0].get_legend_handles_labels()[0]:
        axes[0].legend(loc='upper left', bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def motion(m, model=None, title=None):
    """Positions, velocities and torques of mbdyn.simulate.Motion."""
    return series(m.t, {'q [rad, m]': m.q, 'v [rad/s, m/s]': m.v, 'tau [N m, N]': m.tau},
                  _names(model, m.v.shape[1]), title)


def energy(m, title=None):
    """Energy, and how far it is from the work that was done."""
    error = m.energy - m.energy[0] - m.work
    return series(m.t, {'energy [J]': m.energy, 'energy - work [J]': error}, None, title)


def joint_states(j, title=None):
    """What Recording.joint_states returned."""
    return series(j.t - j.t[0], {'q [rad, m]': j.q, 'v [rad/s, m/s]': j.v, 'effort [N m, N]': j.effort}, j.names, title)


def comparison(t, measured, computed, names=None, label='tau [N m]', title=None):
    """Measured over computed, one axis per column."""
    measured, computed = np.asarray(measured), np.asarray(computed)
    figure, axes = _figure(measured.shape[1], title)
    for k, axis in enumerate(axes):
        axis.plot(t, measured[:, k], lw=0.8, alpha=0.6, label='measured')
        axis.plot(t, computed[:, k], lw=1.2, label='computed')
        axis.set_ylabel((names[k] if names is not None else str(k)) + '\n' + label, fontsize=8)
        axis.grid(alpha=0.3)
    axes[0].legend(loc='upper right', fontsize=8)
    return figure
