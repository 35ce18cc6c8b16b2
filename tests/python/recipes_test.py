# SPDX-License-Identifier: MIT
"""The code of docs/python.md runs, with fewer bodies and steps."""
import concurrent.futures
import contextlib
import importlib.util
import os
import pathlib
import re
import types
import unittest

import numpy

import orrery
from support import InFolder, some_bodies

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
SMALLER = (("10_000", "300"), ("bodies=1000", "bodies=30"), ("run_until(1.0)", "run_until(0.05)"), ("run_until(10,", "run_until(1,"),
           ("every=50", "every=5"), ("step(100,", "step(3,"), ("run_until(5)", "run_until(0.2)"), ("range(16)", "range(3)"),
           ("range(100)", "range(2)"), ("evolve_model(1.0)", "evolve_model(0.02)"), ("orrery.show(sim)", "shown(sim)"))


class Recipes(InFolder):
    def test_run(self):
        page = PAGE.read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(blocks), 4)
        code = "\n".join(blocks)
        for large, small in SMALLER:
            self.assertIn(large, code)
            code = code.replace(large, small)
        x, v, m = some_bodies(20)
        window = types.SimpleNamespace(close=lambda: closed.append(True))
        closed, table = [], []
        space = dict(zip(("x", "y", "z"), x.T), **dict(zip(("vx", "vy", "vz"), v.T)), mass=m, numpy=numpy, table=table,
                     concurrent=concurrent, shown=lambda sim: window)
        with contextlib.chdir(self.folder) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
            exec(compile(code, str(PAGE), "exec"), space)
            self.assertTrue(os.path.exists("energies.mp4"))
        self.assertGreater(len(table), 3)
        self.assertEqual(closed, [True])
        self.assertEqual(len(space["totals"]), 3)

    def test_names_of_the_page_exist(self):
        page = PAGE.read_text(encoding="utf-8")
        for name in re.findall(r"\borrery\.([A-Za-z_]\w*)", re.sub(r"[\w/.]*orrery\.(?:deb|orrery)", "", page)):
            self.assertTrue(hasattr(orrery, name) or importlib.util.find_spec(f"orrery.{name}"), name)


if __name__ == "__main__":
    unittest.main()
