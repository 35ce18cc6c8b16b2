# SPDX-License-Identifier: MIT
import copy
import json
import pickle
import unittest
import warnings

import numpy as np

import orrery
from support import InFolder, direct_sum, energy, has_hdf5, plummer, relative_error, run_program, some_bodies

EXACT = ("reference", "direct", "half", "naive")


class Forces(unittest.TestCase):
    def test_every_engine_agrees_with_numpy(self):
        x, v, m = some_bodies(300)
        wanted = direct_sum(x, m, G=2, softening=0.05)
        scene = orrery.Scene(x, v, m, G=2, softening=0.05)
        for entry in orrery.engines():
            if entry.backend != "cpu" or "gravity" not in entry.laws:
                continue
            for precision in entry.precisions:
                sim = orrery.Simulation(scene, entry.id, backend="cpu", precision=precision)
                limit = 1e-2 if entry.id not in EXACT else 1e-13 if precision == "double" else 1e-6
                self.assertLess(relative_error(sim.accelerations, wanted), limit, f"{entry.id} {precision}")

    def test_a_step_is_a_leapfrog_step(self):
        x, v, m = some_bodies(40)
        dt = 0.01
        sim = orrery.Simulation(orrery.Scene(x, v, m, softening=0.1, dt=dt), "reference", backend="cpu", precision="double")
        self.assertEqual(sim.step(), 1)
        half = v + 0.5 * dt * direct_sum(x, m, softening=0.1)
        moved = x + dt * half
        np.testing.assert_allclose(sim.positions, moved, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(sim.velocities, half + 0.5 * dt * direct_sum(moved, m, softening=0.1), rtol=1e-11, atol=1e-14)

    def test_energies(self):
        x, v, m = some_bodies(60)
        sim = orrery.Simulation(orrery.Scene(x, v, m, G=3, softening=0.2), backend="cpu", precision="double")
        kinetic, potential = energy(x, v, m, G=3, softening=0.2)
        found = sim.energies()
        np.testing.assert_allclose((found.kinetic, found.potential, found.total), (kinetic, potential, kinetic + potential),
                                   rtol=1e-12)
        np.testing.assert_allclose(found.momentum, (m[:, None] * v).sum(axis=0), rtol=1e-10, atol=1e-15)
        np.testing.assert_allclose(found.angular_momentum, (m[:, None] * np.cross(x, v)).sum(axis=0), rtol=1e-10, atol=1e-15)
        np.testing.assert_allclose(found.mass_centre, (m[:, None] * x).sum(axis=0) / m.sum(), rtol=1e-10, atol=1e-15)
        self.assertAlmostEqual(found.mass, m.sum(), 12)

    def test_drift_shows_whether_the_run_is_accurate(self):
        sound = orrery.Simulation(orrery.scene("figure-eight"), backend="cpu", precision="double")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sound.step(200)
        self.assertTrue(sound.drift().kept)
        self.assertLess(abs(sound.drift().energy), 1e-6)
        lost = orrery.Simulation(orrery.scene("pythagorean", adaptive=0), backend="cpu", precision="double", dt=0.01)
        with self.assertWarnsRegex(RuntimeWarning, "left their true orbits"):
            lost.step(3000)
        found = lost.drift()
        self.assertFalse(found.kept)
        self.assertGreater(abs(found.energy), 1e-2)
        lost.set_state(velocities=[[0, 0, 0]] * 3)
        self.assertEqual(lost.drift().energy, 0, "setting bodies starts a new measurement")

    def test_a_preset_selects_the_engine_that_it_needs(self):
        scene = orrery.scene("argon-cluster", bodies=32)
        self.assertEqual(orrery.Simulation(scene).engine, "triplet")
        self.assertEqual(orrery.Simulation(scene, "direct", backend="cpu").engine, "direct")

    def test_single_precision_is_refused_far_from_the_origin(self):
        x, v, m = some_bodies(40)
        scene = orrery.Scene(x + 1e5, v, m, softening=0.1, dt=0.005)
        with self.assertRaisesRegex(orrery.UsageError, "precision='double'"):
            orrery.Simulation(scene, backend="cpu")
        sim = orrery.Simulation(scene, backend="cpu", precision="double")
        with self.assertRaisesRegex(orrery.UsageError, "precision='double'"):
            sim.set_engine(precision="single")
        self.assertEqual(sim.precision, "double")

    def test_the_error_agrees_with_numpy(self):
        x, v, m = some_bodies(200)
        sim = orrery.Simulation(orrery.Scene(x, v, m, softening=0.1), "tree", backend="cpu", precision="double", theta=0.9)
        found = sim.error(200)
        self.assertEqual(found.samples, 200)
        self.assertAlmostEqual(found.rms, relative_error(sim.accelerations, direct_sum(x, m, softening=0.1)), 9)
        self.assertGreater(found.rms, 1e-6)
        self.assertLessEqual(found.median, found.p99)
        self.assertLessEqual(found.p99, found.max)

    def test_test_particles_and_two_coincident_bodies(self):
        x = np.array([[0.0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 2, 0]])
        m = np.array([1.0, 1, 0, 0])
        sim = orrery.Simulation(orrery.Scene(x, None, m), "direct", backend="cpu", precision="double")
        np.testing.assert_allclose(sim.accelerations, [[0, 0, 0], [0, 0, 0], [-2, 0, 0], [0, -0.5, 0]], atol=1e-15)


class Steps(unittest.TestCase):
    def test_time_and_steps(self):
        sim = plummer()
        dt = sim.dt
        self.assertEqual(sim.step(5), 5)
        self.assertEqual(sim.steps, 5)
        self.assertAlmostEqual(sim.time, 5 * dt, 12)
        self.assertEqual(sim.step(0), 0)
        sim.dt = dt / 2
        sim.step()
        self.assertAlmostEqual(sim.time, 5.5 * dt, 12)

    def test_run_until_takes_as_many_steps_as_the_program(self):
        for dt, until, steps in ((0.1, 0.3, 3), (0.1, 0.31, 4), (0.25, 1, 4), (0.3, 1, 4)):
            sim = plummer(16, dt=dt)
            self.assertEqual(sim.run_until(until), steps)
            self.assertEqual(sim.run_until(until), 0)
            with self.assertRaisesRegex(orrery.UsageError, "runs forward"):
                sim.run_until(sim.time - 1.5 * dt)

    def test_run_until_exactly(self):
        for integrator in ("leapfrog", "yoshida4", "hermite4"):
            sim = plummer(16, dt=0.3, integrator=integrator)
            self.assertEqual(sim.run_until(1, exact=True), 4)
            self.assertAlmostEqual(sim.time, 1, 14)
            self.assertEqual(sim.dt, 0.3)
            self.assertEqual(sim.run_until(1.3, exact=True), 1)
        x, v, m = some_bodies(4)
        sim = orrery.Simulation(orrery.Scene(x, v, m, adaptive=0.05, dt=0.1), backend="cpu", precision="double")
        sim.run_until(0.77, exact=True)
        self.assertAlmostEqual(sim.time, 0.77, 14)

    def test_pieces_have_the_bits_of_the_whole(self):
        whole, pieces = plummer(engine="tree"), plummer(engine="tree")
        whole.step(12)
        for n in (1, 4, 2, 5):
            pieces.step(n)
        np.testing.assert_array_equal(whole.positions, pieces.positions)

    def test_backward(self):
        sim = plummer(50, engine="direct", precision="double")
        x = np.array(sim.positions)
        sim.step(20)
        sim.reversed = True
        self.assertEqual(sim.run_until(0), 20)
        np.testing.assert_allclose(sim.positions, x, rtol=1e-10, atol=1e-12)
        with self.assertRaisesRegex(orrery.UsageError, "backward"):
            sim.run_until(1)

    def test_refusals(self):
        sim = plummer(16)
        for arguments in ((-1,), (1.5,), ("a",), (None,)):
            with self.assertRaises((orrery.UsageError, TypeError)):
                sim.step(*arguments)
        sim.step(3)
        for time in (0, float("nan"), float("inf"), 1e300):
            with self.assertRaises(orrery.UsageError, msg=str(time)):
                sim.run_until(time)
        for wrong in (0, -1, float("nan")):
            with self.assertRaises(orrery.UsageError):
                sim.dt = wrong
        with self.assertRaises(orrery.UsageError):
            sim.integrator = "no"
        with self.assertRaises(orrery.UsageError):
            sim.softening = -1
        with self.assertRaises(orrery.UsageError):
            sim.step(1, callback=print, every=0)
        with self.assertRaises(TypeError):
            sim.step(1, callback=5)
        self.assertEqual(sim.steps, 3)
        sim.step()

    def test_a_non_finite_state_names_body_and_step(self):
        x = np.array([[0.0, 0, 0], [1e-9, 0, 0], [5, 0, 0]])
        sim = orrery.Simulation(orrery.Scene(x, None, np.full(3, 1e30), dt=1e15), "direct", backend="cpu", precision="single")
        with self.assertRaisesRegex(orrery.MachineError, "body [0-2] is no longer finite after step"):
            sim.step(50)
        with self.assertRaises(RuntimeError):
            sim.step(1)
        self.assertEqual(len(sim), 3)


class Callbacks(unittest.TestCase):
    def test_are_called_after_each_step_or_every_few(self):
        sim = plummer(16)
        seen = []
        self.assertEqual(sim.step(5, callback=lambda s: seen.append((s is sim, s.steps))), 5)
        self.assertEqual(seen, [(True, n) for n in range(1, 6)])
        seen.clear()
        sim.run_until(sim.time + 7 * sim.dt, callback=lambda s: seen.append(s.steps), every=3)
        self.assertEqual(seen, [8, 11])

    def test_their_exceptions_are_passed_on_and_the_simulation_continues(self):
        sim, other = plummer(32), plummer(32)

        def fail(s):
            if s.steps == 4:
                raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            sim.step(10, callback=fail)
        self.assertEqual(sim.steps, 4)
        sim.step(6)
        other.step(10)
        np.testing.assert_array_equal(sim.positions, other.positions)

    def test_false_ends_the_run(self):
        sim = plummer(16)
        self.assertEqual(sim.run_until(1e9, callback=lambda s: s.steps < 6), 6)
        self.assertEqual(sim.step(3, callback=lambda s: None), 3)

    def test_may_change_the_simulation(self):
        sim = plummer(64, engine="direct")

        def change(s):
            if s.steps == 2:
                s.set_engine("tree")
                s.dt = s.dt / 2
            if s.steps == 3:
                s.step()

        end = 6 * sim.dt
        sim.run_until(end, callback=change)
        self.assertEqual(sim.engine, "tree")
        self.assertAlmostEqual(sim.time, end, 12)
        with self.assertRaisesRegex(orrery.UsageError, "closed"):
            sim.step(5, callback=lambda s: s.close())


class Engines(unittest.TestCase):
    def test_settings_are_those_that_were_given(self):
        sim = plummer(engine="tree", precision="double", theta=0.5, leaf=32, threads=1)
        settings = sim.settings
        self.assertEqual((settings["theta"], settings["leaf"], settings["threads"], settings["precision"]), (0.5, 32, 1, "double"))
        sim.set_engine(accuracy=1e-4)
        self.assertEqual((sim.settings["theta"], sim.settings["accuracy"], sim.settings["leaf"]), (0, 1e-4, 32))
        sim.set_engine(leaf=None)
        self.assertEqual(sim.settings["leaf"], 0)
        sim.set_engine("half", map="lambda", root="newton", rows=128)
        self.assertEqual((sim.engine, sim.precision, sim.settings["map"], sim.settings["rows"]), ("half", "double", "lambda", 128))
        self.assertEqual(sim.settings["threads"], 1)
        sim.set_engine(np.str_("direct"), threads=np.int64(2))
        self.assertEqual(sim.settings["threads"], 2)

    def test_a_kernel_is_the_force_and_chooses_the_engine(self):
        spring = ("//! kind = pair\n//! language = c++\n//! law = own\ntemplate <class Real>\n"
                  "orrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) { return {other, 0}; }\n")
        x, v, m = some_bodies(50)
        sim = orrery.Simulation(orrery.Scene(x, v, m, G=2, softening=0.05), kernel=spring, precision="double")
        wanted = 2 * np.sum(m[None, :, None] * (x[None, :, :] - x[:, None, :]), axis=1)
        self.assertLess(relative_error(sim.accelerations, wanted), 1e-13)
        self.assertEqual((sim.engine, sim.settings["kernel"]), ("kernel", spring))
        sim.set_engine("direct")
        self.assertEqual(sim.engine, "direct")
        self.assertLess(relative_error(sim.accelerations, direct_sum(x, m, G=2, softening=0.05)), 1e-13)

    def test_an_engine_can_be_changed_between_any_two_steps(self):
        sim, other = plummer(200, engine="direct", precision="double"), plummer(200, engine="direct", precision="double")
        sim.step(3)
        sim.set_engine("half")
        sim.step(3)
        other.step(6)
        np.testing.assert_allclose(sim.positions, other.positions, rtol=1e-9)
        self.assertEqual(sim.steps, 6)

    def test_refusals(self):
        scene = orrery.scene("plummer", bodies=16)
        for error, text, arguments in (
                (orrery.UsageError, "tree", {"engine": "treee"}), (orrery.UsageError, "gpu", {"backend": "gpu"}),
                (orrery.UsageError, "half", {"precision": "halff"}), (orrery.UsageError, "theta", {"engine": "direct", "theta": 1.0}),
                (orrery.UsageError, "theta: expected a number", {"engine": "tree", "theta": 5.0}),
                (orrery.UsageError, "only one of", {"engine": "tree", "theta": 0.5, "accuracy": 1e-3}),
                (TypeError, "thetta.*theta", {"engine": "tree", "thetta": 0.5}),
                (TypeError, "theta: expected a number, found str", {"engine": "tree", "theta": "0.5"}),
                (TypeError, "leaf: expected a whole number, found float", {"engine": "tree", "leaf": 8.5}),
                (TypeError, "found int", {"engine": "direct", "deterministic": 1}),
                (orrery.UsageError, "no square root", {"engine": "half", "map": "bb", "root": "newton"}),
                (orrery.UsageError, "jerk", {"engine": "tree", "integrator": "hermite4"})):
            with self.assertRaisesRegex(error, text, msg=str(arguments)):
                orrery.Simulation(scene, **{"backend": "cpu", **arguments})
        with self.assertRaises(TypeError):
            orrery.Simulation(3)

    def test_a_refused_change_changes_nothing(self):
        sim, other = plummer(engine="tree"), plummer(engine="tree")
        sim.step(2)
        for change in ({"engine": "no"}, {"theta": 9.0}, {"precision": "no"}):
            with self.assertRaises(orrery.UsageError):
                sim.set_engine(**change)
        sim.step(2)
        other.step(4)
        np.testing.assert_array_equal(sim.positions, other.positions)


class SetState(unittest.TestCase):
    def test_other_bodies(self):
        sim = plummer(50, precision="double")
        sim.step(3)
        time, old = sim.time, sim.positions
        before = np.array(old)
        x, v, m = some_bodies(50)
        sim.set_state(positions=x)
        np.testing.assert_array_equal(sim.positions, x)
        np.testing.assert_array_equal(old, before)
        sim.set_state(velocities=v, masses=m)
        np.testing.assert_array_equal(sim.velocities, v)
        np.testing.assert_array_equal(sim.masses, m)
        self.assertEqual((sim.steps, sim.time), (3, time))
        fresh = orrery.Simulation(orrery.Scene(x, v, m, softening=sim.softening, dt=sim.dt, time=time), backend="cpu",
                                  precision="double")
        sim.step(2), fresh.step(2)
        np.testing.assert_array_equal(sim.positions, fresh.positions)

    def test_refusals_change_nothing(self):
        sim = plummer(50)
        before = np.array(sim.positions)
        for wrong in ({"positions": before[:10]}, {"velocities": np.full((50, 3), np.nan)}, {"masses": -np.ones(50)}):
            with self.assertRaises(orrery.UsageError):
                sim.set_state(**wrong)
        np.testing.assert_array_equal(sim.positions, before)


class SameBitsAsTheProgram(InFolder):
    """`orrery run` and this module take the same steps."""

    def check(self, scene, arguments, simulate):
        run_program("run", scene, *arguments, "--no-energy", "-o", self.folder / "end.csv")
        wanted = orrery.load(self.folder / "end.csv")
        found = simulate()
        np.testing.assert_array_equal(np.asarray(found.positions, float), wanted.positions)
        np.testing.assert_array_equal(np.asarray(found.velocities, float), wanted.velocities)
        self.assertEqual(found.time, wanted.time)

    def test_defaults(self):
        def simulate():
            sim = orrery.Simulation(orrery.scene("plummer", bodies=500), backend="cpu")
            sim.step(20)
            return sim
        self.check("plummer", ["--bodies", 500, "--steps", 20, "--backend", "cpu"], simulate)

    def test_engines_precisions_and_integrators(self):
        for engine, precision, integrator in (("tree", "single", "leapfrog"), ("fmm", "double", "yoshida4"),
                                              ("half", "mixed", "leapfrog"), ("direct", "double", "hermite4")):
            def simulate():
                sim = orrery.Simulation(orrery.scene("two-galaxies", bodies=400, seed=3), engine, backend="cpu", precision=precision,
                                        integrator=integrator)
                sim.step(7)
                return sim
            self.check("two-galaxies", ["--bodies", 400, "--seed", 3, "--steps", 7, "--engine", engine, "--backend", "cpu",
                                        "--precision", precision, "--integrator", integrator], simulate)

    def test_until_a_time(self):
        def simulate():
            sim = orrery.Simulation(orrery.scene("figure-eight"), backend="cpu")
            sim.run_until(0.7)
            return sim
        self.check("figure-eight", ["--until", 0.7, "--backend", "cpu"], simulate)

    @unittest.skipUnless(has_hdf5(), "a build without HDF5")
    def test_checkpoints_continue_between_program_and_module(self):
        arguments = ["plummer", "--bodies", 300, "--engine", "tree", "--backend", "cpu", "--no-energy"]
        run_program("run", *arguments, "--steps", 10, "--checkpoint", self.folder / "a.orrery", "-o", self.folder / "a.csv")
        run_program("run", *arguments, "--steps", 20, "-o", self.folder / "end.csv")
        sim = orrery.resume(self.folder / "a.orrery")
        self.assertEqual(sim.steps, 10)
        sim.step(5)
        sim.checkpoint(self.folder / "b.orrery")
        run_program("run", "--resume", self.folder / "b.orrery", "--steps", 20, "--no-energy", "-o", self.folder / "b.csv")
        sim.step(5)
        wanted = orrery.load(self.folder / "end.csv").positions
        np.testing.assert_array_equal(np.asarray(sim.positions, float), wanted)
        np.testing.assert_array_equal(orrery.load(self.folder / "b.csv").positions, wanted)

    def test_energies_are_those_of_the_program(self):
        said = json.loads(run_program("run", "plummer", "--bodies", 300, "--steps", 1, "--backend", "cpu", "--json"))
        sim = orrery.Simulation(orrery.scene("plummer", bodies=300), backend="cpu")
        sim.step()
        self.assertEqual(sim.energies().total, said["energy"])


class Copies(InFolder):
    def test_continue_bit_for_bit(self):
        for engine, integrator in (("tree", "leapfrog"), ("direct", "hermite4"), ("fmm", "leapfrog-block"), ("half", "yoshida4")):
            sim = plummer(300, engine=engine, integrator=integrator)
            sim.step(7)
            copies = [pickle.loads(pickle.dumps(sim)), copy.deepcopy(sim), sim.copy()]
            if has_hdf5():
                sim.checkpoint(self.folder / "a.orrery")
                copies.append(orrery.resume(self.folder / "a.orrery"))
            sim.step(6)
            for other in copies:
                self.assertEqual((other.steps, other.engine, other.integrator), (7, engine, integrator))
                other.step(6)
                np.testing.assert_array_equal(other.positions, sim.positions, err_msg=engine)
                np.testing.assert_array_equal(other.velocities, sim.velocities, err_msg=engine)
                np.testing.assert_array_equal(other.accelerations, sim.accelerations, err_msg=engine)
                self.assertEqual(other.time, sim.time)

    def test_with_compensated_sums_backward_and_changed_forces(self):
        sim = plummer(100, engine="direct", precision="double", compensated=True)
        sim.softening = 0.125
        sim.step(5)
        sim.reversed = True
        other = pickle.loads(pickle.dumps(sim))
        sim.step(3), other.step(3)
        np.testing.assert_array_equal(other.positions, sim.positions)
        self.assertEqual((other.softening, other.reversed, other.steps), (0.125, True, 2))

    def test_scene_is_the_current_state(self):
        sim = plummer(100, engine="tree", precision="double", theta=0.4)
        sim.step(4)
        scene = sim.scene()
        np.testing.assert_array_equal(scene.positions, sim.positions)
        self.assertEqual((scene.time, scene.dt), (sim.time, sim.dt))
        again = orrery.Simulation(scene)
        self.assertEqual((again.engine, again.precision, again.settings["theta"]), ("tree", "double", 0.4))
        sim.save(self.folder / "a.csv")
        np.testing.assert_array_equal(orrery.load(self.folder / "a.csv").positions, sim.positions)

    def test_refusals(self):
        with self.assertRaises(orrery.UsageError):
            orrery.resume(self.folder / "missing.orrery")
        (self.folder / "a.orrery").write_bytes(b"nonsense")
        with self.assertRaises(orrery.UsageError):
            orrery.resume(self.folder / "a.orrery")
        state = plummer(10).__getstate__()
        state["state"]["bodies"] = state["state"]["bodies"][:-16]
        with self.assertRaises(orrery.UsageError):
            orrery.Simulation.__new__(orrery.Simulation).__setstate__(state)


if __name__ == "__main__":
    unittest.main()
