# SPDX-License-Identifier: MIT
"""Changes of the bodies: add(), remove(), encounters."""
import unittest

import numpy as np

import orrery
from support import direct_sum, some_bodies


class Edits(unittest.TestCase):
    def simulation(self, **more):
        x, v, m = some_bodies(20)
        scene = orrery.Scene(x, v, m, softening=0.1, dt=0.01, **more)
        return orrery.Simulation(scene, "direct", backend="cpu", precision="double"), x, v, m

    def test_added_bodies_attract_and_are_attracted(self):
        sim, x, v, m = self.simulation()
        sim.step(3)
        time, steps = sim.time, sim.steps
        self.assertEqual(sim.add((1.0, 2.0, 3.0), (0, 0, 1), 0.5).tolist(), [20])
        self.assertEqual(sim.add([[4, 0, 0], [5, 0, 0]]).tolist(), [21, 22])
        self.assertEqual((len(sim), sim.time, sim.steps), (23, time, steps))
        np.testing.assert_array_equal(sim.positions[20], [1, 2, 3])
        np.testing.assert_array_equal(sim.velocities[20:], [[0, 0, 1], [0, 0, 0], [0, 0, 0]])
        np.testing.assert_array_equal(sim.masses[20:], [0.5, 0, 0])
        np.testing.assert_allclose(sim.accelerations, direct_sum(sim.positions, sim.masses, softening=0.1), rtol=1e-12)

    def test_removed_bodies_disappear_and_ids_remain(self):
        sim, x, v, m = self.simulation(ids=np.arange(100, 120))
        sim.remove([0, 5])
        self.assertEqual(sim.ids.tolist(), [one for one in range(100, 120) if one not in (100, 105)])
        sim.remove(ids=110)
        self.assertEqual(len(sim), 17)
        np.testing.assert_array_equal(sim.masses, np.delete(m, [0, 5, 10]))
        sim.add((9, 9, 9))
        self.assertEqual(sim.ids[-1], 120)
        np.testing.assert_allclose(sim.accelerations, direct_sum(sim.positions, sim.masses, softening=0.1), rtol=1e-12)

    def test_refusals_change_nothing(self):
        sim, *_ = self.simulation()
        for call in (lambda: sim.remove(), lambda: sim.remove(20), lambda: sim.remove(ids=3), lambda: sim.remove(range(20)),
                     lambda: sim.add((np.nan, 0, 0)), lambda: sim.add((0, 0, 0), masses=-1.0), lambda: sim.add((0, 0, 0), ids=7)):
            with self.assertRaises(orrery.UsageError):
                call()
        self.assertEqual(len(sim), 20)

    def test_mergers_are_reported(self):
        scene = orrery.Scene([[-1, 0, 0], [1, 0, 0], [9, 0, 0]], [[1, 0, 0], [-1, 0, 0], [0, 0, 0]], [1.0, 3.0, 1.0], dt=0.05,
                             G=1e-9, encounters="merge", body_radius=0.1)
        sim = orrery.Simulation(scene, "direct", backend="cpu", precision="double")
        self.assertEqual(sim.encounters.rule, "merge")
        self.assertEqual(sim.encounters.merges, 0)
        sim.run_until(2)
        found = sim.encounters
        self.assertEqual((len(sim), found.merges, len(found.last)), (2, 1, 1))
        last = found.last[0]
        self.assertEqual(last.kind, "merge")
        self.assertAlmostEqual(last.time, 0.9, 6)
        self.assertAlmostEqual(last.speed, 2, 6)
        self.assertEqual({last.mass_first, last.mass_second}, {1.0, 3.0})
        self.assertAlmostEqual(found.energy, 0.5 * 0.75 * 4, 6)  # reduced mass 3/4
        self.assertEqual(sorted(sim.ids.tolist()), sorted({last.first, 2} | {one for one in sim.ids.tolist() if one != last.second}))
        self.assertAlmostEqual(float(np.sum(sim.masses)), 5, 12)

    def test_encounters_of_presets_and_files_can_be_chosen(self):
        self.assertEqual(orrery.Simulation(orrery.scene("planetesimals", bodies=50), backend="cpu").encounters.rule, "merge")
        scene = orrery.scene("planetesimals", bodies=50, encounters="off")
        self.assertEqual(orrery.Simulation(scene, backend="cpu").encounters.rule, "off")
        scene = orrery.scene("plummer", bodies=50, encounters="bounce", restitution=0.5, body_radius=0.01)
        self.assertEqual(orrery.Simulation(scene, backend="cpu").encounters.rule, "bounce")
        with self.assertRaisesRegex(orrery.UsageError, "merg"):
            orrery.scene("plummer", encounters="meet")
        with self.assertRaises(orrery.UsageError):
            orrery.scene("plummer", encounters="bounce", restitution=2)


if __name__ == "__main__":
    unittest.main()
