# SPDX-License-Identifier: MIT
import gc
import threading
import time
import unittest
import weakref

import numpy as np

import orrery
from support import plummer

NAMES = ("positions", "velocities", "masses", "accelerations")


def address(array):
    return array.__array_interface__["data"][0]


class Cost(unittest.TestCase):
    def test_a_call_costs_little(self):
        """measure.py gives values well below 2 µs; the minimum of many is within ten times that on any machine."""
        sim = orrery.Simulation(orrery.Scene([[0.0, 0, 0]]), "reference", backend="cpu", threads=1)
        for call in (lambda: sim.time, lambda: sim.positions, lambda: sim.dt, lambda: len(sim), lambda: sim.step(0)):
            quickest = 1.0
            for _ in range(2000):
                start = time.perf_counter()
                call()
                quickest = min(quickest, time.perf_counter() - start)
            self.assertLess(quickest, 20e-6)


class Views(unittest.TestCase):
    def test_no_byte_is_copied(self):
        """Positions and masses share rows of four numbers, and do not move during steps."""
        for precision, type in (("single", np.float32), ("mixed", np.float64), ("double", np.float64)):
            sim = plummer(100, precision=precision)
            size = np.dtype(type).itemsize
            where = {name: address(getattr(sim, name)) for name in NAMES}
            self.assertEqual(where["masses"], where["positions"] + 3 * size)
            for name in NAMES:
                view = getattr(sim, name)
                self.assertEqual(view.dtype, type)
                self.assertEqual(view.shape, (100,) if name == "masses" else (100, 3))
                self.assertEqual(view.strides, (4 * size,) if name == "masses" else (4 * size, size))
                self.assertFalse(view.flags.owndata)
            sim.step(5)
            self.assertEqual({name: address(getattr(sim, name)) for name in NAMES}, where)

    def test_show_every_later_step(self):
        sim = plummer(100)
        seen, before = sim.positions, np.array(sim.positions)
        sim.step()
        self.assertFalse((seen == before).any())
        self.assertIs(sim.positions, seen)
        np.testing.assert_array_equal(seen, sim.scene().positions.astype(np.float32))

    def test_are_read_only(self):
        sim = plummer(10)
        for name in NAMES:
            view = getattr(sim, name)
            with self.assertRaises(ValueError):
                view[0] = 1
            with self.assertRaises(ValueError):
                view.flags.writeable = True
        with self.assertRaises(AttributeError):
            sim.positions = np.zeros((10, 3))

    def test_outlive_the_simulation(self):
        sim = plummer(1000)
        sim.step()
        seen = [getattr(sim, name) for name in NAMES]
        kept = [np.array(one) for one in seen]
        sim.close()
        del sim
        gc.collect()
        fill = [np.ones(4000) for _ in range(100)]  # would reuse memory freed too early
        for view, copy in zip(seen, kept):
            np.testing.assert_array_equal(view, copy)
        self.assertEqual(len(fill), 100)

    def test_keep_the_current_bodies_when_the_engine_changes(self):
        sim = plummer(1000)
        sim.step()
        seen, kept = sim.positions, np.array(sim.positions)
        for change in ({"engine": "tree"}, {"precision": "double"}, {"engine": "half", "precision": "single"}):
            sim.set_engine(**change)
            sim.step(2)
            np.testing.assert_array_equal(seen, kept)
            self.assertNotEqual(address(sim.positions), address(seen))
            self.assertEqual(sim.positions.dtype, np.float64 if sim.precision == "double" else np.float32)

    def test_the_last_view_frees_the_memory(self):
        sim = plummer(10)
        seen = sim.positions
        gone = weakref.ref(seen)
        sim.close()
        del sim
        gc.collect()
        self.assertIsNotNone(gone())
        del seen
        gc.collect()
        self.assertIsNone(gone())

    def test_accelerations_are_those_of_the_positions(self):
        for integrator in ("leapfrog", "leapfrog-dkd", "hermite4"):
            sim = plummer(64, engine="direct", precision="double", integrator=integrator)
            sim.step(3)
            wanted = orrery.Simulation(sim.scene(), "reference", backend="cpu", precision="double",
                                       integrator="leapfrog").accelerations
            np.testing.assert_allclose(sim.accelerations, wanted, rtol=1e-9, err_msg=integrator)

    def test_are_available_while_another_thread_steps(self):
        sim = plummer(200)
        stop = threading.Event()

        def step():
            while not stop.is_set():
                sim.step()

        worker = threading.Thread(target=step)
        worker.start()
        try:
            for _ in range(200):
                self.assertEqual(sim.positions.shape, (200, 3))
        finally:
            stop.set()
            worker.join()


if __name__ == "__main__":
    unittest.main()
