# SPDX-License-Identifier: MIT
"""REBOUND is not a Debian package. Uses it if it is installed, and always a stand-in with the documented members of
Simulation and Particle."""
import types
import unittest

import numpy as np

import orrery
from support import plummer, some_bodies

try:
    import rebound
except ImportError:
    rebound = None


class Particle:
    def __init__(self, m=0.0, x=0.0, y=0.0, z=0.0, vx=0.0, vy=0.0, vz=0.0):
        self.m, self.x, self.y, self.z, self.vx, self.vy, self.vz = m, x, y, z, vx, vy, vz


class StandIn:
    """rebound.Simulation, by its documented attributes (rebound.readthedocs.io: Simulation, Particles)."""

    def __init__(self):
        self.G, self.t, self.dt, self.softening = 1.0, 0.0, 0.001, 0.0
        self.N_active, self.N_var, self.testparticle_type = -1, 0, 0
        self.particles = []

    @property
    def N(self):
        return len(self.particles)

    def add(self, **columns):
        self.particles.append(Particle(**columns))


class WithCopies(StandIn):
    def serialize_particle_data(self, xyz=None, vxvyvz=None, m=None):
        for i, p in enumerate(self.particles):
            xyz[i], vxvyvz[i], m[i] = (p.x, p.y, p.z), (p.vx, p.vy, p.vz), p.m


class Fifth(StandIn):
    """As in version 5: variational particles are separate, and all particles are active if the number is the maximum."""

    def __init__(self):
        super().__init__()
        self.N_active, self.N_var, self.particles_var = 2 ** 64 - 1, 3, []


def filled(simulation, count=20):
    x, v, m = some_bodies(count)
    simulation.G, simulation.t, simulation.dt, simulation.softening = 2.0, 3.0, 0.01, 0.05
    for i in range(count):
        simulation.add(m=m[i], x=x[i, 0], y=x[i, 1], z=x[i, 2], vx=v[i, 0], vy=v[i, 1], vz=v[i, 2])
    return x, v, m


class Rebound(unittest.TestCase):
    kinds = [StandIn, WithCopies, Fifth] + ([rebound.Simulation] if rebound else [])

    def test_bodies_are_copied(self):
        for kind in self.kinds:
            source = kind()
            x, v, m = filled(source)
            scene = orrery.from_rebound(source)
            np.testing.assert_array_equal(scene.positions, x)
            np.testing.assert_array_equal(scene.velocities, v)
            np.testing.assert_array_equal(scene.masses, m)
            self.assertEqual((scene.G, scene.time, scene.dt, scene.softening), (2, 3, 0.01, 0.05))

    def test_round_trip(self):
        sim = plummer(30, precision="double")
        sim.step(2)
        for kind in self.kinds:
            there = orrery.to_rebound(sim, types.SimpleNamespace(Simulation=kind))
            self.assertEqual((there.N, there.t, there.dt), (30, sim.time, sim.dt))
            back = orrery.from_rebound(there)
            np.testing.assert_array_equal(back.positions, sim.positions)
            np.testing.assert_array_equal(back.velocities, sim.velocities)

    def test_test_particles_have_no_mass(self):
        for kind in self.kinds:
            source = kind()
            _, _, m = filled(source)
            source.N_active = 5
            masses = orrery.from_rebound(source).masses
            np.testing.assert_array_equal(masses[:5], m[:5])
            np.testing.assert_array_equal(masses[5:], 0)
            source.testparticle_type = 1
            with self.assertRaisesRegex(orrery.UsageError, "testparticle_type"):
                orrery.from_rebound(source)

    def test_variational_particles_are_not_bodies(self):
        source = StandIn()
        filled(source)
        source.N_var = 6
        self.assertEqual(len(orrery.from_rebound(source)), 14)

    def test_refusals(self):
        with self.assertRaisesRegex(orrery.UsageError, "no particles"):
            orrery.from_rebound(StandIn())
        backward = StandIn()
        filled(backward)
        backward.dt = -0.1
        with self.assertRaisesRegex(orrery.UsageError, "dt"):
            orrery.from_rebound(backward)
        with self.assertRaisesRegex(orrery.UsageError, "lennard-jones"):
            orrery.to_rebound(orrery.scene("argon-drop", bodies=32), types.SimpleNamespace(Simulation=StandIn))

    @unittest.skipUnless(rebound, "REBOUND is not installed")
    def test_both_follow_the_same_path(self):
        """Both use drift-kick-drift leapfrog, for a softened cluster in double."""
        source = rebound.Simulation()
        filled(source)
        source.integrator = "leapfrog"
        sim = orrery.Simulation(orrery.from_rebound(source), "reference", backend="cpu", precision="double",
                                integrator="leapfrog-dkd")
        for _ in range(50):
            source.step()
        sim.step(50)
        np.testing.assert_allclose(sim.positions, orrery.from_rebound(source).positions, rtol=1e-10, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
