# Types of mbdyn._mbdyn; generate.py fills in the methods of functions.txt.
import os
from typing import Any, Callable, NamedTuple, Protocol, Sequence, Union, final

class Buffer(Protocol):
    def __len__(self) -> int: ...

Array = Any  # numpy.ndarray of float64; without NumPy array.array('d') or memoryview
ArrayLike = Union[Buffer, Sequence[float], Any]
Vector = Union[Sequence[float], Any]
Inertia = tuple[float, Vector, Vector]
Wrenches = Sequence[Union[tuple[Union[int, str], Vector], tuple[Union[int, str], Vector, int]]]
Task = Union[tuple[Union[int, str], Any], tuple[Union[int, str], Any, int]]
Tasks = Sequence[Task]  # (frame, 'frame' | 'position' | 'orientation' | rows of six numbers, reference)
Measure = Union[str, tuple[Any, ...]]  # a joint, or (type, frame, of, pose)
Capsule = tuple[Vector, Vector, float]
Shape = tuple[Union[int, str], Vector, Vector, float]

LOCAL: int
WORLD: int
LOCAL_WORLD_ALIGNED: int
TERM_FRICTION: int
TERM_ROTORS: int
TERM_ELEMENTS: int
__version__: str

class Error(Exception):
    status: int
    name: str
    joint: str | None
    report: tuple[tuple[str, int, str, str, str, str | None, str], ...]

class ArgumentError(Error, ValueError): ...
class StageError(Error): ...
class ModelError(Error): ...
class NumericError(Error): ...
class UrdfError(Error, ValueError): ...
class UrdfWarning(UserWarning): ...

class Joint(NamedTuple):
    name: str
    index: int  # type: ignore[assignment]
    link: str
    type: str
    parent: int
    nq: int
    nv: int
    q_index: int
    v_index: int
    lower: float
    upper: float
    velocity: float
    effort: float
    rotor_inertia: float
    gear_ratio: float
    viscous: float
    coulomb: float
    mass: float
    mimic: str | None

class Frame(NamedTuple):
    name: str
    index: int  # type: ignore[assignment]
    body: int
    is_link: bool

class Placements(NamedTuple):
    R: Array
    p: Array

class Motions(NamedTuple):
    lin: Array
    ang: Array

class Forces(NamedTuple):
    lin: Array
    ang: Array

class Inertias(NamedTuple):
    mass: Array
    h: Array
    I: Array

@final
class Model:
    name: str
    nq: int
    nv: int
    nbody: int
    nframe: int
    gravity: tuple[float, float, float]
    mass: float
    nclosure: int
    nrow: int
    nmimic: int
    nnode: int
    embedded: bool
    joints: tuple[Joint, ...]
    joint_names: tuple[str, ...]
    frames: tuple[Frame, ...]
    frame_names: tuple[str, ...]
    report: tuple[tuple[str, int, str, str, str, str | None, str], ...]
    mechanism: dict[str, Any] | None
    closed: bool
    @classmethod
    def from_mechanism(cls, path: str | None = ..., *, text: str | None = ..., source: str | None = ...,
                       urdf: str | None = ..., cartesian: bool = ..., strict: bool = ...,
                       drive_initial: bool = ...) -> Model: ...
    def place(self, name: str, /) -> tuple[str, int] | None: ...
    @classmethod
    def from_file(cls, path: str | os.PathLike[str], /, *, floating: bool = ..., strict: bool = ...,
                  mimic_independent: bool = ..., allow_massless: bool = ..., gravity: Vector | None = ...,
                  lock: Sequence[str] | None = ..., exact_rotors: bool = ..., loops: str | None = ...,
                  loops_text: str | None = ..., embed: bool = ..., mechanism: bool = ...,
                  source: str | None = ...) -> Model: ...
    @classmethod
    def from_urdf(cls, text: str | bytes, /, *, floating: bool = ..., strict: bool = ...,
                  mimic_independent: bool = ..., allow_massless: bool = ..., gravity: Vector | None = ...,
                  lock: Sequence[str] | None = ..., exact_rotors: bool = ..., loops: str | None = ...,
                  loops_text: str | None = ..., embed: bool = ..., mechanism: bool = ...,
                  source: str | None = ...) -> Model: ...
    def with_flexible_links(self, path: str | None = ..., *, text: str | None = ...,
                            source: str | None = ...) -> Model: ...
    def lock(self, joints: Sequence[str], q: ArrayLike) -> Model: ...
    def to_urdf(self) -> str: ...
    def to_mjcf(self) -> str: ...
    def joint_index(self, name: str, /) -> int: ...
    def frame_index(self, name: str, /) -> int: ...
    def close(self) -> None: ...
    # generated: Model

