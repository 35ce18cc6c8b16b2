# SPDX-License-Identifier: MIT
import unittest

import numpy as np

import orrery
from orrery.amuse import Gravity
from support import direct_sum, energy, some_bodies


def filled(count=30, **settings):
    x, v, m = some_bodies(count)
    code = Gravity(backend="cpu", **settings)
    code.initialize_code()
    code.set_eps2(0.01)
    code.set_time_step(0.01)
    code.commit_parameters()
    indices = code.new_particle(m, *x.T, *v.T)
    code.commit_particles()
    return code, indices, x, v, m


class Amuse(unittest.TestCase):
    def test_particles(self):
        code, indices, x, v, m = filled()
        self.assertEqual(indices.tolist(), list(range(30)))
        state = code.get_state(indices)
        np.testing.assert_array_equal(np.transpose(state[1:4]), x)
        np.testing.assert_array_equal(np.transpose(state[4:7]), v)
        np.testing.assert_array_equal(state.mass, m)
        self.assertEqual(code.get_mass(3), m[3])
        self.assertEqual(code.get_position(3), tuple(x[3]))
        self.assertEqual(code.get_velocity(3), tuple(v[3]))
        self.assertEqual(code.get_radius(3), 0)
        code.set_radius(3, 0.5)
        self.assertEqual(code.get_radius(3), 0.5)
        self.assertAlmostEqual(code.get_total_mass(), m.sum(), 12)

    def test_indices_never_change(self):
        code, indices, x, v, m = filled()
        code.delete_particle(indices[4:8])
        self.assertEqual(code.new_particle(1.0, 9, 9, 9, 0, 0, 0), 30)
        self.assertEqual(code.get_number_of_particles(), 27)
        self.assertEqual(code.get_position(8), tuple(x[8]))
        self.assertEqual(code.get_position(30), (9, 9, 9))
        with self.assertRaisesRegex(orrery.UsageError, "no particle 5"):
            code.get_state(5)
        self.assertEqual(code.get_index_of_first_particle(), 0)
        self.assertEqual(code.get_index_of_next_particle(3), 8)
        with self.assertRaises(orrery.UsageError):
            code.get_index_of_next_particle(30)

    def test_energies_and_accelerations(self):
        code, indices, x, v, m = filled(G=2.0)
        kinetic, potential = energy(x, v, m, G=2, softening=0.1)
        self.assertAlmostEqual(code.get_kinetic_energy(), kinetic, 12)
        self.assertAlmostEqual(code.get_potential_energy(), potential, 12)
        np.testing.assert_allclose(np.transpose(code.get_acceleration(indices)), direct_sum(x, m, G=2, softening=0.1), rtol=1e-12)
        np.testing.assert_allclose(code.get_center_of_mass_position(), (m[:, None] * x).sum(0) / m.sum(), rtol=1e-9)
        np.testing.assert_allclose(code.get_center_of_mass_velocity(), (m[:, None] * v).sum(0) / m.sum(), rtol=1e-9)

    def test_evolves_to_the_time(self):
        code, indices, x, v, m = filled(engine="direct")
        code.evolve_model(0.255)
        self.assertAlmostEqual(code.get_time(), 0.255, 14)
        sim = orrery.Simulation(orrery.Scene(x, v, m, softening=0.1, dt=0.01), "direct", backend="cpu", precision="double")
        sim.run_until(0.255, exact=True)
        np.testing.assert_array_equal(np.transpose(code.get_position(indices)), sim.positions)
        with self.assertRaises(orrery.UsageError):
            code.evolve_model(0.1)

    def test_changes_between_two_times(self):
        """Positions are kept when a mass, a parameter or the number of particles changes."""
        code, indices, *_ = filled()
        code.evolve_model(0.1)
        moved, time = code.get_position(7), code.get_time()
        code.set_mass(3, 0.25)
        code.commit_parameters()
        self.assertEqual((code.get_position(7), code.get_time()), (moved, time))
        code.set_velocity(7, 0, 0, 0)
        code.new_particle(0.1, 5, 5, 5, 0, 0, 0)
        self.assertEqual(code.get_mass(3), 0.25)
        self.assertEqual(code.get_velocity(7), (0, 0, 0))
        code.recommit_particles()
        self.assertEqual((code.get_position(7), code.get_time()), (moved, time))
        code.evolve_model(0.2)
        self.assertNotEqual(code.get_position(7), moved)
        self.assertAlmostEqual(code.get_time(), 0.2, 14)

    def test_refusals(self):
        code = Gravity()
        for call in (code.commit_particles, code.get_index_of_first_particle, lambda: code.set_eps2(-1),
                     lambda: code.set_time_step(0), lambda: code.get_state(0)):
            with self.assertRaises(orrery.UsageError):
                call()
        code, *_ = filled()
        with self.assertRaises(orrery.UsageError):
            code.set_begin_time(1)
        code.stop()
        self.assertEqual(code.get_number_of_particles(), 0)


if __name__ == "__main__":
    unittest.main()
