# Inverse kinematics with Pinocchio's names: with `import pinocchio as pin` in line 6 it runs on Pinocchio as well.
import sys

import numpy as np

from mbdyn import pin


def main(path, frame, position):
    model = pin.buildModelFromUrdf(path)
    data = model.createData()
    tool = model.getFrameId(frame)
    goal = pin.SE3(np.diag([1.0, -1.0, -1.0]), np.array(position))  # the tool points down
    q = pin.integrate(model, pin.neutral(model), np.full(model.nv, 0.5))

    # steps of damped least squares in the tool's axes
    for step in range(500):
        pin.framesForwardKinematics(model, data, q)
        error = pin.log6(data.oMf[tool].actInv(goal)).vector
        if np.linalg.norm(error) < 1e-10:
            break
        J = pin.computeFrameJacobian(model, data, q, tool, pin.LOCAL)
        damping = 1e-6 + 0.05 * float(error @ error)
        q = pin.integrate(model, q, J.T @ np.linalg.solve(J @ J.T + damping * np.eye(6), error))
    else:
        sys.exit('not reached')

    # out of the forward kinematics, not of the loop
    pin.framesForwardKinematics(model, data, q)
    print('reached', ' '.join(f'{x:.6f}' for x in data.oMf[tool].translation), f'm in {step} steps')
    torque = pin.computeGeneralizedGravity(model, data, q)
    print('torques', ' '.join(f'{x:.3f}' for x in torque), 'N m hold it there')


if __name__ == '__main__':
    if len(sys.argv) != 6:
        sys.exit('usage: python3 pin_ik.py ROBOT.urdf FRAME X Y Z')
    main(sys.argv[1], sys.argv[2], [float(x) for x in sys.argv[3:]])