@final
class Data:
    model: Model
    terms: int
    closed: bool
    q: Array
    v: Array
    X_parent: Placements
    X_world: Placements
    S: Motions
    V: Motions
    a: Motions
    A_bias: Motions
    A: Motions
    f: Forces
    inertia: Inertias
    R: Inertias
    P: Array
    G: Forces
    D_inv: Array
    Y: Array
    response: Motions
    def __init__(self, model: Model, terms: int = ...) -> None: ...
    def close(self) -> None: ...
    def ik(self, targets: Sequence[Any], seed: ArrayLike | None = ..., posture: ArrayLike | None = ...,
           position: float = ..., rotation: float = ..., iterations: int = ..., restarts: int = ...,
           random_seed: int = ..., ignore_limits: bool = ..., length: float = ...) -> tuple[Array, dict[str, Any]]: ...
    def ik_all(self, targets: Sequence[Any], seed: ArrayLike | None = ..., posture: ArrayLike | None = ...,
               position: float = ..., rotation: float = ..., iterations: int = ..., restarts: int = ...,
               random_seed: int = ..., ignore_limits: bool = ..., length: float = ...,
               most: int = ...) -> tuple[Array, dict[str, Any]]: ...
    def contact_step(self, contacts: Sequence[dict[str, Any]], dt: float, tau: ArrayLike | None = ...,
                     f_ext: Wrenches | None = ..., *, dry: ArrayLike | None = ..., viscous: ArrayLike | None = ...,
                     limits: bool = ..., recovery: float = ...,
                     limit: ArrayLike | None = ...) -> tuple[Array, list[dict[str, Any]], dict[str, Any]]: ...
    def contact_acceleration(self, contacts: Sequence[dict[str, Any]], tau: ArrayLike | None = ...,
                             f_ext: Wrenches | None = ..., *, limits: bool = ...,
                             limit: ArrayLike | None = ...) -> tuple[Array, list[dict[str, Any]], dict[str, Any]]: ...
    def support_torques(self, wanted: ArrayLike, supports: Sequence[dict[str, Any]], qdd: ArrayLike | None = ...,
                        base: int | str = ...) -> tuple[Array, Array, list[list[Array]], dict[str, Any]]: ...
    def clearance(self, shapes: Sequence[Shape], obstacles: Sequence[Capsule]) -> dict[str, Any]: ...
    # generated: Data

@final
class Batch:
    model: Model
    threads: int
    failed: int
    kernels: str
    def __init__(self, model: Model, threads: int = ...) -> None: ...
    def set_parameters_from(self, data: Data, /) -> None: ...
    def close(self) -> None: ...
    # generated: Batch

@final
class Simulation:
    model: Model
    data: Data
    t: float
    q: Array
    v: Array
    qdd: Array
    tau: Array
    energy: float
    work: float
    steps: int
    method: str
    next_step: float
    error_position: float
    event: int | None
    events: tuple[tuple[int, float], ...]
    def __init__(self, model: Model, torque: Callable[[Data, float, Array, Array], ArrayLike | None] | None = ..., *,
                 terms: int = ..., method: str = ..., rtol: float = ..., atol: float = ..., step: float = ...,
                 fixed: bool = ..., step_max: float = ..., tolerance: float = ...) -> None: ...
    def start(self, t: float, q: ArrayLike, v: ArrayLike | None = ...) -> dict[str, Any]: ...
    def step(self, t_end: float) -> None: ...
    def run(self, t_end: float) -> None: ...
    def at(self, t: float) -> tuple[Array, Array, Array, Array]: ...
    def set_wrenches(self, wrenches: Wrenches | None = ...) -> None: ...
    def refresh(self) -> None: ...
    def add_event(self, value: Callable[[Data, float, Array, Array], float], direction: int = ...,
                  terminal: bool = ...) -> int: ...
    def jacobian(self) -> tuple[Array, Array]: ...

