"""Pinocchio's names on mbdyn, for scripts that exist: `from mbdyn import pin`.

The order of q, v and joints, frames, signs and 6-vectors are the same. What differs: frames have numbers of
their own (look them up by name), data is computed when it is read, and only what is here is offered: trees of
rigid bodies with joints from URDF or MJCF, no collision, no contact. NumPy is needed. Fields of data that
Pinocchio fills as a side effect (data.M, data.Minv, data.J, ...) are those of the last function that fills
them there.
"""
import enum
import types as _types

import numpy as np

import mbdyn as _mbdyn

__version__ = _mbdyn.__version__


class ReferenceFrame(enum.IntEnum):
    WORLD = _mbdyn.WORLD
    LOCAL = _mbdyn.LOCAL
    LOCAL_WORLD_ALIGNED = _mbdyn.LOCAL_WORLD_ALIGNED


WORLD, LOCAL, LOCAL_WORLD_ALIGNED = ReferenceFrame.WORLD, ReferenceFrame.LOCAL, ReferenceFrame.LOCAL_WORLD_ALIGNED


class FrameType(enum.IntEnum):
    OP_FRAME, JOINT, FIXED_JOINT, BODY, SENSOR = 1, 2, 4, 8, 16


# ---------- rigid motions

def skew(x):
    """The matrix of the cross product, skew(x) y = x times y."""
    x = _vector(x, 3)
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def unSkew(matrix):
    return np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]) / 2


def _vector(x, n):
    x = np.asarray(x, dtype=float).reshape(-1)
    if x.size != n:
        raise ValueError(f'{n} numbers are needed, not {x.size}')
    return x


class _Six:
    """Linear and angular part of a motion or force."""

    def __init__(self, *parts):
        if len(parts) == 1:
            other = parts[0].vector if isinstance(parts[0], _Six) else parts[0]
            self.vector = _vector(other, 6).copy()
        elif len(parts) == 2:
            self.vector = np.concatenate([_vector(p, 3) for p in parts])
        else:
            self.vector = np.zeros(6)

    @classmethod
    def Zero(cls):
        return cls()

    @classmethod
    def Random(cls):
        return cls(np.random.uniform(-1, 1, 6))

    linear = property(lambda self: self.vector[:3], lambda self, x: self.vector.__setitem__(slice(0, 3), _vector(x, 3)))
    angular = property(lambda self: self.vector[3:], lambda self, x: self.vector.__setitem__(slice(3, 6), _vector(x, 3)))
    np = property(lambda self: self.vector)

    def copy(self):
        return type(self)(self.vector)

    def setZero(self):
        self.vector[:] = 0

    def isApprox(self, other, prec=1e-12):
        return bool(np.linalg.norm(self.vector - other.vector) <= prec * max(1, np.linalg.norm(self.vector)))

    def __add__(self, other):
        return type(self)(self.vector + other.vector)

    def __sub__(self, other):
        return type(self)(self.vector - other.vector)

    def __neg__(self):
        return type(self)(-self.vector)

    def __mul__(self, factor):
        return type(self)(self.vector * factor)

    __rmul__ = __mul__

    def __array__(self, dtype=None, copy=None):
        return np.array(self.vector, dtype=dtype)

    def __repr__(self):
        name = type(self).__name__
        return f'{name}(linear={self.linear}, angular={self.angular})'


class Motion(_Six):
    def se3Action(self, X):
        return X.act(self)

    def cross(self, other):
        """Motion or force: the time derivative of `other` that moves with this motion."""
        v, w = self.linear, self.angular
        if isinstance(other, Force):
            return Force(np.cross(w, other.linear), np.cross(w, other.angular) + np.cross(v, other.linear))
        return Motion(np.cross(w, other.linear) + np.cross(v, other.angular), np.cross(w, other.angular))

    def dot(self, force):
        return float(self.vector @ force.vector)


class Force(_Six):
    def se3Action(self, X):
        return X.act(self)


