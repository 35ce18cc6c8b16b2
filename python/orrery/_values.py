# SPDX-License-Identifier: MIT
"""Return values of functions: named tuples, which can be unpacked, compared and pickled."""
from typing import Any, Dict, List, NamedTuple, Tuple

import numpy


class Energies(NamedTuple):
    """Conserved quantities of a state, in the scene's units."""

    kinetic: float
    """½ Σ m v²"""
    potential: float
    """Σ over pairs of −G m m' / √(r² + ε²), or as in the force law."""
    total: float
    momentum: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Σ m v, shape (3,)"""
    angular_momentum: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Σ m x × v about the origin, shape (3,)"""
    mass: float
    """Σ m"""
    mass_centre: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Σ m x / Σ m, shape (3,)"""


class Drift(NamedTuple):
    """Errors of the conserved quantities of a run."""

    energy: float
    """(E − E₀) / |E₀|, or E − E₀ if E₀ is 0."""
    momentum: float
    """|P − P₀| over the largest Σ m|v| of the run."""
    kept: bool
    """The energy has changed by less than 1 %; otherwise positions are wrong."""


class ForceError(NamedTuple):
    """Error of accelerations a against a reference r in double precision, over sampled bodies."""

    rms: float
    """√(Σ|a − r|² / Σ|r|²)"""
    median: float
    """Of |a − r| / |r| per body, as the next two."""
    p99: float
    max: float
    samples: int


class Encounter(NamedTuple):
    """Two bodies that touched, in the scene's units."""

    kind: str
    """'merge', 'bounce' or 'accrete'"""
    step: int
    """The step at whose end it was found."""
    time: float
    first: int
    """Id; the first body absorbed the second, or both bounced."""
    second: int
    mass_first: float
    """Before the encounter, as the next two."""
    mass_second: float
    speed: float
    """Relative speed."""
    energy: float
    """Energy removed from the bodies."""


class Encounters(NamedTuple):
    """Sums over all encounters of a simulation, and the last of them."""

    rule: str
    """Action when bodies touch: 'off', 'merge', 'bounce' or 'accrete'."""
    merges: int
    bounces: int
    accretions: int
    energy: float
    """Energy removed from the bodies."""
    angular_momentum: "numpy.ndarray[Any, numpy.dtype[numpy.float64]]"
    """Angular momentum removed from the orbits, about the origin, shape (3,)"""
    last: List[Encounter]
    """The last 256, in order of occurrence."""


class Entry(NamedTuple):
    """An entry of a menu."""

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
    """Ids of laws(); empty for triplets."""
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
    """The default number of bodies."""
    fixed: bool
    """The number cannot be chosen."""


class Integrator(NamedTuple):
    """How a step is composed of kicks, drifts and force evaluations."""

    id: str
    label: str
    doc: str
    order: int
    """Order of the error after a fixed time."""
    reversible: bool


class Format(NamedTuple):
    """A file format."""

    id: str
    label: str
    doc: str
    extensions: Tuple[str, ...]
    available: bool
    reason: str
    """Why this build does not support it; empty if it does."""


class Svg(str):
    """An SVG image: the text of the file, displayed by notebooks."""

    def _repr_svg_(self) -> str:
        return str(self)


class Analysis(NamedTuple):
    """A plot of bodies as numbers and as an image."""

    title: str
    note: str
    """Definition and source."""
    columns: "Dict[str, numpy.ndarray[Any, numpy.dtype[numpy.float64]]]"
    """Columns of numbers by name, in the scene's units; NaN for empty bins."""
    svg: Svg

    def _repr_svg_(self) -> str:
        return str(self.svg)


class Setting(NamedTuple):
    """A keyword of an engine or of render()."""

    id: str
    doc: str
    takes: str
    """'0 to 64', 'true or false', 'a, b, c'"""
    default: Any