@final
class Observer:
    model: Model
    data: Data
    torque: Array
    contact: tuple[bool, ...]
    def __init__(self, data: Data, *, gain: float = ..., order: int = ..., threshold_on: float = ...,
                 threshold_off: float = ...) -> None: ...
    # generated: Observer

@final
class Manipulator:
    model: Model
    data: Data
    def __init__(self, data: Data, inputs: Sequence[Measure], outputs: Sequence[Measure], q: ArrayLike, *,
                 tolerance: float = ..., step: float = ..., restarts: int = ..., random_seed: int = ...,
                 ignore_limits: bool = ..., t: float = ...) -> None: ...
    def solutions(self, of_inputs: bool, value: ArrayLike, seed: ArrayLike, most: int = ...) -> Array: ...
    # generated: Manipulator

@final
class SelfMotion:
    model: Model
    data: Data
    def __init__(self, data: Data, measures: Sequence[Measure], *, shapes: Sequence[Shape] = ...,
                 obstacles: Sequence[Capsule] = ..., step: float = ..., tolerance: float = ..., length: float = ...,
                 t: float = ..., ignore_limits: bool = ...) -> None: ...
    def trace(self, most: int = ...) -> dict[str, Any]: ...
    # generated: SelfMotion

@final
class Builder:
    def __init__(self, name: str = ...) -> None: ...
    def add_body(self, name: str, joint: str, type: str = ..., *, parent: int | str | None = ...,
                 placement: ArrayLike | None = ..., inertia: Inertia | None = ..., axis: Vector | None = ...,
                 pitch: float = ..., lower: float = ..., upper: float = ..., velocity: float = ..., effort: float = ...,
                 rotor_inertia: float = ..., gear_ratio: float = ..., viscous: float = ..., coulomb: float = ...,
                 coulomb_velocity: float = ..., mimic: tuple[str, float, float] = ...) -> int: ...
    def add_frame(self, name: str, link: int | str | None = ..., placement: ArrayLike | None = ...) -> int: ...
    def add_closure(self, name: str, type: str, a: int | str | None = ..., b: int | str | None = ..., *,
                    X_a: ArrayLike | None = ..., X_b: ArrayLike | None = ..., distance: float = ..., pitch: float = ...,
                    joints: dict[str, float] | None = ..., offset: float = ...,
                    driver: tuple[int, float, float] = ...) -> int: ...
    def add_element(self, name: str, type: str, a: int | str | None = ..., b: int | str | None = ..., *,
                    X_a: ArrayLike | None = ..., X_b: ArrayLike | None = ..., joint: str | None = ...,
                    stiffness: float = ..., damping: float = ..., rest: float = ..., preload: float = ...,
                    one_sided: str = ..., ramp: float = ..., stiffness6: Vector | None = ...,
                    damping6: Vector | None = ..., wrench: Vector | None = ...) -> int: ...
    def add_motor(self, name: str, joint: str, ratio: float, *, mount: int | str | None = ..., X: ArrayLike | None = ...,
                  inertia: Inertia | None = ..., axis: Vector | None = ..., in_link: bool = ...,
                  elastic: bool = ...) -> int: ...
    def add_motors(self) -> int: ...
    def add_bearing(self, joint: str, mu_static: float, mu_dynamic: float, *, radius: float = ..., span: float = ...,
                    key: float = ..., offset: float = ..., preload: float = ..., velocity: float = ...,
                    smoothing: float = ..., on_a: bool = ...) -> int: ...
    def set_gravity(self, gravity: Vector, /) -> None: ...
    def finalize(self, *, embed: bool = ..., mimic_independent: bool = ...) -> Model: ...
