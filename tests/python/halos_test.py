# SPDX-License-Identifier: MIT
"""Halo catalogues as structured arrays."""
import unittest

import numpy as np

import orrery
from support import InFolder

LIST = """#ID DescID Mvir Rvir Np X Y Z VX VY VZ
#a = 1.0
9007199254740993 -1 40 500 40 2 0 0 1 2 3
12 -1 80 250 40 7 nan 0 0 0 0
13 -1 80 250 20 7 0.5 0 0 0 0
"""


class Halos(InFolder):
    def path(self, name, text=None):
        if text is not None:
            (self.folder / name).write_text(text)
        return self.folder / name

    def test_columns_are_exact_and_unplaced_haloes_left_out(self):
        halos = orrery.halos(self.path("out_1.list", LIST))
        self.assertEqual(halos.shape, (2,))
        self.assertEqual(halos["id"].tolist(), [9007199254740993, 13])
        self.assertEqual(halos["mass"].tolist(), [40, 80])
        np.testing.assert_array_equal(halos["position"], [[2, 0, 0], [7, 0.5, 0]])
        np.testing.assert_array_equal(halos["velocity"][0], [1, 2, 3])
        self.assertEqual(halos["radius"].tolist(), [0.5, 0.25])
        self.assertEqual(halos["descendant"].tolist(), [-1, -1])
        self.assertEqual(halos["snapshot"].tolist(), [1, 1])

    def test_members_are_bodies_of_the_snapshot(self):
        catalogue = self.path("out_1.list", LIST)
        rows = ["m,x,y,z,vx,vy,vz", "1,2.1,0,0,0,0,0", "1,7,0.4,0,0,0,0", "1,2.6,0,0,0,0,0"]
        bodies = self.path("bodies.csv", "\n".join(rows) + "\n")
        self.assertEqual(orrery.halo_members(catalogue, 0, bodies).tolist(), [0])
        self.assertEqual(orrery.halo_members(catalogue, 1, bodies).tolist(), [1])
        with self.assertRaises(IndexError):
            orrery.halo_members(catalogue, 2, bodies)

    def test_other_files_are_refused(self):
        bodies = self.path("bodies.csv", "m,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n")
        with self.assertRaisesRegex(orrery.UsageError, "not a halo catalogue"):
            orrery.halos(bodies)


if __name__ == "__main__":
    unittest.main()