class SE3:
    """Pose of one frame in another: x_A = rotation x_B + translation."""

    def __init__(self, *parts):
        if len(parts) == 2:
            rotation, translation = parts
            rotation = rotation.matrix() if hasattr(rotation, 'matrix') else rotation
            self.rotation = np.array(rotation, dtype=float).reshape(3, 3)
            self.translation = _vector(translation, 3).copy()
        elif len(parts) == 1:
            X = parts[0].homogeneous if isinstance(parts[0], SE3) else np.asarray(parts[0], dtype=float)
            self.rotation, self.translation = X[:3, :3].copy(), X[:3, 3].copy()
        else:
            self.rotation, self.translation = np.eye(3), np.zeros(3)

    @classmethod
    def Identity(cls):
        return cls()

    @classmethod
    def Random(cls):
        return exp6(np.random.uniform(-1, 1, 6))

    @property
    def homogeneous(self):
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = self.rotation, self.translation
        return X

    np = homogeneous

    @property
    def action(self):
        """6 x 6: motions of B in A."""
        X = np.zeros((6, 6))
        X[:3, :3] = X[3:, 3:] = self.rotation
        X[:3, 3:] = skew(self.translation) @ self.rotation
        return X

    toActionMatrix = property(lambda self: lambda: self.action)

    @property
    def dualAction(self):
        return np.linalg.inv(self.action).T

    @property
    def actionInverse(self):
        return self.inverse().action

    def inverse(self):
        return SE3(self.rotation.T, -self.rotation.T @ self.translation)

    def act(self, x):
        R, p = self.rotation, self.translation
        if isinstance(x, SE3):
            return SE3(R @ x.rotation, R @ x.translation + p)
        if isinstance(x, Motion):
            w = R @ x.angular
            return Motion(R @ x.linear + np.cross(p, w), w)
        if isinstance(x, Force):
            f = R @ x.linear
            return Force(f, R @ x.angular + np.cross(p, f))
        return R @ _vector(x, 3) + p

    def actInv(self, x):
        return self.inverse().act(x)

    def __mul__(self, x):
        return self.act(x)

    __matmul__ = __mul__

    def copy(self):
        return SE3(self)

    def isIdentity(self, prec=1e-12):
        return self.isApprox(SE3(), prec)

    def isApprox(self, other, prec=1e-12):
        return bool(np.abs(self.homogeneous - other.homogeneous).max() <= prec)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.homogeneous, dtype=dtype)

    def __repr__(self):
        return f'SE3(\nrotation =\n{self.rotation}\ntranslation = {self.translation})'


def exp3(w):
    """Rotation by a rotation vector (Rodrigues)."""
    w = _vector(w, 3)
    t = np.linalg.norm(w)
    K = skew(w)
    a, b = (np.sin(t) / t, (1 - np.cos(t)) / t**2) if t > 1e-4 else (1 - t**2 / 6, 0.5 - t**2 / 24)
    return np.eye(3) + a * K + b * K @ K


def log3(R):
    """Rotation vector of a rotation, at most pi long."""
    R = np.asarray(R, dtype=float)
    s = unSkew(R)
    sine, cosine = np.linalg.norm(s), (np.trace(R) - 1) / 2
    t = np.arctan2(sine, cosine)
    if t < 1e-4:
        return s * (1 + t**2 / 6)
    if np.pi - t > 1e-4:
        return s * (t / sine)
    # near half a turn: the axis from the symmetric part, R + R^T = 2 cos 1 + 2 (1 - cos) n n^T
    nn = ((R + R.T) / 2 - cosine * np.eye(3)) / (1 - cosine)
    k = int(np.argmax(np.diag(nn)))
    n = nn[k] / np.sqrt(nn[k, k])
    return n * (t if n @ s >= 0 else -t)


def Jlog3(R):
    """d log3(R exp3(x)) / dx at x = 0."""
    w = log3(R)
    t = np.linalg.norm(w)
    K = skew(w)
    b = 1 / t**2 - (1 + np.cos(t)) / (2 * t * np.sin(t)) if t > 1e-3 else 1 / 12 + t**2 / 720
    return np.eye(3) + K / 2 + b * K @ K


