"""Inertial parameters and friction from motion and torques, by regressors (docs/identification.md).

    from mbdyn import identify
    t, q, v, a = identify.excitation(model, seconds=10, rate=200)
    fit = identify.fit(model, q, v, a, tau, friction=True)
    better = fit.model

Joint torques are linear in the parameters: tau = Y(q, v, a) theta. As in `mbdyn identify`, every body is described
by numbers for which it is physically consistent, and the model's own parameters are the prior that decides what
the motion leaves open; `mbdyn identify` reads files, judges the data, and writes a URDF. NumPy is needed.
"""
import dataclasses

import numpy as np

from . import Data, Model


def excitation(model, seconds=10.0, rate=200.0, harmonics=5, seed=1, share=0.6):
    """t, q, v, a of a periodic motion of all joints within `share` of their limits: sums of sines.

    Only for joints whose velocity is the rate of their position.
    """
    if model.nq != model.nv:
        raise ValueError('excitation is for joints of one number each; this model has a quaternion or loops')
    rng = np.random.default_rng(seed)
    t = np.arange(int(round(seconds * rate))) / rate
    order = np.arange(1, harmonics + 1)
    w = 2 * np.pi * order / seconds
    q, v, a = (np.zeros((len(t), model.nv)) for _ in range(3))
    for joint in model.joints:
        k = joint.v_index
        lower, upper = (x if np.isfinite(x) else s * np.pi for x, s in ((joint.lower, -1), (joint.upper, 1)))
        amplitude = rng.uniform(0.2, 1, harmonics) / order
        phase = rng.uniform(0, 2 * np.pi, harmonics)
        angle = np.outer(t, w) + phase
        q[:, k] = np.sin(angle) @ amplitude
        v[:, k] = np.cos(angle) @ (amplitude * w)
        a[:, k] = -np.sin(angle) @ (amplitude * w * w)
        scale = share * (upper - lower) / 2 / np.abs(q[:, k]).max()
        if np.isfinite(joint.velocity):
            scale = min(scale, 0.9 * joint.velocity / np.abs(v[:, k]).max())
        q[:, k], v[:, k], a[:, k] = q[:, k] * scale + (lower + upper) / 2, v[:, k] * scale, a[:, k] * scale
    return t, q, v, a


@dataclasses.dataclass
class Fit:
    model: Model            # with the parameters that were found
    theta: np.ndarray       # 10 per body, and 3 per degree of freedom with friction
    prior: np.ndarray       # those of the model that was given
    rms: np.ndarray         # error of the torques per joint [N m, N]
    rms_before: np.ndarray  # with the model that was given
    rank: int               # parameters, or combinations of them, that the motion determines


def regressor(model, q, v, a, friction=False):
    """Stacked regressor of n states: (n nv) x parameters."""
    data, rows = Data(model), []
    for qk, vk, ak in zip(q, v, a):
        data.set_state(np.ascontiguousarray(qk), np.ascontiguousarray(vk))
        rows.append(data.torque_regressor(friction, np.ascontiguousarray(ak)))
    return np.concatenate(rows)


def _pseudo_inertia(body):
    """[tr(I)/2 - I, h; h^T, m] of ten parameters: positive definite for a body with volume."""
    xx, xy, xz, yy, yz, zz = body[4:]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    J = np.empty((4, 4))
    J[:3, :3] = np.trace(inertia) / 2 * np.eye(3) - inertia
    J[:3, 3] = J[3, :3] = body[1:4]
    J[3, 3] = body[0]
    return J


def _ten(J):
    inertia = np.trace(J[:3, :3]) * np.eye(3) - J[:3, :3]
    return np.concatenate([[J[3, 3]], J[:3, 3], inertia[np.triu_indices(3)]])


