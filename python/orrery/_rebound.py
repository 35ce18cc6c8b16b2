# SPDX-License-Identifier: MIT
"""Bodies from REBOUND (Rein & Liu 2012) and back. Uses only documented members of Simulation and Particle.
REBOUND itself is imported only to make a simulation."""
import importlib
from typing import Any, Optional, Tuple, Union

import numpy

from ._core import Scene, Simulation, UsageError

_Array = numpy.ndarray[Any, numpy.dtype[numpy.float64]]
_COLUMNS = ("x", "y", "z", "vx", "vy", "vz", "m")


def _count(simulation: Any) -> int:
    """Number of real particles. Variational particles are no bodies: they follow the others, or since version 5 have their
    own list."""
    whole = int(simulation.N)
    return whole if hasattr(simulation, "particles_var") else whole - int(getattr(simulation, "N_var", 0))


def _rows(simulation: Any, count: int) -> Tuple[_Array, _Array, _Array]:
    """Positions, velocities and masses: by REBOUND's serialize_particle_data(), or particle by particle without it."""
    whole = int(simulation.N)
    serialize = getattr(simulation, "serialize_particle_data", None)
    if serialize is not None:
        x, v, m = numpy.zeros((whole, 3)), numpy.zeros((whole, 3)), numpy.zeros(whole)
        serialize(xyz=x, vxvyvz=v, m=m)
        return x[:count], v[:count], m[:count]
    rows = numpy.array([[getattr(simulation.particles[i], name) for name in _COLUMNS] for i in range(count)])
    rows = rows.reshape(count, 7)
    return rows[:, :3], rows[:, 3:6], rows[:, 6]


def from_rebound(simulation: Any) -> Scene:
    """The particles of a `rebound.Simulation` as a Scene, an independent copy in the same units.

    Copies positions, velocities, masses, G, softening, t and dt. Test particles (index N_active and above) get no mass.
    Anything beyond gravity, such as collisions, boundaries and additional forces, is not copied.
    Raises UsageError without particles, if test particles act on the others (testparticle_type 1), or
    if dt is not positive.
    """
    count = _count(simulation)
    if count < 1:
        raise UsageError("rebound: the simulation has no particles")
    positions, velocities, masses = _rows(simulation, count)
    masses = masses.copy()
    active = int(getattr(simulation, "N_active", -1))
    if 0 <= active < count:
        if int(getattr(simulation, "testparticle_type", 0)) != 0 and masses[active:].any():
            raise UsageError("rebound: test particles that act on other bodies (testparticle_type 1) are not supported")
        masses[active:] = 0
    return Scene(
        positions,
        velocities,
        masses,
        G=float(simulation.G),
        softening=float(simulation.softening),
        dt=float(simulation.dt),
        time=float(simulation.t),
        label="REBOUND",
    )


def to_rebound(bodies: Union[Scene, Simulation], rebound: Optional[Any] = None) -> Any:
    """A new `rebound.Simulation` with the present bodies, G, softening, t and dt; its integrator is REBOUND's default.

    `rebound`: the module to use; None imports it. Raises ImportError if it is not installed, and UsageError for a force
    other than Plummer-softened gravity.
    """
    scene = bodies.scene() if isinstance(bodies, Simulation) else bodies
    if scene.law != "gravity":
        raise UsageError(f"rebound: expected the law 'gravity', found '{scene.law}'")
    module = importlib.import_module("rebound") if rebound is None else rebound
    simulation = module.Simulation()
    simulation.G = scene.G
    simulation.softening = scene.softening
    simulation.t = scene.time
    simulation.dt = scene.dt
    for (x, y, z), (vx, vy, vz), m in zip(scene.positions.tolist(), scene.velocities.tolist(), scene.masses.tolist()):
        simulation.add(m=m, x=x, y=y, z=z, vx=vx, vy=vy, vz=vz)
    return simulation