def Jexp3(w):
    """exp3(w + x) = exp3(w) exp3(Jexp3(w) x) for small x."""
    w = _vector(w, 3)
    t = np.linalg.norm(w)
    K = skew(w)
    a, b = ((1 - np.cos(t)) / t**2, (t - np.sin(t)) / t**3) if t > 1e-3 else (0.5 - t**2 / 24, 1 / 6 - t**2 / 120)
    return np.eye(3) - a * K + b * K @ K


def exp6(v):
    v = v.vector if isinstance(v, _Six) else _vector(v, 6)
    # the left Jacobian takes the linear part along
    return SE3(exp3(v[3:]), Jexp3(-v[3:]) @ v[:3])


def log6(X):
    X = X if isinstance(X, SE3) else SE3(X)
    w = log3(X.rotation)
    return Motion(np.linalg.solve(Jexp3(-w), X.translation), w)


def exp(x):
    return exp3(x) if not isinstance(x, _Six) and np.size(x) == 3 else exp6(x)


def log(x):
    return log6(x) if isinstance(x, SE3) or np.shape(x) == (4, 4) else log3(x)


def Jexp6(v):
    """exp6(v + x) = exp6(v) exp6(Jexp6(v) x) for small x: the series of (1 - exp(-ad v)) / ad v."""
    v = v.vector if isinstance(v, _Six) else _vector(v, 6)
    ad = np.zeros((6, 6))
    ad[:3, :3] = ad[3:, 3:] = skew(v[3:])
    ad[:3, 3:] = skew(v[:3])
    J, term = np.eye(6), np.eye(6)
    for k in range(2, 60):
        term = -term @ ad / k
        J += term
        if np.abs(term).max() < 1e-17:
            break
    return J


def Jlog6(X):
    """d log6(X exp6(x)) / dx at x = 0."""
    return np.linalg.inv(Jexp6(log6(X)))


def _rpyToMatrix(*angles):
    r, p, y = angles if len(angles) == 3 else angles[0]
    c, s = np.cos, np.sin
    Rz = np.array([[c(y), -s(y), 0], [s(y), c(y), 0], [0, 0, 1]])
    Ry = np.array([[c(p), 0, s(p)], [0, 1, 0], [-s(p), 0, c(p)]])
    Rx = np.array([[1, 0, 0], [0, c(r), -s(r)], [0, s(r), c(r)]])
    return Rz @ Ry @ Rx


def _matrixToRpy(R):
    return np.array([np.arctan2(R[2, 1], R[2, 2]), np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])),
                     np.arctan2(R[1, 0], R[0, 0])])


rpy = _types.SimpleNamespace(rpyToMatrix=_rpyToMatrix, matrixToRpy=_matrixToRpy)
utils = _types.SimpleNamespace(
    zero=np.zeros, eye=np.eye, rand=lambda n: np.random.rand(n), rotate=lambda axis, angle: exp3(
        np.array([axis == 'x', axis == 'y', axis == 'z'], dtype=float) * angle),
    rpyToMatrix=_rpyToMatrix, matrixToRpy=_matrixToRpy, isapprox=lambda a, b, epsilon=1e-6: np.allclose(a, b, atol=epsilon))


# ---------- model and data

class JointModelFreeFlyer:
    """As root_joint: the base floats."""


class JointModel:
    def __init__(self, id, joint):
        self.id, self._joint = id, joint
        self.nq, self.nv, self.idx_q, self.idx_v = joint.nq, joint.nv, joint.q_index, joint.v_index

    def shortname(self):
        return f'JointModel{self._joint.type.capitalize()}'

    def __repr__(self):
        return f'{self.shortname()}: index {self.id}, q from {self.idx_q} ({self.nq}), v from {self.idx_v} ({self.nv})'


