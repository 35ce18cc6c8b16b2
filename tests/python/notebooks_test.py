# SPDX-License-Identifier: MIT
"""The notebooks of docs/ run completely with the outputs in their files; the runner detects differences."""
import json
import pathlib
import tempfile
import unittest

import notebook_runner

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"


class Notebooks(unittest.TestCase):
    def test_output_matches_the_files(self):
        found = sorted(FOLDER.glob("*.ipynb"))
        self.assertGreaterEqual(len(found), 3)
        for path in found:
            with self.subTest(path.name):
                self.assertEqual(notebook_runner.run(path), [])

    def test_the_runner_detects_differences(self):
        def cell(source, text, tags=()):
            return {"cell_type": "code", "source": source, "metadata": {"tags": list(tags)},
                    "outputs": [{"output_type": "stream", "name": "stdout", "text": [text]}]}

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.ipynb"
            for cells, wrong in (([cell("print(1.0)", "1.0\n")], 0), ([cell("print(1.0)", "1.5\n")], 1),
                                 ([cell("print(1.0)", "1.5\n", ["varies"])], 0), ([cell("x = 1", "1\n")], 1),
                                 ([cell("print('a')", "b\n")], 1), ([cell("x = 2\nprint(x)", "2\n"), cell("print(x)", "2\n")], 0)):
                path.write_text(json.dumps({"cells": cells}))
                self.assertEqual(len(notebook_runner.run(path)), wrong, str(cells))


if __name__ == "__main__":
    unittest.main()
