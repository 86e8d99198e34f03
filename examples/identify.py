# Identification from Python: the inertias and the friction of a robot whose description is wrong, from its torques.
import sys

import mbdyn
import numpy as np
from mbdyn import identify

NOISE = 0.05  # of the measured torques [N m]


def main(path):
    model = mbdyn.load(path)
    rng = np.random.default_rng(1)

    # the robot is not what its description says
    wrong = mbdyn.Data(model).parameters_get(True)
    right = wrong.copy()
    for body in range(model.nbody):
        right[10 * body:10 * body + 10] *= rng.uniform(0.7, 1.3)
    robot = model.with_parameters(True, right)

    # a motion that excites everything, and the torques that were measured
    terms = mbdyn.TERM_FRICTION | mbdyn.TERM_ROTORS
    _, q, v, a = identify.excitation(model, seconds=5, rate=40)
    measured = torques(robot, terms, q, v, a) + NOISE * rng.standard_normal(v.shape)
    fit = identify.fit(model, q, v, a, measured, friction=True)

    # judged on another motion
    _, q, v, a = identify.excitation(model, seconds=5, rate=40, seed=9)
    true = torques(robot, terms, q, v, a)
    for name, what in ((model, 'before'), (fit.model, 'after')):
        error = np.sqrt(((torques(name, terms, q, v, a) - true)**2).mean())
        print(f'{what:<6} {error:8.4f} N m rms')


def torques(model, terms, q, v, a):
    data = mbdyn.Data(model, terms)
    return np.array([data.inverse_dynamics(*state) for state in zip(q, v, a)])


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('usage: python3 identify.py ROBOT.urdf')
    main(sys.argv[1])