class _World:
    id, nq, nv, idx_q, idx_v = 0, 0, 0, -1, -1

    def shortname(self):
        return 'JointModelUniverse'


class Frame:
    def __init__(self, name, parent, type, native):
        self.name, self.parentJoint, self.parent, self.type = name, parent, parent, type
        self._native = native  # index of mbdyn's, None: the world

    def __repr__(self):
        return f'Frame {self.name}, on joint {self.parentJoint}'


class Model:
    def __init__(self, native, terms=0):
        self.native, self._terms = native, terms
        self.name, self.nq, self.nv = native.name, native.nq, native.nv
        joints = native.joints
        self.njoints = self.nbodies = len(joints) + 1
        self.names = ['universe', *native.joint_names]
        self.joints = [_World()] + [JointModel(k + 1, j) for k, j in enumerate(joints)]
        self.parents = [0] + [j.parent + 1 for j in joints]
        self.nqs, self.nvs = [j.nq for j in self.joints], [j.nv for j in self.joints]
        self.idx_qs, self.idx_vs = [j.idx_q for j in self.joints], [j.idx_v for j in self.joints]
        self._links = [native.frame_index(j.link) for j in joints]
        self.frames = [Frame('universe', 0, FrameType.FIXED_JOINT, None)]
        for f in native.frames:
            self.frames.append(Frame(f.name, f.body + 1, FrameType.BODY if f.is_link else FrameType.OP_FRAME, f.index))
        taken = {f.name for f in self.frames}
        for k, joint in enumerate(joints):
            if joint.name not in taken:
                self.frames.append(Frame(joint.name, k + 1, FrameType.JOINT, self._links[k]))
        self.nframes = len(self.frames)
        self._frame_ids = {f.name: k for k, f in enumerate(self.frames)}
        self.gravity = Motion(np.array(native.gravity), np.zeros(3))
        self.lowerPositionLimit, self.upperPositionLimit = np.full(self.nq, -np.inf), np.full(self.nq, np.inf)
        self.velocityLimit, self.effortLimit = np.full(self.nv, np.inf), np.full(self.nv, np.inf)
        for j in joints:
            v = slice(j.v_index, j.v_index + j.nv)
            self.velocityLimit[v], self.effortLimit[v] = j.velocity, j.effort
            if j.nq == j.nv:
                q = slice(j.q_index, j.q_index + j.nq)
                self.lowerPositionLimit[q], self.upperPositionLimit[q] = j.lower, j.upper

    @staticmethod
    def BuildHumanoidSimple():
        return buildSampleModelHumanoid()

    neutralConfiguration = property(lambda self: neutral(self))

    def createData(self):
        return Data(self)

    def existJointName(self, name):
        return name in self.names

    def getJointId(self, name):
        return self.names.index(name) if name in self.names else self.njoints

    def existFrame(self, name, type=None):
        return name in self._frame_ids

    def getFrameId(self, name, type=None):
        return self._frame_ids.get(name, self.nframes)

    existBodyName, getBodyId = existFrame, getFrameId

    def __repr__(self):
        return f'Model {self.name}: nq {self.nq}, nv {self.nv}, {self.njoints} joints'


class _Poses:
    """Poses at the state of data, computed when they are read."""

    def __init__(self, data, frames):
        self._data, self._frames = data, frames

    def __len__(self):
        return len(self._frames)

    def __getitem__(self, k):
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        frame = self._frames[k]
        return SE3() if frame is None else SE3(self._data.native.frame_placement(frame))

    def __iter__(self):
        return (self[k] for k in range(len(self)))


class _Motions(_Poses):
    """Velocities or accelerations of joints, in their own axes."""

    def __init__(self, data, frames, read):
        super().__init__(data, frames)
        self._read = read

    def __getitem__(self, k):
        frame = self._frames[k]
        return Motion() if frame is None else Motion(self._read(frame, _mbdyn.LOCAL))


