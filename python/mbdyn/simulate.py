"""Simulations that are sampled: `run` gives arrays over time.

    from mbdyn import simulate
    motion = simulate.run(model, q, duration=2, torque=lambda data, t, q, v: data.gravity_torque() - 2 * v)
    motion.t, motion.q, motion.v, motion.tau, motion.energy

The steps are those of mbdyn.Simulation; NumPy is needed. Models with closed loops are loaded with embed=False.
"""
import dataclasses

import numpy as np

from . import Data, Simulation


@dataclasses.dataclass
class Motion:
    """Samples of a motion, one row per time."""
    t: np.ndarray       # [s]
    q: np.ndarray       # n x nq
    v: np.ndarray       # n x nv
    qdd: np.ndarray     # n x nv
    tau: np.ndarray     # n x nv, of torque()
    energy: np.ndarray  # kinetic plus potential [J]
    work: np.ndarray    # of torques, friction and drivers since the start [J]

    def __len__(self):
        return len(self.t)


def run(model, q=None, v=None, duration=1.0, dt=0.01, torque=None, wrenches=None, start=0.0, **options):
    """Simulate and sample every dt seconds.

    torque(data, t, q, v) returns torques, or None. options: those of mbdyn.Simulation (method, rtol, terms, ...).
    """
    sim = Simulation(model, torque, **options)
    if wrenches is not None:
        sim.set_wrenches(wrenches)
    sim.start(start, model.neutral() if q is None else q, v)
    n = int(round(duration / dt)) + 1
    t = start + dt * np.arange(n)
    out = Motion(t, np.empty((n, model.nq)), np.empty((n, model.nv)), np.empty((n, model.nv)),
                 np.empty((n, model.nv)), np.empty(n), np.empty(n))
    for k in range(n):
        if k > 0:
            sim.run(t[k])
        out.q[k], out.v[k], out.qdd[k], out.tau[k] = sim.q, sim.v, sim.qdd, sim.tau
        out.energy[k], out.work[k] = sim.energy, sim.work
    return out


def controlled(model, controller, q, v=None, duration=1.0, dt=0.001, terms=0):
    """A controller in discrete time: controller(data, t, q, v) is asked once per dt, its torque held as long.

    Steps are those of Data.step (Runge-Kutta of fourth order); works for embedded and flexible models, too.
    """
    data = Data(model, terms)
    n = int(round(duration / dt)) + 1
    q = np.array(q, dtype=float)
    v = np.zeros(model.nv) if v is None else np.array(v, dtype=float)
    t = dt * np.arange(n)
    out = Motion(t, np.empty((n, model.nq)), np.empty((n, model.nv)), np.empty((n, model.nv)),
                 np.zeros((n, model.nv)), np.empty(n), np.zeros(n))
    for k in range(n):
        data.set_state(q, v)
        tau = controller(data, t[k], q.copy(), v.copy())
        tau = np.zeros(model.nv) if tau is None else np.asarray(tau, dtype=float)
        out.q[k], out.v[k], out.tau[k] = q, v, tau
        out.qdd[k] = data.forward_dynamics(q, v, tau)
        out.energy[k] = data.kinetic_energy() + data.potential_energy()
        if k + 1 < n:
            data.step(q, v, dt, tau, out=(q, v))
            # trapezoidal rule of the power
            out.work[k + 1] = out.work[k] + dt * float(tau @ (out.v[k] + v)) / 2
    return out
