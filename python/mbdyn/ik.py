"""Inverse kinematics in one call: `solve`, `solve_all`; `pose` makes a 4 x 4 array. NumPy is needed."""
import numpy as np

from . import Data

POSITION = (True, True, True, False, False, False)  # axes of a target of which only the position counts


class NotReached(ValueError):
    """No configuration was found: .q is the nearest, .result says why (docs/kinematics.md)."""

    def __init__(self, q, result):
        super().__init__(f'the target was not reached ({result["outcome"]}): {result["position"]:.3g} m and '
                         f'{result["rotation"]:.3g} rad remain')
        self.q, self.result = q, result


def pose(position, rotation=None, rpy=None):
    """4 x 4 of a position [m] and a rotation: 3 x 3, or roll, pitch and yaw [rad] as in URDF."""
    X = np.eye(4)
    X[:3, 3] = position
    if rpy is not None:
        (r, p, y), c, s = rpy, np.cos, np.sin
        X[:3, :3] = (np.array([[c(y), -s(y), 0], [s(y), c(y), 0], [0, 0, 1]])
                     @ np.array([[c(p), 0, s(p)], [0, 1, 0], [-s(p), 0, c(p)]])
                     @ np.array([[1, 0, 0], [0, c(r), -s(r)], [0, s(r), c(r)]]))
    elif rotation is not None:
        X[:3, :3] = rotation
    return X


def _targets(frame, target):
    if np.shape(target) == (3,):
        return [(frame, pose(target), POSITION)]
    return [(frame, np.ascontiguousarray(target, dtype=float))]


def solve(model, frame, target, seed=None, **options):
    """The configuration near the seed in which the frame is at the target: 4 x 4, or three numbers for a
    position alone. NotReached if there is none. options: those of Data.ik."""
    data = model if isinstance(model, Data) else Data(model)
    q, result = data.ik(_targets(frame, target), seed, **options)
    if not result['solved']:
        raise NotReached(q, result)
    return q


def solve_all(model, frame, target, seed=None, **options):
    """All configurations within the limits, one per row, the nearest to the seed first."""
    data = model if isinstance(model, Data) else Data(model)
    return data.ik_all(_targets(frame, target), seed, **options)[0]