class Data:
    def __init__(self, model):
        self.native = _mbdyn.Data(model.native, model._terms)
        self._model, self._gravity = model, tuple(model.native.gravity)
        joints = [None, *model._links]
        self.oMi = _Poses(self, joints)
        self.oMf = _Poses(self, [f._native for f in model.frames])
        self.v = _Motions(self, joints, self.native.frame_velocity)
        self.a = _Motions(self, joints, self.native.frame_acceleration)
        self.com, self.vcom = [np.zeros(3)], [np.zeros(3)]
        self._state(model, neutral(model), np.zeros(model.nv))

    def _state(self, model, q, v=None):
        """Takes over the state, and gravity if it has changed."""
        gravity = tuple(model.gravity.vector[:3])
        if gravity != self._gravity:
            self.native.set_gravity(gravity)
            self._gravity = gravity
        self._q = _vector(q, model.nq)
        self._v = np.zeros(model.nv) if v is None else _vector(v, model.nv)
        self.native.set_state(self._q, self._v)
        return self.native


# ---------- building models

def buildModelFromUrdf(filename, root_joint=None, verbose=False, mimic=False, **options):
    """As mbdyn.load, which takes the options; mimic joints are independent joints, as there."""
    return Model(_mbdyn.load(filename, floating=_floats(root_joint), mimic_independent=True, **options))


def buildModelFromXML(text, root_joint=None, verbose=False, mimic=False, **options):
    return Model(_mbdyn.Model.from_urdf(text, floating=_floats(root_joint), mimic_independent=True, **options))


buildModelFromURDF = buildModelFromUrdf


def buildModelFromMJCF(filename, **options):
    """Armature counts, as there."""
    return Model(_mbdyn.load(filename, **options), _mbdyn.TERM_ROTORS)


def _floats(root_joint):
    if root_joint is None:
        return False
    if isinstance(root_joint, JointModelFreeFlyer) or root_joint is JointModelFreeFlyer:
        return True
    raise TypeError('root_joint can only be a JointModelFreeFlyer')


def buildReducedModel(model, list_of_joints_to_lock, reference_configuration):
    names = [j if isinstance(j, str) else model.names[j] for j in list_of_joints_to_lock]
    return Model(model.native.lock(names, _vector(reference_configuration, model.nq)), model._terms)


def _link(name, mass, length):
    i = mass * length**2 / 12
    return (f'<link name="{name}"><inertial><origin xyz="0 0 {length / 2}"/><mass value="{mass}"/><inertia ixx="{i}" '
            f'ixy="0" ixz="0" iyy="{i}" iyz="0" izz="{i / 10}"/></inertial></link>')


def _joint(name, parent, child, axis, xyz):
    return (f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><axis xyz="{axis}"/>'
            f'<origin xyz="{xyz}"/><limit lower="-3.14" upper="3.14" effort="100" velocity="10"/></joint>')


def buildSampleModelManipulator():
    """An arm of six joints, two segments of one metre: joints as in Pinocchio's sample, inertias of its own."""
    x, y, z = '1 0 0', '0 1 0', '0 0 1'
    chain = [('shoulder1', x, '0 0 0', 0.1), ('shoulder2', y, '0 0 0', 0.1), ('shoulder3', z, '0 0 0', 1),
             ('elbow', y, '0 0 1', 1), ('wrist1', x, '0 0 1', 0.1), ('wrist2', y, '0 0 0', 0.1)]
    text, parent = '<robot name="manipulator"><link name="base"/>', 'base'
    for name, axis, at, length in chain:
        text += _link(f'{name}_body', length, length) + _joint(f'{name}_joint', parent, f'{name}_body', axis, at)
        parent = f'{name}_body'
    return buildModelFromXML(text + '</robot>')


