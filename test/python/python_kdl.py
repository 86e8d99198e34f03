"""PyKDL on the same chain: inverse dynamics, mass matrix, gravity, Coriolis, Jacobian. Skipped without it."""
import sys
import xml.etree.ElementTree as ET

import numpy as np

import mbdyn
from support import ROBOTS

try:
    import PyKDL as kdl
except ImportError:
    print('skipped: install python3-pykdl')
    sys.exit(0)


def numbers(element, name, default='0 0 0'):
    return [float(x) for x in (element.get(name, default) if element is not None else default).split()]


def frame(origin):
    return kdl.Frame(kdl.Rotation.RPY(*numbers(origin, 'rpy')), kdl.Vector(*numbers(origin, 'xyz')))


def chain_of(path):
    """The chain of a URDF whose links each have one child, by this file's own reading."""
    root = ET.parse(path).getroot()
    links = {link.get('name'): link for link in root.findall('link')}
    joints = {j.find('parent').get('link'): j for j in root.findall('joint')}
    children = {j.find('child').get('link') for j in root.findall('joint')}
    link, chain = next(name for name in links if name not in children), kdl.Chain()
    while link in joints:
        joint = joints[link]
        link, tip = joint.find('child').get('link'), frame(joint.find('origin'))
        inertial, body = links[link].find('inertial'), kdl.RigidBodyInertia()
        if inertial is not None:
            at, i = frame(inertial.find('origin')), inertial.find('inertia')
            body = at * kdl.RigidBodyInertia(
                float(inertial.find('mass').get('value')), kdl.Vector(),
                kdl.RotationalInertia(*(float(i.get(k, '0')) for k in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'))))
        if joint.get('type') == 'fixed':
            kind = kdl.Joint(joint.get('name'), kdl.Joint.Fixed)
        else:
            axis = tip.M * kdl.Vector(*numbers(joint.find('axis'), 'xyz', '1 0 0'))
            turning = joint.get('type') in ('revolute', 'continuous')
            kind = kdl.Joint(joint.get('name'), tip.p, axis, kdl.Joint.RotAxis if turning else kdl.Joint.TransAxis)
        # KDL has the inertia in axes of the segment's tip
        chain.addSegment(kdl.Segment(link, kind, tip, body))
    return chain, link


def array(values):
    a = kdl.JntArray(len(values))
    for k, x in enumerate(values):
        a[k] = float(x)
    return a


def main():
    compared = 0
    for name in ('arm6', 'arm7'):
        chain, tip = chain_of(ROBOTS / f'{name}.urdf')
        model = mbdyn.load(ROBOTS / f'{name}.urdf')
        data, n = mbdyn.Data(model), chain.getNrOfJoints()
        assert n == model.nv
        # friction and rotors of the file are not in KDL, and not in a new workspace
        dynamics = kdl.ChainDynParam(chain, kdl.Vector(0, 0, -9.81))
        rne = kdl.ChainIdSolver_RNE(chain, kdl.Vector(0, 0, -9.81))
        rng = np.random.default_rng(3)
        for _ in range(20):
            q, v, a = rng.uniform(-1.5, 1.5, (3, n))
            tau, M, g, c = kdl.JntArray(n), kdl.JntSpaceInertiaMatrix(n), kdl.JntArray(n), kdl.JntArray(n)
            jacobian, pose = kdl.Jacobian(n), kdl.Frame()
            no_wrenches = [kdl.Wrench() for _ in range(chain.getNrOfSegments())]
            assert rne.CartToJnt(array(q), array(v), array(a), no_wrenches, tau) >= 0
            dynamics.JntToMass(array(q), M)
            dynamics.JntToGravity(array(q), g)
            dynamics.JntToCoriolis(array(q), array(v), c)
            kdl.ChainJntToJacSolver(chain).JntToJac(array(q), jacobian)
            kdl.ChainFkSolverPos_recursive(chain).JntToCart(array(q), pose)
            X = data.frame_placement(tip) if data.set_state(q, v) is None else None
            gravity = data.gravity_torque()
            pairs = {
                'inverse dynamics': (data.inverse_dynamics(q, v, a), list(tau)),
                'mass matrix': (data.mass_matrix(), [[M[i, j] for j in range(n)] for i in range(n)]),
                'gravity': (gravity, list(g)), 'Coriolis': (data.bias() - gravity, list(c)),
                'Jacobian': (data.jacobian(tip), [[jacobian[i, j] for j in range(n)] for i in range(6)]),
                'placement': (X[:3, 3], list(pose.p))}
            for what, (ours, theirs) in pairs.items():
                error = np.abs(ours - np.array(theirs)).max() / max(1, np.abs(ours).max())
                assert error < 1e-10, (name, what, error, ours, theirs)
                compared += 1
    print(f'{compared} results agree with PyKDL')


main()
