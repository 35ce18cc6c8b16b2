# SPDX-License-Identifier: MIT
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import orrery
from support import plummer


def child(code, **more):
    """Runs code in a separate process with this module; returns its output."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, **more)
    if done.returncode != 0:
        raise AssertionError(f"{done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def stepped(sim, n):
    sim.step(n)
    return sim


class Lock(unittest.TestCase):
    def counts_meanwhile(self, work):
        """Counts how often this thread runs while another one executes `work`."""
        begun, ended = threading.Event(), threading.Event()

        def body():
            begun.set()
            work()
            ended.set()

        worker = threading.Thread(target=body)
        worker.start()
        begun.wait()
        counted = 0
        while not ended.is_set():
            counted += 1
        worker.join()
        return counted

    def test_is_released_in_every_long_call(self):
        """Each call takes tens of milliseconds at least. If it kept the GIL, this thread would count to a few at most,
        because it gets the GIL once before `work` and once after it."""
        sim = plummer(6000, engine="reference", threads=1, precision="double")
        scene = orrery.scene("plummer", bodies=300_000)
        # With such a long switch interval Python requests the GIL from no thread: this thread gets it only if a call
        # releases it.
        before = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            for name, work in (("step", sim.step), ("energies", sim.energies), ("error", lambda: sim.error(2000)),
                               ("scene", lambda: orrery.scene("plummer", bodies=300_000)),
                               ("Simulation", lambda: orrery.Simulation(scene, "tree", backend="cpu")),
                               ("render", lambda: sim.render(640, 360))):
                with self.subTest(name):
                    seen = []

                    def body():
                        seen.append("began")
                        work()
                        seen.append("ended")

                    worker = threading.Thread(target=body)
                    worker.start()  # waits for the GIL until the thread runs
                    while not seen:
                        time.sleep(0)
                    self.assertEqual(seen, ["began"])
                    worker.join()
        finally:
            sys.setswitchinterval(before)

    def test_other_threads_continue(self):
        sim = plummer(3000, engine="reference", threads=1, precision="double")
        self.assertGreater(self.counts_meanwhile(lambda: sim.step(2)), 1000)


class Calls(unittest.TestCase):
    def test_from_many_threads_are_serialised(self):
        sim, alone = plummer(100, engine="tree"), plummer(100, engine="tree")
        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(sum(pool.map(lambda _: sim.step(5), range(40))), 200)
        alone.step(200)
        self.assertEqual(sim.steps, 200)
        np.testing.assert_array_equal(sim.positions, alone.positions)

    def test_of_all_kinds_run_concurrently(self):
        sim = plummer(64, engine="direct")
        failed = []
        stop = threading.Event()

        def again(call):
            while not stop.is_set():
                try:
                    call()
                except Exception as error:  # pylint: disable=broad-except
                    failed.append(error)
                    return

        engines = iter(["tree", "direct", "half", "fmm"] * 1000)
        calls = (sim.step, sim.energies, lambda: sim.set_engine(next(engines)), lambda: np.array(sim.positions),
                 lambda: np.array(sim.accelerations), lambda: pickle.dumps(sim), lambda: (sim.time, sim.steps, len(sim)),
                 lambda: repr(sim), lambda: sim.error(16))
        threads = [threading.Thread(target=again, args=(call,)) for call in calls]
        for thread in threads:
            thread.start()
        while sim.steps < 200 and not failed:
            time.sleep(0.001)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertTrue(np.isfinite(sim.positions).all())

    def test_close_during_a_step(self):
        sim = plummer(100)
        begun = threading.Event()
        errors = []

        def step():
            try:
                sim.step(10 ** 9, callback=lambda s: begun.set())
            except orrery.UsageError as error:
                errors.append(str(error))

        worker = threading.Thread(target=step)
        worker.start()
        begun.wait()
        sim.close()
        worker.join()
        self.assertEqual(errors, ["this simulation is closed"])

    def test_pictures_from_many_threads(self):
        sim = plummer(200)
        wanted = sim.render(160, 90)
        with ThreadPoolExecutor(4) as pool:
            for picture in pool.map(lambda _: sim.render(160, 90), range(12)):
                np.testing.assert_array_equal(picture, wanted)


class Closed(unittest.TestCase):
    def test_refuses_all_calls(self):
        with plummer(10) as sim:
            sim.step()
            time_then = sim.time
        self.assertTrue(sim.closed)
        self.assertIn("closed", repr(sim))
        for call in (sim.step, sim.energies, sim.error, sim.scene, sim.copy, lambda: sim.positions, lambda: sim.dt,
                     lambda: sim.run_until(9), lambda: sim.set_engine("tree"), lambda: sim.render(64, 64), lambda: sim.engine,
                     lambda: pickle.dumps(sim), lambda: sim.set_state(masses=np.ones(10)), lambda: sim.save("a.csv")):
            with self.assertRaisesRegex(orrery.UsageError, "this simulation is closed"):
                call()
        sim.close()
        self.assertEqual(sim.time, time_then)


class Signals(unittest.TestCase):
    def test_ctrl_c_ends_a_run_after_the_step(self):
        before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            for callback in (None, lambda s: None):
                sim = plummer(50)
                sim.step()
                reached = threading.Event()

                def press():
                    while sim.steps < 20:
                        time.sleep(0.001)
                    reached.set()
                    os.kill(os.getpid(), signal.SIGINT)

                thread = threading.Thread(target=press)
                thread.start()
                with self.assertRaises(KeyboardInterrupt):
                    sim.run_until(1e9, callback=callback)
                thread.join()
                self.assertTrue(reached.is_set())
                steps = sim.steps
                other = plummer(50)
                other.step(steps)
                np.testing.assert_array_equal(sim.positions, other.positions)
        finally:
            signal.signal(signal.SIGINT, before)


class Processes(unittest.TestCase):
    def test_a_fork_after_threads_is_refused_and_does_not_hang(self):
        said = child("""
import os, orrery
sim = orrery.Simulation(orrery.scene("plummer", bodies=3000), "tree", backend="cpu")
sim.step()
pid = os.fork()
if pid == 0:
    try:
        sim.step()
    except orrery.MachineError as error:
        os._exit(7 if "fork" in str(error) else 8)
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
sim.step()
print(sim.steps)
""")
        self.assertEqual(said.split(), ["7", "2"])

    def test_spawned_processes_get_simulations(self):
        """Arguments of a process pool are pickled and give the same bits there."""
        sim = plummer(100, engine="tree")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            there = pool.apply(stepped, (sim, 5))
        sim.step(5)
        np.testing.assert_array_equal(there.positions, sim.positions)

    def test_ends_while_threads_are_at_work(self):
        child("""
import threading, time, orrery
sim = orrery.Simulation(orrery.scene("plummer", bodies=500), backend="cpu")
sim.render(64, 64)
threading.Thread(target=lambda: sim.step(10 ** 9), daemon=True).start()
while sim.steps < 3:
    time.sleep(0.001)
""")


if __name__ == "__main__":
    unittest.main()