def buildSampleModelHumanoid(usingFF=True):
    """Floating trunk with two legs and two arms of six joints each, a neck of two and a chest of two."""
    x, y, z = '1 0 0', '0 1 0', '0 0 1'
    text = '<robot name="humanoid">' + _link('body', 8, 0.3)
    limbs = [(f'{side}leg', 'body', f'0 {s * 0.1} 0', -0.4) for side, s in (('l', 1), ('r', -1))]
    limbs += [(f'{side}arm', 'chest2_body', f'0 {s * 0.2} 0.3', -0.3) for side, s in (('l', 1), ('r', -1))]

    def chain(name, parent, at, axes, lengths):
        nonlocal text
        for k, (axis, length) in enumerate(zip(axes, lengths), 1):
            text += _link(f'{name}{k}_body', 0.2 + abs(length) * 8, length or 0.1)
            text += _joint(f'{name}{k}_joint', parent, f'{name}{k}_body', axis, at)
            parent, at = f'{name}{k}_body', f'0 0 {length}'
    chain('chest', 'body', '0 0 0.1', (x, y), (0, 0.3))
    chain('neck', 'chest2_body', '0 0 0.4', (y, z), (0, 0.1))
    for name, parent, at, length in limbs:
        chain(name, parent, at, (x, y, z, y, x, y), (0, 0, length, length, 0, -0.05))
    return buildModelFromXML(text + '</robot>', JointModelFreeFlyer() if usingFF else None)


def buildSampleModelHumanoidRandom(usingFF=True):
    """The same humanoid: nothing about it is random here."""
    return buildSampleModelHumanoid(usingFF)


# ---------- configurations

def neutral(model):
    return model.native.neutral()


def integrate(model, q, v):
    return model.native.integrate(_vector(q, model.nq), _vector(v, model.nv), 1.0)


def difference(model, q0, q1):
    return model.native.difference(_vector(q0, model.nq), _vector(q1, model.nq))


def interpolate(model, q0, q1, u):
    return integrate(model, q0, u * difference(model, q0, q1))


def distance(model, q0, q1):
    return float(np.linalg.norm(difference(model, q0, q1)))


def normalize(model, q):
    return model.native.normalize(_vector(q, model.nq))


def randomConfiguration(model, lower=None, upper=None):
    """Uniform within the limits of the model or these, of NumPy's random numbers; quaternions are uniform."""
    lower = _vector(model.lowerPositionLimit if lower is None else lower, model.nq)
    upper = _vector(model.upperPositionLimit if upper is None else upper, model.nq)
    q = model.native.random_configuration(int(np.random.randint(1 << 62)))
    bounded = np.isfinite(lower) & np.isfinite(upper)
    for j in model.joints[1:]:
        if j.nq != j.nv:  # not the quaternion, which is last
            bounded[j.idx_q + j.nq - 4:j.idx_q + j.nq] = False
    q[bounded] = np.random.uniform(lower[bounded], upper[bounded])
    return q


# ---------- kinematics

def forwardKinematics(model, data, q, v=None, a=None):
    native = data._state(model, q, v)
    if a is not None:
        native.set_acceleration(_vector(a, model.nv))


def updateFramePlacements(model, data):
    """Nothing to do: poses are computed when they are read."""


updateGlobalPlacements = updateFramePlacements


def updateFramePlacement(model, data, frame_id):
    return data.oMf[frame_id]


def framesForwardKinematics(model, data, q):
    data._state(model, q)


def _moving(model, frame_id):
    native = model.frames[frame_id]._native
    if native is None:
        raise ValueError('the frame universe does not move')
    return native


def _velocity(data, frame, reference):
    return Motion(data.native.frame_velocity(frame, int(reference)))


def getFrameVelocity(model, data, frame_id, reference=LOCAL):
    return _velocity(data, _moving(model, frame_id), reference)


def getVelocity(model, data, joint_id, reference=LOCAL):
    return _velocity(data, model._links[joint_id - 1], reference)


def _acceleration(data, frame, reference, classical):
    A = Motion(data.native.frame_acceleration(frame, _mbdyn.LOCAL))
    if classical:
        V = _velocity(data, frame, LOCAL)
        A.linear = A.linear + np.cross(V.angular, V.linear)
    if reference == LOCAL:
        return A
    X = SE3(data.native.frame_placement(frame))
    if reference == WORLD:
        return X.act(A)
    return Motion(X.rotation @ A.linear, X.rotation @ A.angular)


