# SPDX-License-Identifier: MIT
"""Gravity with the methods that AMUSE (Portegies Zwart et al. 2009) requires of gravitational dynamics codes.

Names and arguments are those of AMUSE's GravitationalDynamicsInterface. Numbers are plain, in units in which G has the value
given to the class (1: N-body units); arguments may be arrays, and results then are too; errors are exceptions instead of
codes. AMUSE's worker protocol over MPI or sockets is not supported: this class is called from Python.
"""
from typing import Any, Dict, List, NamedTuple, Optional

import numpy

from ._core import Scene, Simulation, UsageError


class State(NamedTuple):
    """Result of get_state(): numbers, or arrays of equal shape."""

    mass: Any
    x: Any
    y: Any
    z: Any
    vx: Any
    vy: Any
    vz: Any
    radius: Any


_COLUMNS = State._fields


class Gravity:
    """Bodies with permanent indices, and a model that is evolved to a time.

    `settings` are those of orrery.Simulation: engine, backend, precision, integrator, theta …
    """

    def __init__(self, G: float = 1.0, *, precision: str = "double", **settings: Any) -> None:
        self._settings: Dict[str, Any] = {"precision": precision, **settings}
        self._G = float(G)
        self._eps2 = 0.0
        self._time_step = 1e-3
        self._begin_time = 0.0
        self._rows: Dict[int, int] = {}  # row of an index
        self._columns = numpy.zeros((len(_COLUMNS), 0))
        self._next = 0
        self._backward = False
        self._simulation: Optional[Simulation] = None
        self._changed = True  # bodies or parameters have changed since the simulation was made

    # Life cycle

    def initialize_code(self) -> None:
        """Does nothing."""

    def commit_parameters(self) -> None:
        """Applies the parameters."""
        self._fetch()
        self._changed = True

    recommit_parameters = commit_parameters

    def commit_particles(self) -> None:
        """Applies the particles. Raises UsageError if there are none, and as orrery.Simulation() does."""
        self._model()

    recommit_particles = commit_particles

    def synchronize_model(self) -> None:
        """Does nothing: the model is always synchronised."""

    def cleanup_code(self) -> None:
        """Ends the simulation and removes all particles."""
        if self._simulation is not None:
            self._simulation.close()
        self.__init__(self._G, **self._settings)  # type: ignore[misc]

    stop = cleanup_code

    # Particles

    def new_particle(self, mass: Any, x: Any, y: Any, z: Any, vx: Any, vy: Any, vz: Any, radius: Any = 0.0) -> Any:
        """Adds a particle, or one per array element, and returns the index or indices."""
        given = numpy.broadcast_arrays(*(numpy.asarray(one, float) for one in (mass, x, y, z, vx, vy, vz, radius)))
        self._fetch()
        new = numpy.array([one.ravel() for one in given])
        first = self._columns.shape[1]
        self._columns = numpy.concatenate([self._columns, new], axis=1)
        indices = numpy.arange(self._next, self._next + new.shape[1])
        for offset, index in enumerate(indices.tolist()):
            self._rows[index] = first + offset
        self._next += new.shape[1]
        self._changed = True
        return indices.reshape(given[0].shape) if given[0].ndim else int(indices[0])

    def delete_particle(self, index_of_the_particle: Any) -> None:
        """Removes particles; their indices are not used again. Raises UsageError for an unknown index."""
        gone = set(numpy.ravel(self._row(index_of_the_particle)).tolist())
        self._fetch()
        kept = [row for row in range(self._columns.shape[1]) if row not in gone]
        new_row = {row: place for place, row in enumerate(kept)}
        self._columns = self._columns[:, kept]
        self._rows = {index: new_row[row] for index, row in self._rows.items() if row in new_row}
        self._changed = True

    def get_number_of_particles(self) -> int:
        """Number of particles."""
        return len(self._rows)

    def get_index_of_first_particle(self) -> int:
        """The smallest index. Raises UsageError if there are no particles."""
        if not self._rows:
            raise UsageError("amuse: there are no particles")
        return min(self._rows)

    def get_index_of_next_particle(self, index_of_the_particle: int) -> int:
        """The next larger index. Raises UsageError after the last one."""
        larger = [index for index in self._rows if index > index_of_the_particle]
        if not larger:
            raise UsageError(f"amuse: there is no particle after {index_of_the_particle}")
        return min(larger)

    def get_indices(self) -> List[int]:
        """All indices, ascending."""
        return sorted(self._rows)

    def get_state(self, index_of_the_particle: Any) -> State:
        """Mass, position, velocity and radius."""
        rows = self._row(index_of_the_particle)
        self._fetch()
        return State(*(column[rows] for column in self._columns))

    def set_state(self, index_of_the_particle: Any, mass: Any, x: Any, y: Any, z: Any, vx: Any, vy: Any, vz: Any,
                  radius: Any = 0.0) -> None:
        """Sets all properties of one or many particles."""
        self._set(index_of_the_particle, mass=mass, x=x, y=y, z=z, vx=vx, vy=vy, vz=vz, radius=radius)

    def get_mass(self, index_of_the_particle: Any) -> Any:
        """Mass."""
        return self.get_state(index_of_the_particle).mass

    def set_mass(self, index_of_the_particle: Any, mass: Any) -> None:
        """Sets the mass."""
        self._set(index_of_the_particle, mass=mass)

    def get_radius(self, index_of_the_particle: Any) -> Any:
        """Radius, which does not affect forces."""
        return self.get_state(index_of_the_particle).radius

    def set_radius(self, index_of_the_particle: Any, radius: Any) -> None:
        """Sets the radius."""
        self._columns[_COLUMNS.index("radius"), self._row(index_of_the_particle)] = radius

    def get_position(self, index_of_the_particle: Any) -> Any:
        """x, y and z."""
        return self.get_state(index_of_the_particle)[1:4]

    def set_position(self, index_of_the_particle: Any, x: Any, y: Any, z: Any) -> None:
        """Sets the position."""
        self._set(index_of_the_particle, x=x, y=y, z=z)

    def get_velocity(self, index_of_the_particle: Any) -> Any:
        """vx, vy and vz."""
        return self.get_state(index_of_the_particle)[4:7]

    def set_velocity(self, index_of_the_particle: Any, vx: Any, vy: Any, vz: Any) -> None:
        """Sets the velocity."""
        self._set(index_of_the_particle, vx=vx, vy=vy, vz=vz)

    def get_acceleration(self, index_of_the_particle: Any) -> Any:
        """ax, ay and az at the current positions, computed by the engine."""
        rows = self._row(index_of_the_particle)
        accelerations = numpy.asarray(self._model().accelerations, dtype=float)
        return tuple(accelerations[rows, axis] for axis in range(3))

    # Parameters

    def get_eps2(self) -> float:
        """ε², the square of the softening length."""
        return self._eps2

    def set_eps2(self, epsilon_squared: float) -> None:
        """Sets ε². Raises UsageError if it is negative or not a number."""
        if not 0 <= epsilon_squared < float("inf"):
            raise UsageError(f"amuse: eps2 {epsilon_squared}: must be 0 or more")
        self._fetch()
        self._eps2 = float(epsilon_squared)
        self._changed = True

    def get_time_step(self) -> float:
        """Step length dt."""
        return self._time_step

    def set_time_step(self, time_step: float) -> None:
        """Sets dt. Raises UsageError if it is not positive."""
        if not 0 < time_step < float("inf"):
            raise UsageError(f"amuse: time step {time_step}: must be positive")
        self._fetch()
        self._time_step = float(time_step)
        self._changed = True

    def get_begin_time(self) -> float:
        """Start time of the model."""
        return self._begin_time

    def set_begin_time(self, time: float) -> None:
        """Sets the start time. Raises UsageError if the model has started."""
        if self._simulation is not None:
            raise UsageError("amuse: the model has already started")
        self._begin_time = float(time)
        self._changed = True

    # The model

    def evolve_model(self, time: float) -> None:
        """Takes steps of dt up to this time; the last one is shortened to end there. Raises UsageError for a time that
        has passed, MachineError if a state is no longer finite."""
        model = self._model()
        if time >= model.time:
            model.run_until(time, exact=True)
            return
        if not self._backward:
            raise UsageError(f"amuse: time {time:g} has passed; set_is_time_reversed_allowed(True) allows steps back")
        model.reversed = True
        try:
            model.run_until(time, exact=True)
        finally:
            model.reversed = False

    def get_time(self) -> float:
        """Time of the model."""
        return self._begin_time if self._simulation is None else self._simulation.time

    def get_kinetic_energy(self) -> float:
        """½ Σ m v²"""
        return self._model().energies().kinetic

    def get_potential_energy(self) -> float:
        """Σ over pairs of −G m m' / √(r² + ε²)"""
        return self._model().energies().potential

    def get_total_mass(self) -> float:
        """Σ m"""
        self._fetch()
        return float(self._columns[0].sum())

    def get_center_of_mass_position(self) -> Any:
        """x, y and z of Σ m x / Σ m."""
        return tuple(self._model().energies().mass_centre.tolist())

    def get_center_of_mass_velocity(self) -> Any:
        """vx, vy and vz of Σ m v / Σ m."""
        found = self._model().energies()
        return tuple((found.momentum / found.mass).tolist())

    def get_total_radius(self) -> float:
        """The largest distance from the centre of mass."""
        model = self._model()
        from_centre = numpy.asarray(model.positions, dtype=float) - model.energies().mass_centre
        return float(numpy.sqrt((from_centre ** 2).sum(axis=1)).max())

    def get_potential(self, index_of_the_particle: Any) -> Any:
        """Potential per mass, Σ over the other particles of −G m' / √(r² + ε²)."""
        self._fetch()
        rows = self._row(index_of_the_particle)
        found = self._potential(self._columns[1:4].T[numpy.atleast_1d(rows)], numpy.atleast_1d(rows))
        return found if numpy.ndim(rows) else float(found[0])

    def get_potential_at_point(self, eps: Any, x: Any, y: Any, z: Any) -> Any:
        """Potential per mass due to all particles at points; eps: softening length of the points, added in quadrature."""
        points, shape = self._points(x, y, z)
        found = self._potential(points, None, eps).reshape(shape)
        return found if shape else float(found)

    def get_gravity_at_point(self, eps: Any, x: Any, y: Any, z: Any) -> Any:
        """ax, ay and az due to all particles at points; eps as in get_potential_at_point()."""
        points, shape = self._points(x, y, z)
        self._fetch()
        result = numpy.empty_like(points)
        for i, (away, inverse) in enumerate(self._from_points(points, eps)):
            result[i] = self._G * (self._columns[0] * inverse ** 3) @ away
        return tuple(column.reshape(shape) if shape else float(column[0]) for column in result.T)

    def get_is_time_reversed_allowed(self) -> bool:
        """True if evolve_model() accepts a time that has passed."""
        return self._backward

    def set_is_time_reversed_allowed(self, value: bool) -> None:
        """Allows evolve_model() to step back in time."""
        self._backward = bool(value)

    @classmethod
    def all_literature_references_string(cls) -> str:
        """Publications on this interface and the engines."""
        return ("AMUSE interface of Orrery\n"
                "    Portegies Zwart et al. 2009, New Astronomy 14, 369 (AMUSE)\n"
                "    Nyland, Harris & Prins 2007, GPU Gems 3, chapter 31 (engine direct)\n"
                "    Navarro & Hitschfeld 2014, HPCC (engine half)\n"
                "    Barnes & Hut 1986, Nature 324, 446 (engine tree)\n"
                "    Dehnen 2014, Comput. Astrophys. 1, 1 (engine fmm)\n")

    @staticmethod
    def _points(x: Any, y: Any, z: Any) -> Any:
        x, y, z = numpy.broadcast_arrays(*(numpy.asarray(one, float) for one in (x, y, z)))
        return numpy.stack([x.ravel(), y.ravel(), z.ravel()], axis=1), x.shape

    def _from_points(self, points: Any, eps: Any) -> Any:
        """For each point: vectors to all particles, and 1 / √(r² + ε²)."""
        extra = numpy.broadcast_to(numpy.asarray(eps, float) ** 2, (len(points),))
        for point, own in zip(points, extra):
            away = self._columns[1:4].T - point
            with numpy.errstate(divide="ignore"):
                yield away, 1 / numpy.sqrt((away ** 2).sum(axis=1) + self._eps2 + own)

    def _potential(self, points: Any, own_rows: Any, eps: Any = 0.0) -> Any:
        self._fetch()
        result = numpy.empty(len(points))
        for i, (_, inverse) in enumerate(self._from_points(points, eps)):
            if own_rows is not None:
                inverse[own_rows[i]] = 0
            result[i] = -self._G * (self._columns[0] @ inverse)
        return result

    # Columns, which all methods use, and the simulation, which moves the bodies

    def _row(self, index: Any) -> Any:
        indices = numpy.asarray(index)
        try:
            rows = [self._rows[one] for one in indices.ravel().tolist()]
        except KeyError as missing:
            raise UsageError(f"amuse: there is no particle {missing.args[0]}") from None
        return numpy.array(rows, dtype=int).reshape(indices.shape) if indices.ndim else rows[0]

    def _set(self, index: Any, **values: Any) -> None:
        rows = self._row(index)
        self._fetch()
        for name, value in values.items():
            self._columns[_COLUMNS.index(name), rows] = value
        self._changed = True

    def _fetch(self) -> None:
        """Updates the columns with positions and velocities of the simulation."""
        if self._simulation is None or self._changed:
            return
        self._columns[1:4] = numpy.asarray(self._simulation.positions, dtype=float).T
        self._columns[4:7] = numpy.asarray(self._simulation.velocities, dtype=float).T

    def _model(self) -> Simulation:
        """The simulation of the columns, made again if they have changed."""
        if self._simulation is not None and not self._changed:
            return self._simulation
        if not self._rows:
            raise UsageError("amuse: there are no particles")
        time = self._begin_time if self._simulation is None else self._simulation.time
        scene = Scene(self._columns[1:4].T, self._columns[4:7].T, self._columns[0], G=self._G,
                      softening=float(numpy.sqrt(self._eps2)), dt=self._time_step, time=time, label="AMUSE")
        simulation = Simulation(scene, **self._settings)
        if self._simulation is not None:
            self._simulation.close()
        self._simulation, self._changed = simulation, False
        return simulation
