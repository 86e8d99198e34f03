# Gravity torques of a robot from Python, at one configuration and at a thousand of them.
import sys

import mbdyn
import numpy as np


def main(path):
    model = mbdyn.load(path)
    data = mbdyn.Data(model)
    q = model.neutral()
    data.set_state(q, np.zeros(model.nv))
    for name, torque in zip(model.joint_names, data.gravity_torque()):
        print(f'{name:<12} {torque:10.4f} N m')

    # many configurations at once, on all processors; one row each
    random = np.random.default_rng(1)
    many = np.tile(q, (1000, 1)) + random.uniform(-0.5, 0.5, (1000, model.nq))
    torques = mbdyn.Batch(model).gravity_torque(many)
    joint = int(abs(torques).max(axis=0).argmax())
    print(f'largest of 1000: {abs(torques).max():.2f} N m at {model.joint_names[joint]}')


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('usage: python3 gravity.py ROBOT.urdf')
    main(sys.argv[1])