def getFrameAcceleration(model, data, frame_id, reference=LOCAL):
    """Spatial acceleration, in every reference."""
    return _acceleration(data, _moving(model, frame_id), reference, False)


def getFrameClassicalAcceleration(model, data, frame_id, reference=LOCAL):
    return _acceleration(data, _moving(model, frame_id), reference, True)


def getAcceleration(model, data, joint_id, reference=LOCAL):
    return _acceleration(data, model._links[joint_id - 1], reference, False)


def getClassicalAcceleration(model, data, joint_id, reference=LOCAL):
    return _acceleration(data, model._links[joint_id - 1], reference, True)


def computeJointJacobians(model, data, q=None):
    """6 x nv in the world: column j is the motion of joint j."""
    native = data.native if q is None else data._state(model, q)
    data.J = np.zeros((6, model.nv))
    for joint, link in zip(model.joints[1:], model._links):
        columns = slice(joint.idx_v, joint.idx_v + joint.nv)
        data.J[:, columns] = native.jacobian(link, _mbdyn.WORLD)[:, columns]
    return data.J


def getJointJacobian(model, data, joint_id, reference):
    return data.native.jacobian(model._links[joint_id - 1], int(reference))


def computeJointJacobian(model, data, q, joint_id):
    return data._state(model, q).jacobian(model._links[joint_id - 1], _mbdyn.LOCAL)


def getFrameJacobian(model, data, frame_id, reference):
    return data.native.jacobian(_moving(model, frame_id), int(reference))


def computeFrameJacobian(model, data, q, frame_id, reference=LOCAL):
    return data._state(model, q).jacobian(_moving(model, frame_id), int(reference))


def computeJointJacobiansTimeVariation(model, data, q, v):
    data._state(model, q, v)


def getFrameJacobianTimeVariation(model, data, frame_id, reference):
    return data.native.jacobian_rate(_moving(model, frame_id), int(reference))


def frameJacobianTimeVariation(model, data, q, v, frame_id, reference):
    return data._state(model, q, v).jacobian_rate(_moving(model, frame_id), int(reference))


def getJointJacobianTimeVariation(model, data, joint_id, reference):
    return data.native.jacobian_rate(model._links[joint_id - 1], int(reference))


def centerOfMass(model, data, q=None, v=None, a=None, compute_subtree_coms=False):
    native = data.native if q is None or isinstance(q, bool) else data._state(model, q, v)
    mass, com = native.center_of_mass()
    data.mass, data.com = [mass], [com]
    data.vcom = [native.com_jacobian() @ data._v]
    return com


def jacobianCenterOfMass(model, data, q=None, compute_subtree_coms=False):
    native = data.native if q is None or isinstance(q, bool) else data._state(model, q)
    data.Jcom = native.com_jacobian()
    return data.Jcom


def computeTotalMass(model, data=None):
    return model.native.mass


# ---------- dynamics

def _wrenches(model, forces):
    """One force per joint (the world's first), at the joint and in its axes."""
    if forces is None:
        return None
    if len(forces) != model.njoints:
        raise ValueError(f'{model.njoints} forces are needed, one per joint and the world')
    six = [f.vector if isinstance(f, _Six) else _vector(f, 6) for f in forces]
    return [(link, f, _mbdyn.LOCAL) for link, f in zip(model._links, six[1:]) if f.any()]


def rnea(model, data, q, v, a, fext=None):
    native = data._state(model, q, v)
    data.tau = native.inverse_dynamics(data._q, data._v, _vector(a, model.nv), _wrenches(model, fext))
    return data.tau


def aba(model, data, q, v, tau, fext=None, convention=None):
    native = data._state(model, q, v)
    data.ddq = native.forward_dynamics(data._q, data._v, _vector(tau, model.nv), _wrenches(model, fext))
    return data.ddq


