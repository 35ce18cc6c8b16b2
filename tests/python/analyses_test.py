# SPDX-License-Identifier: MIT
"""Plots as numbers, colours from an array, series of snapshots and videos."""
import unittest

import numpy as np

import orrery
from support import InFolder, plummer, run_program


class Analyses(InFolder):
    def test_numbers_are_those_of_the_program(self):
        found = orrery.scene("plummer", bodies=500).analyse("density", bins=8)
        table = run_program("plot", "plummer", "density", "--bodies", 500, "--bins", 8).splitlines()
        self.assertEqual(list(found.columns), table[0].split(","))
        rows = np.array([[float(cell or "nan") for cell in line.split(",")] for line in table[1:]])
        np.testing.assert_allclose(np.transpose(list(found.columns.values())), rows, rtol=1e-5)
        self.assertTrue(found.svg.startswith("<svg") or "<svg" in found.svg)
        self.assertIn("svg", found._repr_svg_())

    def test_a_simulation_is_analysed_in_its_current_state(self):
        sim = plummer(300)
        before = sim.analyse("histogram", x="r", bins=5).columns
        sim.step(50)
        after = sim.analyse("histogram", x="r", bins=5).columns
        self.assertFalse(all(np.array_equal(before[name], after[name]) for name in before))

    def test_refusals(self):
        scene = orrery.scene("plummer", bodies=50)
        with self.assertRaisesRegex(orrery.UsageError, "rotation-curve"):
            scene.analyse("rotation")
        with self.assertRaisesRegex(TypeError, "did you mean 'bins'"):
            scene.analyse("density", bin=3)


class Colors(unittest.TestCase):
    def test_an_array_colours_bodies(self):
        scene = orrery.Scene([[-1, 0, 0], [1, 0, 0]], masses=[1.0, 1.0])
        view = dict(glow=0, stars=False)
        one = scene.render(64, 64, colors=[0.0, 1.0], **view)
        other = scene.render(64, 64, colors=[1.0, 0.0], **view)
        self.assertFalse(np.array_equal(one, other))
        np.testing.assert_array_equal(one, scene.render(64, 64, colors=np.array([5, 9]), **view))
        narrow = scene.render(64, 64, colors=[0.0, 1.0], scalar_range=(0, 100), **view)
        self.assertFalse(np.array_equal(one, narrow))

    def test_refusals(self):
        scene = orrery.scene("plummer", bodies=10)
        for colors in (np.zeros(9), np.full(10, np.nan)):
            with self.assertRaisesRegex(orrery.UsageError, "colors"):
                scene.render(64, 64, colors=colors)
        with self.assertRaisesRegex(orrery.UsageError, "color_mode"):
            scene.render(64, 64, colors=np.zeros(10), color_mode="speed")
        with self.assertRaisesRegex(orrery.UsageError, "target"):
            scene.render(64, 64, target=(np.nan, 0, 0))


class SeriesAndFilms(InFolder):
    def test_snapshots_are_a_sequence(self):
        sim = plummer(40)
        for i in range(3):
            sim.save(self.folder / f"snap_{i}.tipsy")
            sim.step(2)
        found = orrery.series(self.folder)
        self.assertEqual((len(found), [path.name for path in found.paths]), (3, ["snap_0.tipsy", "snap_1.tipsy", "snap_2.tipsy"]))
        self.assertEqual([scene.time for scene in found], found.times)
        self.assertEqual(found[-1].time, found.times[2])
        self.assertEqual([len(one) for one in found[1:]], [40, 40])
        with self.assertRaises(IndexError):
            found[3]
        with self.assertRaises(orrery.UsageError):
            orrery.series(self.folder / "none_*.tipsy")

    def test_a_film_has_all_pictures(self):
        sim = plummer(40)
        self.assertEqual(sim.record(self.folder / "frame_%03d.png", 3, steps_per_frame=2, width=64, height=48), 3)
        self.assertEqual(sim.steps, 4)
        self.assertEqual(len(list(self.folder.glob("frame_*.png"))), 3)
        picture = sim.render(64, 48)
        with orrery.Film(self.folder / "a.gif", 64, 48, fps=20) as film:
            film.add(picture)
            film.add(picture[:, :, :3])
            self.assertEqual(len(film), 2)
            with self.assertRaisesRegex(orrery.UsageError, "64 × 48"):
                film.add(sim.render(32, 32))
        self.assertTrue((self.folder / "a.gif").read_bytes().startswith(b"GIF89a"))

    def test_an_exception_leaves_the_film_incomplete(self):
        with self.assertRaises(KeyError):
            with orrery.Film(self.folder / "b.gif", 64, 48) as film:
                film.add(np.zeros((48, 64, 4), np.uint8))
                raise KeyError
        self.assertFalse((self.folder / "b.gif").exists())

    def test_refusals(self):
        for path, more in (("a.xyz", {}), ("a.gif", {"fps": 0}), ("a.gif", {"quality": 0}), ("a.gif", {"width": 3})):
            with self.assertRaises(orrery.UsageError):
                orrery.Film(self.folder / path, **more)
        with self.assertRaisesRegex(orrery.UsageError, "png"):
            orrery.write_png(self.folder / "a.jpg", np.zeros((4, 4, 4), np.uint8))


if __name__ == "__main__":
    unittest.main()
