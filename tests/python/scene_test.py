# SPDX-License-Identifier: MIT
import copy
import pickle
import unittest

import numpy as np

import orrery
from support import InFolder, has_hdf5, some_bodies


class FromArrays(unittest.TestCase):
    def test_keeps_every_number(self):
        x, v, m = some_bodies()
        scene = orrery.Scene(x, v, m, G=2, softening=0.1, dt=0.01, time=3, names=[f"b{i}" for i in range(100)],
                             ids=range(7, 107), species=["stars"] * 100, charges=-m, label="mine")
        np.testing.assert_array_equal(scene.positions, x)
        np.testing.assert_array_equal(scene.velocities, v)
        np.testing.assert_array_equal(scene.masses, m)
        np.testing.assert_array_equal(scene.charges, -m)
        np.testing.assert_array_equal(scene.ids, np.arange(7, 107))
        self.assertEqual((scene.G, scene.softening, scene.dt, scene.time, len(scene)), (2, 0.1, 0.01, 3, 100))
        self.assertEqual((scene.names[99], scene.species[0], scene.label), ("b99", "stars", "mine"))

    def test_any_layout_and_type_gives_the_same_bodies(self):
        x, v, m = some_bodies()
        whole = np.zeros((200, 6))
        whole[::2, 1:4] = x
        turned = np.asfortranarray(x)
        wanted = orrery.Scene(x, v, m).positions
        for given in (whole[::2, 1:4], turned, x[::-1][::-1], x.tolist(), x.astype(">f8")):
            np.testing.assert_array_equal(orrery.Scene(given, v, m).positions, wanted)
        single = x.astype(np.float32)
        np.testing.assert_array_equal(orrery.Scene(single, v, m).positions, single)
        whole_numbers = np.arange(300).reshape(100, 3)
        np.testing.assert_array_equal(orrery.Scene(whole_numbers).positions, whole_numbers)

    def test_defaults(self):
        scene = orrery.Scene(np.eye(3))
        np.testing.assert_array_equal(scene.velocities, np.zeros((3, 3)))
        np.testing.assert_array_equal(scene.masses, np.full(3, 1 / 3))
        np.testing.assert_array_equal(orrery.Scene(np.eye(3), masses=2).masses, np.full(3, 2.0))
        self.assertEqual((scene.charges, scene.ids, scene.names, scene.species), (None, None, None, None))

    def test_wrong_shapes_are_refused(self):
        x, v, m = some_bodies()
        for arguments, text in (((x[:, :2],), r"positions: expected shape \(N, 3\), found \(100, 2\)"),
                                ((x[0],), r"positions: expected shape"), ((x[None],), "positions: expected shape"),
                                ((x, v[:50]), r"velocities: expected shape \(100, 3\), found \(50, 3\)"),
                                ((x, v, m[:50]), r"masses: expected shape \(100,\), found \(50,\)"),
                                ((x, v, m[:, None]), "masses: expected shape"), ((x[:0],), "at least one body")):
            with self.assertRaisesRegex(orrery.UsageError, text):
                orrery.Scene(*arguments)
            with self.assertRaises(ValueError):
                orrery.Scene(*arguments)

    def test_wrong_types_are_refused(self):
        x, v, m = some_bodies()
        for given in (x + 1j, x > 0, x.astype(str), x.astype(object), None, "abc", [[1, 2, 3], [4, 5]]):
            with self.assertRaises(TypeError, msg=repr(given)):
                orrery.Scene(given)
        with self.assertRaisesRegex(TypeError, "ids: expected whole numbers"):
            orrery.Scene(x, v, m, ids=x[:, 0])
        with self.assertRaisesRegex(orrery.UsageError, "ids: expected numbers from 0 up"):
            orrery.Scene(x, v, m, ids=np.arange(100) - 1)

    def test_invalid_numbers_are_refused(self):
        x, v, m = some_bodies()
        for column, value in ((x, np.nan), (v, np.inf), (m, np.nan), (m, -1.0)):
            before = column.flat[6]
            column.flat[6] = value
            with self.assertRaisesRegex(orrery.UsageError, "body [26]"):
                orrery.Scene(x, v, m)
            column.flat[6] = before
        for wrong in ({"dt": 0}, {"dt": np.nan}, {"softening": -1}, {"time": np.inf}, {"law": "no"},
                      {"integrator": "no"}, {"names": ["a"]}, {"species": ["no"] * 100}, {"adaptive": -1},
                      {"charges": np.full(100, np.nan)}, {"law": "coulomb", "sigma": -1}):
            with self.assertRaises(orrery.UsageError, msg=str(wrong)):
                orrery.Scene(x, v, m, **wrong)

    def test_a_view_keeps_the_scene_and_can_be_written(self):
        x, v, m = some_bodies()
        scene = orrery.Scene(x, v, m)
        seen = scene.positions
        seen *= 2
        np.testing.assert_array_equal(scene.positions, 2 * x)
        scene.masses[3] = 5
        self.assertEqual(scene.masses[3], 5)
        del scene
        np.testing.assert_array_equal(seen, 2 * x)

    def test_values_written_in_place_are_checked(self):
        scene = orrery.Scene(*some_bodies())
        scene.positions[4, 1] = np.nan
        with self.assertRaisesRegex(orrery.UsageError, "body 4"):
            orrery.Simulation(scene)
        with self.assertRaisesRegex(orrery.UsageError, "body 4"):
            scene.render(64, 64)
        with self.assertRaises(orrery.UsageError):
            scene.softening = -1
        self.assertEqual(scene.softening, 0)


