# SPDX-License-Identifier: MIT
import struct
import unittest
import zlib

import numpy as np

import orrery
from support import InFolder, plummer, run_program


def pixels_of(png):
    """The pixels of an RGB PNG without interlacing: uint8 of shape (height, width, 3), by its specification."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", png[at + 8:at + 18])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and (depth, colours) == (8, 2)
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 3 * width)
    picture = np.zeros((height, width, 3), np.uint8)
    for y, row in enumerate(rows):
        line = row[1:].reshape(width, 3).astype(np.int64)
        if row[0] == 1:
            line = np.cumsum(line, axis=0) % 256
        elif row[0] != 0:
            raise AssertionError(f"filter {row[0]}")
        picture[y] = line
    return picture


class Pictures(InFolder):
    def test_equal_those_of_record(self):
        for name, arguments in (("plummer", ["--bodies", "300"]), ("figure-eight", []), ("three-bodies", [])):
            run_program("record", name, *arguments, "--frames", "1", "--width", "160", "--height", "90", "--no-trails",
                        "--backend", "cpu", "-o", self.folder / "a.png")
            scene = orrery.scene(name, bodies=300 if arguments else 0)
            wanted = pixels_of((self.folder / "a.png").read_bytes())
            np.testing.assert_array_equal(scene.render(160, 90)[:, :, :3], wanted, err_msg=name)
            sim = orrery.Simulation(scene, backend="cpu")
            np.testing.assert_array_equal(sim.render(160, 90)[:, :, :3], wanted, err_msg=name)

    def test_shape_and_type(self):
        picture = plummer(200).render(80, 60)
        self.assertEqual((picture.shape, picture.dtype), ((60, 80, 4), np.uint8))
        self.assertTrue((picture[:, :, 3] == 255).all())
        self.assertGreater(int(picture[:, :, :3].max()), 100)
        picture[0, 0] = 7  # owned by the caller

    def test_the_same_state_gives_the_same_picture(self):
        sim = plummer(200)
        first = sim.render(80, 60)
        orrery.scene("two-galaxies", bodies=500).render(80, 60)
        np.testing.assert_array_equal(sim.render(80, 60), first)
        sim.step(30)
        self.assertFalse((sim.render(80, 60) == first).all())

    def test_every_setting_changes_the_picture(self):
        sim = plummer(300, engine="tree")
        standard = sim.render(160, 90)
        for settings in ({"color_mode": "mass"}, {"color_by": "acceleration"}, {"color_mode": "potential"}, {"color_map": "plasma"},
                         {"color_mode": "error"},
                         {"size": 2.0}, {"glow": 0.0}, {"exposure": 2}, {"stars": True}, {"grid": True}, {"axes": True},
                         {"octree": True}, {"yaw": 90}, {"pitch": -20.5}, {"zoom": 2}, {"distance": 3.0}, {"fov": 20},
                         {"target": (1, 0, 0)}, {"scalar_range": (0, 0.1)}, {"legend": True}, {"supersampling": 2}):
            self.assertFalse((sim.render(160, 90, **settings) == standard).all(), str(settings))
        np.testing.assert_array_equal(sim.render(160, 90), standard)

    def test_do_not_affect_the_steps(self):
        sim, other = plummer(300, engine="tree"), plummer(300, engine="tree")
        for _ in range(4):
            sim.render(64, 64, color_mode="potential", octree=True)
            sim.render(64, 64, color_mode="speed")
            sim.step(2)
            other.step(2)
        np.testing.assert_array_equal(sim.positions, other.positions)

    def test_refusals(self):
        sim = plummer(50)
        for error, text, arguments, settings in (
                (orrery.UsageError, "width: expected 16", (2, 64), {}), (orrery.UsageError, "height", (64, 100_000), {}),
                (orrery.UsageError, "color_map: expected one of", (64, 64), {"color_map": "no"}),
                (orrery.UsageError, "record", (64, 64), {"trails": True}), (TypeError, "zom.*zoom", (64, 64), {"zom": 2}),
                (TypeError, "zoom: expected a number", (64, 64), {"zoom": "2"}),
                (orrery.UsageError, "supersampling", (64, 64), {"supersampling": 9}),
                (orrery.UsageError, "scalar_range", (64, 64), {"scalar_range": (2, 1)}),
                (orrery.UsageError, "charge", (64, 64), {"color_mode": "charge"}),
                (orrery.UsageError, "'direct' on cpu has no tree", (64, 64), {"octree": True})):
            with self.assertRaisesRegex(error, text):
                sim.render(*arguments, **settings)
        sim.render(64, 64)

    def test_png(self):
        sim = plummer(200)
        picture = sim.render(96, 64)
        np.testing.assert_array_equal(pixels_of(orrery.png(picture)), picture[:, :, :3])
        orrery.write_png(self.folder / "a.png", picture[:, ::-1])
        np.testing.assert_array_equal(pixels_of((self.folder / "a.png").read_bytes()), picture[:, ::-1, :3])
        for error, wrong in ((TypeError, picture.astype(float)), (orrery.UsageError, picture[:, :, :2]), (orrery.UsageError, picture[0])):
            with self.assertRaises(error):
                orrery.png(wrong)
        with self.assertRaises(orrery.MachineError):
            orrery.write_png(self.folder / "missing" / "a.png", picture)

    def test_notebooks_show_scenes_and_simulations(self):
        for shown in (plummer(100), orrery.scene("figure-eight")):
            picture = pixels_of(shown._repr_png_())
            self.assertEqual(picture.shape, (450, 800, 3))
            self.assertGreater(int(picture.max()), 100)


if __name__ == "__main__":
    unittest.main()
