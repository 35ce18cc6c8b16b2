# SPDX-License-Identifier: MIT
"""Small values that functions return: tuples with names, which can be unpacked, compared and pickled."""
from typing import Any, NamedTuple, Tuple

import numpy


class Energies(NamedTuple):
    """Conserved quantities of a state, in the scene's units."""

    kinetic: float
    """½ Σ m v²"""
    potential: float
    """Σ over pairs of −G m m' / √(r² + ε²), or as the force law says."""
    total: float
    momentum: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Σ m v, shape (3,)"""
    angular_momentum: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Σ m x × v about the origin, shape (3,)"""
    mass: float
    """Σ m"""
    mass_centre: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Σ m x / Σ m, shape (3,)"""


class ForceError(NamedTuple):
    """Error of accelerations a against a reference r in double precision, over sampled bodies."""

    rms: float
    """√(Σ|a − r|² / Σ|r|²)"""
    median: float
    """Of |a − r| / |r| per body, as the next two."""
    p99: float
    max: float
    samples: int


class Entry(NamedTuple):
    """A line of a menu."""

    id: str
    label: str
    doc: str


class Engine(NamedTuple):
    """A force engine on one backend."""

    id: str
    label: str
    doc: str
    backend: str
    """'cpu' or 'cuda'"""
    precisions: Tuple[str, ...]
    laws: Tuple[str, ...]
    """Ids of laws(); empty: it computes triplets."""
    available: bool
    reason: str
    """Why it cannot run here; empty if it can."""


class Preset(NamedTuple):
    """Initial conditions."""

    id: str
    label: str
    doc: str
    family: str
    bodies: int
    """Their number where none is asked for."""
    fixed: bool
    """The number cannot be chosen."""


class Integrator(NamedTuple):
    """How a step is composed of kicks, drifts and force evaluations."""

    id: str
    label: str
    doc: str
    order: int
    """Of the error after a fixed time."""
    reversible: bool


class Format(NamedTuple):
    """A format of files."""

    id: str
    label: str
    doc: str
    extensions: Tuple[str, ...]
    available: bool
    reason: str
    """Why this build does not support it; empty if it does."""


class Svg(str):
    """A picture in SVG: the text of a file, shown by a notebook."""

    def _repr_svg_(self) -> str:
        return str(self)


class Setting(NamedTuple):
    """What an engine or a picture can be told by a keyword."""

    id: str
    doc: str
    takes: str
    """'0 to 64', 'true or false', 'a, b, c'"""
    default: Any