class _Body:
    """Ten numbers x, zero for the prior, whose bodies are all consistent: J = U Q Q^T U^T, U U^T that of the prior,
    Q upper triangular with diagonal exp(x) (log-Cholesky)."""

    UPPER = np.triu_indices(4, 1)

    def __init__(self, prior):
        J = _pseudo_inertia(prior)
        # a flat body or rod of the prior is made a little thicker
        values, vectors = np.linalg.eigh(J)
        J = vectors @ np.diag(np.maximum(values, 1e-6 * max(np.trace(J), 1e-3))) @ vectors.T
        # J = U U^T with U upper triangular: Cholesky from the other end
        self.U = np.linalg.cholesky(J[::-1, ::-1])[::-1, ::-1]

    def theta(self, x):
        Q = np.diag(np.exp(x[:4]))
        Q[self.UPPER] = x[4:]
        return _ten(self.U @ Q @ Q.T @ self.U.T)

    def slope(self, x):
        """d theta / dx: dJ = U (dQ Q^T + Q dQ^T) U^T."""
        Q, dQ = np.diag(np.exp(x[:4])), np.zeros((10, 4, 4))
        Q[self.UPPER] = x[4:]
        dQ[range(4), range(4), range(4)] = np.exp(x[:4])
        dQ[(range(4, 10), *self.UPPER)] = 1
        half = self.U @ dQ @ (self.U @ Q).T
        return np.array([_ten(part + part.T) for part in half]).T


def _solve(bodies, drives0, R, z, prior):
    """Minimum of |R theta(x) - z|^2 + prior |x|^2 by Levenberg and Marquardt. Drives are squares."""
    n, scale = 10 * len(bodies), np.sqrt(np.maximum(drives0, 0.01))

    def theta(x):
        parts = [b.theta(x[10 * k:10 * k + 10]) for k, b in enumerate(bodies)]
        return np.concatenate([*parts, (root0 + scale * x[n:])**2])

    root0 = np.sqrt(np.maximum(drives0, 0))
    x = np.zeros(len(R[0]))
    # at zero the slope of a square is zero: start beside it
    x[n:][root0 == 0] = 0.1

    def cost(x):
        return ((R @ theta(x) - z)**2).sum() + prior * (x**2).sum()
    now, damping = cost(x), 1e-3
    for _ in range(100):
        slope = np.zeros((len(R[0]), len(x)))
        for k, b in enumerate(bodies):
            part = slice(10 * k, 10 * k + 10)
            slope[part, part] = b.slope(x[part])
        slope[range(n, len(x)), range(n, len(x))] = 2 * scale * (root0 + scale * x[n:])
        J = R @ slope
        gradient = J.T @ (R @ theta(x) - z) + prior * x
        H = J.T @ J + prior * np.eye(len(x))
        while damping < 1e12:
            step = np.linalg.solve(H + damping * np.diag(np.diag(H)), -gradient)
            better = cost(x + step) if np.abs(step).max() < 20 else np.inf
            if better <= now:
                break
            damping *= 5
        else:
            break
        x, gain, now, damping = x + step, now - better, better, max(damping / 5, 1e-9)
        if gain <= 1e-7 * now:
            break
    return theta(x)


def fit(model, q, v, a, tau, friction=False, prior=10.0, rounds=3):
    """Parameters for states and torques, n rows each. friction: viscous and Coulomb friction and the reflected
    rotor inertia of every joint, too; otherwise tau is without them. prior: the larger, the nearer to the model."""
    q, v, a, tau = (np.atleast_2d(np.asarray(x, dtype=float)) for x in (q, v, a, tau))
    Y = regressor(model, q, v, a, friction)
    theta0 = Data(model).parameters_get(friction)
    n = 10 * model.nbody
    bodies = [_Body(theta0[k:k + 10]) for k in range(0, n, 10)]
    residual = (tau.reshape(-1) - Y @ theta0).reshape(tau.shape)
    rms = rms_before = np.sqrt((residual**2).mean(axis=0))
    for _ in range(rounds):
        # the error of a joint says how much its torques count; the triangle of QR stands for all rows
        sigma = np.maximum(rms, 1e-9 + 1e-6 * np.abs(tau).max(axis=0))
        weight = np.tile(1 / sigma, len(tau))[:, None]
        R = np.linalg.qr(np.hstack([Y * weight, tau.reshape(-1, 1) * weight]), mode='r')
        theta = _solve(bodies, theta0[n:], R[:, :-1], R[:, -1], prior)
        rms = np.sqrt(((tau.reshape(-1) - Y @ theta).reshape(tau.shape)**2).mean(axis=0))
    norm = np.linalg.norm(Y, axis=0)
    singular = np.linalg.svd(Y[:, norm > 0] / norm[norm > 0], compute_uv=False)
    return Fit(model.with_parameters(friction, theta), theta, theta0, rms, rms_before,
               int((singular > 1e-9 * singular[0]).sum()))