class Presets(unittest.TestCase):
    def test_every_preset_and_shipped_scene_opens(self):
        for entry in orrery.presets():
            scene = orrery.scene(entry.id, bodies=0 if entry.fixed else 50)
            self.assertEqual(len(scene), entry.bodies if entry.fixed else 50, entry.id)
        for entry in orrery.scenes():
            self.assertGreater(len(orrery.scene(entry.id)), 0)

    def test_the_same_seed_gives_the_same_bodies(self):
        first, again = orrery.scene("plummer", bodies=100, seed=5), orrery.scene("plummer", bodies=100, seed=5)
        other = orrery.scene("plummer", bodies=100, seed=6)
        np.testing.assert_array_equal(first.positions, again.positions)
        self.assertFalse((first.positions == other.positions).all())

    def test_arguments_override_the_preset(self):
        scene = orrery.scene("plummer", bodies=10, softening=0.25, dt=0.125, integrator="yoshida4", adaptive=0)
        self.assertEqual((scene.softening, scene.dt, scene.integrator), (0.25, 0.125, "yoshida4"))

    def test_sites_and_displacements_are_those_of_the_command_line(self):
        standard = orrery.scene("zeldovich", bodies=500)
        for sites, displacements in (("lattice", "2lpt"), ("glass", "zeldovich"), ("glass", "2lpt")):
            scene = orrery.scene("zeldovich", bodies=500, sites=sites, displacements=displacements)
            self.assertFalse((scene.positions == standard.positions).all(), (sites, displacements))
        same = orrery.scene("zeldovich", bodies=500, sites="lattice", displacements="zeldovich")
        np.testing.assert_array_equal(same.positions, standard.positions)
        np.testing.assert_array_equal(same.velocities, standard.velocities)
        with self.assertRaisesRegex(orrery.UsageError, "lattice, glass"):
            orrery.scene("zeldovich", bodies=500, sites="grid")
        with self.assertRaisesRegex(orrery.UsageError, "plummer: has no sites"):
            orrery.scene("plummer", bodies=50, sites="glass")
        with self.assertRaisesRegex(orrery.UsageError, "has no displacements"):
            orrery.scene("plummer", bodies=50, displacements="2lpt")

    def test_refusals(self):
        with self.assertRaisesRegex(orrery.UsageError, "did you mean 'plummer'"):
            orrery.scene("plumer")
        with self.assertRaises(orrery.UsageError):
            orrery.scene("figure-eight", bodies=5)
        with self.assertRaises(TypeError):
            orrery.scene("plummer", bodies="many")
        with self.assertRaises(TypeError):
            orrery.scene("plummer", number=5)


