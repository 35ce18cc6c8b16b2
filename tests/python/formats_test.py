# SPDX-License-Identifier: MIT
"""Files of other programs, compared with readers that share no code with Orrery: NumPy alone, and h5py.

Files of Bonsai, ChaNGa, Gadget-2 and REBOUND were written by these programs; their folder is ORRERY_DATA. Those in
HDF5 are made here as documented by the programs: groups, attributes, types."""
import os
import pathlib
import unittest

import numpy as np

import orrery
from support import InFolder, has_hdf5

try:
    import h5py
except ImportError:
    h5py = None

DATA = pathlib.Path(os.environ.get("ORRERY_DATA") or pathlib.Path(__file__).resolve().parents[3] / "shared/data")
KPC, TEN_TO_TEN_SUNS, KM = 3.085678e21, 1.989e43, 1e5  # in cgs
G_CGS = 6.6743e-8


def tipsy(path, order):
    """Positions, velocities, masses and species of each body."""
    data = path.read_bytes()
    counts = np.frombuffer(data, order + "i4", 6, 8)  # of all, dimensions, gas, dark, stars, padding
    bodies, at = [], 32
    for species, count, numbers in (("gas", counts[2], 12), ("halo", counts[3], 9), ("stars", counts[4], 11)):
        rows = np.frombuffer(data, order + "f4", count * numbers, at).reshape(count, numbers)
        bodies.append((rows[:, 1:4], rows[:, 4:7], rows[:, 0], [species] * count))
        at += rows.nbytes
    assert at == len(data)
    return (*(np.concatenate(column) for column in list(zip(*bodies))[:3]), sum((b[3] for b in bodies), []))


def gadget2(path):
    """As tipsy(), with ids: SnapFormat 1, little-endian, no masses in the header's table but zeros."""
    data, at, blocks = path.read_bytes(), 0, []
    while at < len(data):
        size = int(np.frombuffer(data, "<u4", 1, at)[0])
        assert np.frombuffer(data, "<u4", 1, at + 4 + size)[0] == size
        blocks.append(data[at + 4:at + 4 + size])
        at += size + 8
    counts, table = np.frombuffer(blocks[0], "<u4", 6), np.frombuffer(blocks[0], "<f8", 6, 24)
    names = np.repeat(["gas", "halo", "disk", "bulge", "stars", "boundary"], counts)
    masses, own = np.repeat(table, counts), np.repeat(table == 0, counts)
    masses[own] = np.frombuffer(blocks[4], "<f4")[:own.sum()]
    x, v = (np.frombuffer(block, "<f4").reshape(-1, 3) for block in blocks[1:3])
    return x, v, masses, list(names), np.frombuffer(blocks[3], "<u4")


class Written(unittest.TestCase):
    def path(self, name):
        if not (DATA / name).exists():
            self.skipTest(f"{DATA / name} does not exist")
        return DATA / name

    def compare(self, path, positions, velocities, masses):
        scene = orrery.load(path)
        self.assertEqual(len(scene), len(masses))
        np.testing.assert_array_equal(scene.positions, positions)
        np.testing.assert_array_equal(scene.velocities, velocities)
        np.testing.assert_array_equal(scene.masses, masses)
        return scene

    def test_bonsai(self):
        path = self.path("bonsai_model3_child_compact.tipsy")
        x, v, m, species = tipsy(path, "<")
        self.assertEqual(len(m), 22000)
        self.assertEqual(list(self.compare(path, x, v, m).species), species)

    def test_changa(self):
        path = self.path("changa_king_soft.std.tipsy")
        x, v, m, species = tipsy(path, ">")
        self.assertEqual((len(m), set(species)), (36000, {"halo"}))
        self.assertIsNone(self.compare(path, x, v, m).species, "TIPSY stores all bodies without a species as dark matter")

    def test_gadget2(self):
        path = self.path("gadget2_gassphere_littleendian.gadget2")
        x, v, m, species, ids = gadget2(path)
        self.assertEqual(len(m), 1472)
        scene = self.compare(path, x, v, m)
        self.assertEqual(list(scene.species), species)
        np.testing.assert_array_equal(scene.ids, ids)

    def test_rebound(self):
        path = self.path("rebound_ss-2023-11-12.decoded.csv")
        lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
        names = lines[0].split(",")
        rows = [dict(zip(names, line.split(","))) for line in lines[1:]]
        column = lambda *keys: np.array([[float(row[key]) for key in keys] for row in rows])
        self.assertEqual(len(rows), 9)
        scene = self.compare(path, column("x", "y", "z"), column("vx", "vy", "vz"), column("m")[:, 0])
        self.assertEqual(list(scene.names), [row["name"] for row in rows])


