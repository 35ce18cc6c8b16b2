# SPDX-License-Identifier: MIT
"""Selections by condition, line, ids and indices; combined and written."""
import unittest

import numpy as np

import orrery
from support import InFolder


def numbered(ids):
    """Four bodies on a line with these ids."""
    places = [[float(i % 10), 0, 0] for i in ids]
    return orrery.Scene(places, masses=np.ones(len(ids)), ids=np.array(ids, dtype=np.uint64))


class Selections(InFolder):
    def test_a_condition_selects_what_numpy_selects(self):
        scene = orrery.scene("plummer", bodies=500)
        found = scene.select("x > 0 & r < 1")
        mask = (scene.positions[:, 0] > 0) & (np.linalg.norm(scene.positions, axis=1) < 1)
        np.testing.assert_array_equal(found.mask, mask)
        np.testing.assert_array_equal(found.indices, np.flatnonzero(mask))
        self.assertEqual(len(found), mask.sum())

    def test_a_simulation_selects_by_its_current_state(self):
        sim = orrery.Simulation(orrery.scene("plummer", bodies=200), "direct", backend="cpu")
        sim.step(50)
        np.testing.assert_array_equal(sim.select("y < 0").mask, np.asarray(sim.positions)[:, 1] < 0)

    def test_a_line_encloses_bodies_over_two_expressions(self):
        scene = orrery.scene("plummer", bodies=500)
        found = scene.select(within=[(0.5, -1), (1, -1), (1, 1), (0.5, 1)], x="r", y="vx")
        r, vx = np.linalg.norm(scene.positions, axis=1), scene.velocities[:, 0]
        np.testing.assert_array_equal(found.mask, (r > 0.5) & (r < 1) & (abs(vx) < 1))

    def test_sets_are_combined_by_ids_in_any_order(self):
        first, later = numbered([11, 12, 13, 14]), numbered([14, 13, 15, 11])
        a, b = first.select(ids=[11, 12]), later.select(indices=[3, 0])
        self.assertEqual(list((a & b).ids), [11])
        self.assertEqual(list((a | b).ids), [11, 12, 14])
        self.assertEqual(list((a - b).ids), [12])
        self.assertEqual(list((~a).ids), [13, 14])

    def test_ids_and_snapshots_are_written(self):
        scene = numbered([11, 12, 2**63 + 1, 14])
        found = scene.select("x > 3 | id == 12")
        found.save(self.folder / "some.ids")
        with open(self.folder / "some.ids") as file:
            self.assertEqual(file.read(), "12\n14\n9223372036854775809\n")
        found.save(self.folder / "some.csv", scene)
        self.assertEqual(list(orrery.load(self.folder / "some.csv").ids), [12, 2**63 + 1, 14])

    def test_refusals(self):
        scene = orrery.scene("plummer", bodies=10)
        with self.assertRaisesRegex(orrery.UsageError, "T"):
            scene.select("T > 1")
        with self.assertRaisesRegex(orrery.UsageError, "index 10"):
            scene.select(indices=[10])
        with self.assertRaisesRegex(orrery.UsageError, "needs the bodies"):
            scene.select("x > 0").save("some.csv")


if __name__ == "__main__":
    unittest.main()