class Files(InFolder):
    def test_round_trip_in_every_format(self):
        x, v, m = some_bodies()
        for entry in orrery.formats():
            if not entry.available:
                continue
            path = self.folder / f"a{entry.extensions[0]}"
            orrery.Scene(x, v, m, softening=0.1, time=2).save(path)
            read = orrery.load(path)
            np.testing.assert_allclose(read.positions, x, rtol=1e-6, atol=1e-6, err_msg=entry.id)
            np.testing.assert_allclose(read.masses, m, rtol=1e-6, err_msg=entry.id)

    def test_csv_keeps_all_bits(self):
        x, v, m = some_bodies()
        orrery.Scene(x, v, m).save(self.folder / "a.csv")
        read = orrery.load(str(self.folder / "a.csv"))
        np.testing.assert_array_equal(read.positions, x)
        np.testing.assert_array_equal(read.velocities, v)

    def test_a_scene_file_selects_its_engine(self):
        (self.folder / "a.toml").write_text('[scene]\npreset = "plummer"\nbodies = 64\n[engine]\nengine = "tree"\n'
                                            'backend = "cpu"\nprecision = "double"\ntheta = 0.5\n')
        scene = orrery.load(self.folder / "a.toml")
        sim = orrery.Simulation(scene)
        self.assertEqual((len(scene), sim.engine, sim.precision, sim.settings["theta"]), (64, "tree", "double", 0.5))

    def test_sites_and_displacements_are_those_of_a_scene_file(self):
        (self.folder / "a.toml").write_text('[scene]\npreset = "zeldovich"\nbodies = 300\nseed = 4\nsites = "glass"\n'
                                            'displacements = "2lpt"\n')
        scene = orrery.scene("zeldovich", bodies=300, seed=4, sites="glass", displacements="2lpt")
        read = orrery.load(self.folder / "a.toml")
        np.testing.assert_array_equal(read.positions, scene.positions)
        np.testing.assert_array_equal(read.velocities, scene.velocities)

    def test_refusals(self):
        with self.assertRaisesRegex(orrery.UsageError, "no such file"):
            orrery.load("plummer")
        (self.folder / "broken.csv").write_text("x,y,z\n1,2\n")
        with self.assertRaisesRegex(orrery.UsageError, "broken.csv"):
            orrery.load(self.folder / "broken.csv")
        with self.assertRaisesRegex(orrery.UsageError, "extension|\\.tipsy"):
            orrery.scene("plummer", bodies=5).save(self.folder / "a.unknown")
        with self.assertRaises(orrery.MachineError):
            orrery.scene("plummer", bodies=5).save(self.folder / "missing" / "a.csv")

    @unittest.skipUnless(has_hdf5(), "a build without HDF5")
    def test_hdf5_is_read_in_another_process(self):
        x, v, m = some_bodies()
        orrery.Scene(x, v, m).save(self.folder / "a.h5")
        np.testing.assert_array_equal(orrery.load(self.folder / "a.h5").positions, x)
        whole = (self.folder / "a.h5").read_bytes()
        for keep in (600, len(whole) // 2, len(whole) - 100):
            (self.folder / "cut.h5").write_bytes(whole[:keep])
            with self.assertRaises(orrery.UsageError):
                orrery.load(self.folder / "cut.h5")


class Pickles(unittest.TestCase):
    def test_a_scene_comes_back_bit_for_bit(self):
        x, v, m = some_bodies()
        scene = orrery.Scene(x, v, m, charges=m, ids=range(100), names=["ü"] * 100, species=["gas"] * 100, time=1 / 3,
                             law="spline", softening=1 / 7, dt=1 / 9, label="ε")
        for again in (pickle.loads(pickle.dumps(scene)), copy.deepcopy(scene), copy.copy(scene), scene.copy()):
            for name in ("positions", "velocities", "masses", "charges", "ids"):
                np.testing.assert_array_equal(getattr(again, name), getattr(scene, name))
            for name in ("names", "species", "time", "law", "softening", "dt", "G", "label", "id", "integrator"):
                self.assertEqual(getattr(again, name), getattr(scene, name))
            again.positions[0] = 9
            self.assertFalse((scene.positions[0] == 9).any())

    def test_view_and_engine_are_pickled(self):
        scene = orrery.scene("figure-eight")
        again = pickle.loads(pickle.dumps(scene))
        self.assertEqual(orrery.Simulation(again).precision, orrery.Simulation(scene).precision)
        np.testing.assert_array_equal(again.render(64, 48), scene.render(64, 48))

    def test_invalid_states_are_refused(self):
        scene = orrery.scene("plummer", bodies=5)
        state = scene.__getstate__()
        state["scene"]["bodies"]["velocity"] = b"123"
        with self.assertRaises(orrery.UsageError):
            orrery.Scene.__new__(orrery.Scene).__setstate__(state)
        with self.assertRaises(orrery.UsageError):
            orrery.Scene.__new__(orrery.Scene).__setstate__({"version": 99})


if __name__ == "__main__":
    unittest.main()
