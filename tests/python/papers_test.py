# SPDX-License-Identifier: MIT
"""orrery.papers: the list of figures, pages with and without measurements, a measurement by the program."""
import pathlib
import tempfile
import unittest

from orrery import papers


class Papers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_figures_have_ids_and_titles(self):
        figures = papers.figures()
        self.assertGreaterEqual(len(figures), 20)
        self.assertIn("collision detection", figures["001:5"])

    def test_drawings_need_no_measurement(self):
        page = self.folder / "page.html"
        papers.page(None, page, ["001:2"])
        text = page.read_text(encoding="utf-8")
        self.assertIn('id="001:2"', text)
        self.assertIn("<rect", text)

    def test_unknown_figures_are_refused(self):
        for call in (lambda: papers.page(None, self.folder / "page.html", ["001:99"]),
                     lambda: papers.measure(["001:99"], self.folder / "lab.csv")):
            with self.assertRaisesRegex(ValueError, "no figure '001:99': there are 001:1"):
                call()

    def test_program_measures_a_figure(self):
        csv, page = self.folder / "lab.csv", self.folder / "page.html"
        papers.measure(["001:3"], csv, backend="cpu", quick=True)
        papers.page(csv, page, ["001:3"])
        text = page.read_text(encoding="utf-8")
        self.assertIn("λX as published", text)
        self.assertNotIn("nothing was measured", text)


if __name__ == "__main__":
    unittest.main()
