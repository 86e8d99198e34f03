"""Multibody dynamics in C: robots from URDF, kinematics, dynamics, loops, flexible links.

    import mbdyn
    model = mbdyn.load('arm.urdf')          # constant, shared by threads
    data = mbdyn.Data(model)                # the workspace of one thread
    tau = data.inverse_dynamics(q, v, qdd)  # or out=tau, without allocation

Units are SI and radians. Six-vectors and Jacobians are linear first. The order of q, v and joints is that
of the URDF loader (docs/conventions.md), which is Pinocchio's.
"""
from __future__ import annotations as _annotations

import os as _os
import shutil as _shutil
import subprocess as _subprocess
from typing import Any as _Any
from typing import Sequence as _Sequence

from ._mbdyn import (
    LOCAL, LOCAL_WORLD_ALIGNED, TERM_ELEMENTS, TERM_FRICTION, TERM_ROTORS, WORLD, ArgumentError, Batch, Builder,
    Data, Error, Forces, Frame, Inertias, Joint, Manipulator, Model, ModelError, Motions, NumericError, Observer,
    Placements, SelfMotion, Simulation, StageError,
    UrdfError, UrdfWarning, __version__)

__all__ = [
    'ArgumentError', 'Batch', 'Builder', 'Data', 'Error', 'Forces', 'Frame', 'Inertias', 'Joint', 'LOCAL',
    'LOCAL_WORLD_ALIGNED', 'Manipulator', 'Model', 'ModelError', 'Motions', 'NumericError', 'Observer', 'Placements',
    'SelfMotion', 'Simulation', 'StageError',
    'TERM_ELEMENTS', 'TERM_FRICTION', 'TERM_ROTORS', 'UrdfError', 'UrdfWarning', 'WORLD', 'load', '__version__']


def load(path: str | _os.PathLike[str], *, arguments: _Sequence[str] = (),
         flexible: str | _os.PathLike[str] | None = None, **options: _Any) -> Model:
    """Model of a robot's file: URDF, MJCF, or xacro if the program xacro is installed.

    arguments: of xacro, 'name:=value' each. flexible: YAML file with flexible links (docs/flexible.md).
    options: those of Model.from_file.
    """
    path = _os.fspath(path)
    if path.endswith('.xacro'):
        program = _shutil.which('xacro')
        if program is None:
            raise FileNotFoundError(f"{path}: the program 'xacro' is not installed; install ros-<distro>-xacro, "
                                    'or expand the file elsewhere and load the URDF')
        run = _subprocess.run([program, path, *arguments], capture_output=True, check=False)
        if run.returncode != 0:
            raise ValueError(f'{path}: xacro failed:\n{run.stderr.decode(errors="replace").strip()}')
        model = Model.from_urdf(run.stdout, source=path, **options)
    elif arguments:
        raise TypeError('arguments are for xacro files')
    else:
        model = Model.from_file(path, **options)
    return model.with_flexible_links(_os.fspath(flexible)) if flexible is not None else model
