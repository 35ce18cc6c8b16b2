# SPDX-License-Identifier: MIT
"""Errors that name the argument at fault, whole numbers given as floats, and signatures."""
import inspect
import unittest

import numpy as np

import orrery
from support import plummer, some_bodies


class Arguments(unittest.TestCase):
    def refused(self, call, *words):
        with self.assertRaises(TypeError) as caught:
            call()
        text = str(caught.exception)
        for word in words:
            self.assertIn(word, text)
        self.assertNotIn("Invoked with", text)
        self.assertNotIn("\n", text)
        self.assertLess(len(text), 250)

    def test_unknown_keywords_suggest_the_right_one(self):
        x, v, m = some_bodies(3)
        self.refused(lambda: orrery.Scene(x, v, m, epsilon=0.1), "Scene()", "'epsilon'", "did you mean 'softening'?")
        self.refused(lambda: orrery.scene("plummer", nbodies=10), "did you mean 'bodies'?")
        self.refused(lambda: plummer(10).step(nn=2), "step() has no keyword 'nn'", "did you mean 'n'?")
        self.refused(lambda: plummer(10, thetta=0.5), "'thetta' is not a setting of an engine; did you mean 'theta'?")
        self.refused(lambda: orrery.scene("plummer", bodies=10).render(64, 64, colormap="plasma"), "did you mean 'color_map'?")

    def test_whole_floats_are_whole_numbers(self):
        self.assertEqual(len(orrery.scene("plummer", bodies=1e2)), 100)
        self.assertEqual(plummer(10).step(2.0), 2)
        self.assertEqual(len(orrery.scene("plummer", bodies=np.int32(20))), 20)
        self.refused(lambda: plummer(10).step(1.5), "step(): n: expected a whole number, found 1.5 (float)")

    def test_wrong_types_name_the_argument(self):
        x, v, m = some_bodies(3)
        self.refused(lambda: orrery.Scene(x, v, m, dt="0.5day"), "dt: expected a number, found '0.5day' (str)", "scene's units")
        self.refused(lambda: orrery.Simulation(orrery.scene("plummer", bodies=9), precision=np.float64), "precision: expected a str")
        self.refused(lambda: orrery.load(3), "load(): path: expected a path, found 3 (int)")
        self.refused(lambda: orrery.Scene(), "Scene() needs positions")
        self.refused(lambda: orrery.Simulation(3), "scene: expected a Scene, or the name of a preset")
        self.refused(lambda: orrery.scene("plummer", 100), "give the others by keyword")
        self.refused(lambda: orrery.load("a", path="b"), "path is given twice")

    def test_a_simulation_accepts_a_preset_name(self):
        self.assertEqual(len(orrery.Simulation("figure-eight", backend="cpu")), 3)
        with self.assertRaisesRegex(orrery.UsageError, "did you mean 'plummer'"):
            orrery.Simulation("plumer")
        with self.assertRaisesRegex(orrery.UsageError, "did you mean 'plummer'"):
            orrery.scene("plumer")

    def test_errors_use_python_keywords(self):
        with self.assertRaises(orrery.UsageError) as caught:
            orrery.Simulation(orrery.scene("plummer", bodies=10), "direct", backend="cpu", compensated=True, precision="mixed",
                              integrator="no-such")
        self.assertNotIn("--", str(caught.exception))

    def test_signatures_are_those_of_the_stubs(self):
        self.assertEqual(str(inspect.signature(orrery.Simulation.step)), "(self, n=1, *, callback=None, every=1)")
        self.assertIn("encounters", inspect.signature(orrery.scene).parameters)
        for owner in (orrery.Scene, orrery.Simulation, orrery.Film):
            for name, member in vars(owner).items():
                if callable(member) and not name.startswith("_"):
                    self.assertTrue(inspect.signature(member).parameters, name)

    def test_docstrings_have_readable_lines(self):
        for owner in (orrery.Scene.__init__, orrery.Simulation.__init__, orrery.Simulation.step, orrery.load):
            lines = inspect.getdoc(owner).splitlines()[1:]
            self.assertLessEqual(max(map(len, lines)), 100)

    def test_a_masked_array_is_refused(self):
        x, v, m = some_bodies(3)
        with self.assertRaisesRegex(orrery.UsageError, "masses: .*mask"):
            orrery.Scene(x, v, np.ma.array(m, mask=[False, True, False]))
        orrery.Scene(x, v, np.ma.array(m))  # no element is masked

    def test_objects_without_init_are_refused(self):
        for type in (orrery.Scene, orrery.Simulation):
            with self.assertRaises(TypeError):
                type.__new__(type).copy()


if __name__ == "__main__":
    unittest.main()