@unittest.skipUnless(h5py, "h5py is not installed")
@unittest.skipUnless(has_hdf5(), "this build has no HDF5")
class Described(InFolder):
    """For each program, a file with 60 bodies of two species, written by h5py."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(7)
        self.x = {k: random.normal(size=(20 + 20 * k, 3)) for k in (0, 1)}
        self.v = {k: 10 * random.normal(size=(20 + 20 * k, 3)) for k in (0, 1)}
        self.m = {k: random.uniform(1, 2, 20 + 20 * k) for k in (0, 1)}
        self.ids = {k: random.permutation(20 + 20 * k).astype("u8") + 1000 * k + 1 for k in (0, 1)}

    @staticmethod
    def header(file, here, total, table=(0, 0), species=6, **more):
        """The common header, with the types of NumPart_ThisFile and NumPart_Total; SWIFT has seven species."""
        header = file.create_group("Header").attrs
        padded = lambda numbers, kind: np.array([*numbers] + [0] * (species - 2), kind)
        header["NumPart_ThisFile"], header["NumPart_Total"] = padded((20, 40), here), padded((20, 40), total)
        header["MassTable"] = padded(table, "f8")
        for name, value in {"Time": 0.75, "Redshift": 0.0, "NumFilesPerSnapshot": np.int32(1), **more}.items():
            header[name] = value

    def columns(self, file, kind, table=(), compression=None):
        """Data sets of each species; without masses for those in the header's table."""
        for k in (0, 1):
            group = file.create_group(f"PartType{k}")
            group.create_dataset("Coordinates", data=self.x[k].astype(kind), compression=compression)
            group.create_dataset("Velocities", data=self.v[k].astype(kind), compression=compression)
            group.create_dataset("ParticleIDs", data=self.ids[k])
            if k not in table:
                group.create_dataset("Masses", data=self.m[k].astype(kind), compression=compression)
        file["PartType0"].create_dataset("InternalEnergy", data=np.ones(20, kind))

    def opened(self, path, kind, units=True, masses=None):
        scene = orrery.load(path)
        together = lambda of: np.concatenate([of[0], of[1]]).astype(kind)
        np.testing.assert_array_equal(scene.positions, together(self.x))
        np.testing.assert_array_equal(scene.velocities, together(self.v))
        np.testing.assert_array_equal(scene.masses, together(masses or self.m))
        np.testing.assert_array_equal(scene.ids, np.concatenate([self.ids[0], self.ids[1]]))
        self.assertEqual(list(scene.species), ["gas"] * 20 + ["halo"] * 40)
        self.assertEqual(scene.time, 0.75)
        self.assertAlmostEqual(scene.G / (G_CGS * TEN_TO_TEN_SUNS / KPC / KM ** 2) if units else scene.G, 1, 3)

    def test_gadget4(self):
        path = self.folder / "gadget4.hdf5"
        with h5py.File(path, "w") as file:
            self.header(file, "u8", "u8", BoxSize=0.0)
            parameters = file.create_group("Parameters").attrs
            parameters["UnitLength_in_cm"], parameters["UnitMass_in_g"] = KPC, TEN_TO_TEN_SUNS
            parameters["UnitVelocity_in_cm_per_s"] = KM
            parameters["InitCondFile"] = np.bytes_("ics")
            file.create_group("Config").attrs["NTYPES"] = np.bytes_("6")
            self.columns(file, "f4")
        self.opened(path, "f4")

    def test_arepo(self):
        path = self.folder / "arepo.hdf5"
        with h5py.File(path, "w") as file:
            self.header(file, "i4", "u4", (0, 0.25), BoxSize=0.0, NumPart_Total_HighWord=np.zeros(6, "u4"),
                        Flag_DoublePrecision=np.int32(1), HubbleParam=1.0, UnitLength_in_cm=KPC,
                        UnitMass_in_g=TEN_TO_TEN_SUNS, UnitVelocity_in_cm_per_s=KM)
            self.columns(file, "f8", table=[1])
        self.opened(path, "f8", masses={0: self.m[0], 1: np.full(40, 0.25)})

    def test_gizmo(self):
        path = self.folder / "gizmo.hdf5"
        with h5py.File(path, "w") as file:
            self.header(file, "i4", "u4", BoxSize=0.0, UnitLength_In_CGS=KPC, UnitMass_In_CGS=TEN_TO_TEN_SUNS,
                        UnitVelocity_In_CGS=KM, Gravitational_Constant_In_Code_Inits=43009.2)
            self.columns(file, "f8", compression="gzip")
        self.opened(path, "f8")

    def test_swift(self):
        path = self.folder / "swift.hdf5"
        with h5py.File(path, "w") as file:
            self.header(file, "i8", "u4", species=7, BoxSize=np.zeros(3), Time=np.array([0.75]), Dimension=[3],
                        Redshift=np.array([0.0]), NumFilesPerSnapshot=np.array([1], "i4"),
                        NumPart_Total_HighWord=np.zeros(7, "u4"))
            units = file.create_group("Units").attrs
            for name, value in (("mass in cgs (U_M)", TEN_TO_TEN_SUNS), ("length in cgs (U_L)", KPC),
                                ("time in cgs (U_t)", KPC / KM), ("current in cgs (U_I)", 1.0),
                                ("temperature in cgs (U_T)", 1.0)):
                units[f"Unit {name}"] = np.array([value])
            self.columns(file, "f8", compression="gzip")
            file["GasParticles"] = h5py.SoftLink("/PartType0")
        self.opened(path, "f8")

    def test_fields_of_many_components(self):
        path = self.folder / "metals.hdf5"
        metals = np.arange(200.0).reshape(20, 10)
        with h5py.File(path, "w") as file:
            self.header(file, "i4", "i4", NumFilesPerSnapshot=1)
            self.columns(file, "f4")
            file["PartType0/GFM_Metals"] = metals
        self.assertEqual(orrery.read_field(path, "GFM_Metals").shape, (60, 10))
        np.testing.assert_array_equal(orrery.read_field(path, "GFM_Metals")[:20], metals)
        np.testing.assert_array_equal(orrery.read_field(path, "GFM_Metals[7]")[:20], metals[:, 7])
        self.assertTrue(np.isnan(orrery.read_field(path, "GFM_Metals[7]")[20:]).all())
        np.testing.assert_allclose(orrery.read_field(path, "|Velocities|")[:20], np.linalg.norm(self.v[0].astype("f4"), axis=1), 1e-6)
        np.testing.assert_array_equal(orrery.read_field(path, "Velocities.y")[:20], self.v[0][:, 1].astype("f4"))

    def test_without_units(self):
        path = self.folder / "ics.hdf5"
        with h5py.File(path, "w") as file:
            self.header(file, "i4", "i4", NumFilesPerSnapshot=1)
            self.columns(file, "f4")
        self.opened(path, "f4", units=False)


if __name__ == "__main__":
    unittest.main()