def crba(model, data, q, convention=None):
    data.M = data._state(model, q).mass_matrix()
    return data.M


def computeMinverse(model, data, q=None):
    data.Minv = (data.native if q is None else data._state(model, q)).mass_matrix_inverse()
    return data.Minv


def computeGeneralizedGravity(model, data, q):
    data.g = data._state(model, q).gravity_torque()
    return data.g


def computeStaticTorque(model, data, q, fext):
    native = data._state(model, q)
    data.tau = native.gravity_torque() - native.jacobian_transpose_product(_wrenches(model, fext) or None)
    return data.tau


def nonLinearEffects(model, data, q, v):
    data.nle = data._state(model, q, v).bias()
    return data.nle


def computeCoriolisMatrix(model, data, q, v):
    data.C = data._state(model, q, v).coriolis_matrix()
    return data.C


def getCoriolisMatrix(model, data):
    data.C = data.native.coriolis_matrix()
    return data.C


def computeKineticEnergy(model, data, q=None, v=None):
    data.kinetic_energy = (data.native if q is None else data._state(model, q, v)).kinetic_energy()
    return data.kinetic_energy


def computePotentialEnergy(model, data, q=None):
    data.potential_energy = (data.native if q is None else data._state(model, q)).potential_energy()
    return data.potential_energy


def computeMechanicalEnergy(model, data, q=None, v=None):
    if q is not None:
        data._state(model, q, v)
    data.mechanical_energy = computeKineticEnergy(model, data) + computePotentialEnergy(model, data)
    return data.mechanical_energy


def ccrba(model, data, q, v):
    native = data._state(model, q, v)
    data.Ag, data.hg = native.centroidal_matrix(), Force(native.centroidal_momentum())
    centerOfMass(model, data)
    return data.Ag


computeCentroidalMap = ccrba


def computeCentroidalMomentum(model, data, q=None, v=None):
    native = data.native if q is None else data._state(model, q, v)
    data.hg = Force(native.centroidal_momentum())
    return data.hg


def dccrba(model, data, q, v):
    """Sets hg, Ag; dAg v is data.dhg at rest of v, not the matrix."""
    ccrba(model, data, q, v)
    data.dhg = Force(data.native.centroidal_bias())
    return data.Ag


def computeRNEADerivatives(model, data, q, v, a, fext=None):
    native = data._state(model, q, v)
    data.tau = native.inverse_dynamics(data._q, data._v, _vector(a, model.nv), _wrenches(model, fext))
    data.dtau_dq, data.dtau_dv, data.M = native.inverse_dynamics_derivatives(
        data._q, data._v, _vector(a, model.nv), _wrenches(model, fext))
    return data.dtau_dq, data.dtau_dv, data.M


def computeABADerivatives(model, data, q, v, tau, fext=None):
    native = data._state(model, q, v)
    data.ddq, data.ddq_dq, data.ddq_dv, data.Minv = native.forward_dynamics_derivatives(
        data._q, data._v, _vector(tau, model.nv), _wrenches(model, fext))
    return data.ddq_dq, data.ddq_dv, data.Minv


def computeJointTorqueRegressor(model, data, q, v, a):
    """Columns per body: mass, first moment, inertia about the joint as xx xy yy xz yz zz."""
    Y = data._state(model, q, v).torque_regressor(False, _vector(a, model.nv))
    order = [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]  # ours is xx xy xz yy yz zz
    data.jointTorqueRegressor = Y.reshape(model.nv, -1, 10)[:, :, order].reshape(model.nv, -1)
    return data.jointTorqueRegressor


def computeAllTerms(model, data, q, v):
    native = data._state(model, q, v)
    data.M, data.nle, data.g = native.mass_matrix(), native.bias(), native.gravity_torque()
    computeJointJacobians(model, data)
    ccrba(model, data, q, v)
    data.Jcom = native.com_jacobian()
    computeMechanicalEnergy(model, data)
