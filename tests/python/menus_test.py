# SPDX-License-Identifier: MIT
"""Menus equal those of the program; stubs match the module; all public names have docstrings."""
import ast
import inspect
import json
import pathlib
import pickle
import re
import unittest

import orrery
from orrery import _core
from support import run_program

STUB = pathlib.Path(_core.__file__).parent / "_core.pyi"


class Menus(unittest.TestCase):
    def test_are_those_of_the_program(self):
        listed = json.loads(run_program("list", "--json"))
        for name, found in (("engines", orrery.engines()), ("presets", orrery.presets()), ("scenes", orrery.scenes()),
                            ("integrators", orrery.integrators()), ("formats", orrery.formats()), ("roots", orrery.roots()),
                            ("color_maps", orrery.color_maps()), ("color_modes", orrery.color_modes())):
            self.assertEqual([entry.id for entry in found], [entry["id"] for entry in listed[name]], name)

    def test_entries_are_plain_values(self):
        for menu in (orrery.engines, orrery.presets, orrery.maps, orrery.roots, lambda: orrery.settings("tree", "cpu")):
            for entry in menu():
                self.assertEqual(pickle.loads(pickle.dumps(entry)), entry)
                self.assertTrue(entry.id and entry.doc)

    def test_settings_of_an_engine(self):
        found = {setting.id: setting for setting in orrery.settings("tree", "cpu")}
        self.assertIn("theta", found)
        self.assertNotIn("map", found)
        self.assertEqual((found["theta"].takes, found["theta"].default), ("0 to 2", 0.0))
        with self.assertRaises(orrery.UsageError):
            orrery.settings("no")

    def test_errors_are_what_python_expects(self):
        self.assertTrue(issubclass(orrery.UsageError, ValueError) and issubclass(orrery.UsageError, orrery.Error))
        self.assertTrue(issubclass(orrery.MachineError, RuntimeError) and issubclass(orrery.MachineError, orrery.Error))
        self.assertEqual(orrery.UsageError.__module__, "orrery")


def parameters_of_stub(function):
    """Parameter names, with '*' before those that are keyword-only, as in a docstring."""
    arguments = function.args
    names = [one.arg for one in arguments.posonlyargs + arguments.args if one.arg != "self"]
    if arguments.vararg:
        names.append("*" + arguments.vararg.arg)
    elif arguments.kwonlyargs:
        names.append("*")
    names += [one.arg for one in arguments.kwonlyargs]
    if arguments.kwarg:
        names.append("**")
    return names


def parameters_of_docstring(doc):
    """Parameter names of the first line, written by pybind11."""
    inside = re.match(r"\w+\((.*)\) -> ", doc).group(1)
    depth, names, word = 0, [], ""
    for letter in inside + ",":
        depth += letter in "[({"
        depth -= letter in "])}"
        if letter == "," and depth == 0:
            name = re.split(r"[:=]", word.strip())[0].strip()
            names.append("**" if name.startswith("**") else name)
            word = ""
        else:
            word += letter
    return [name for name in names if name and name != "self" and not name.startswith("arg0")]


class Stubs(unittest.TestCase):
    def setUp(self):
        self.tree = ast.parse(STUB.read_text(encoding="utf-8"))

    def members(self, body):
        found = {}
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found[node.name] = node
            elif isinstance(node, ast.AnnAssign):
                found[node.target.id] = node
        return found

    def names_of(self, owner, ignored=()):
        return {name for name in vars(owner)
                if name not in ignored and not name.startswith(("__", "_pybind11_"))}  # pybind11 2.13 adds one

    def test_contain_all_names_of_the_module(self):
        stub = {name for name in self.members(self.tree.body) if not (name.startswith("_") and name[1].isupper())}
        real = self.names_of(_core) | {"__version__"}
        self.assertEqual(stub, real)

    def test_contain_all_names_of_each_class(self):
        for name, node in self.members(self.tree.body).items():
            if not isinstance(node, ast.ClassDef):
                continue
            stub = {one for one in self.members(node.body) if not one.startswith("__")}
            real = self.names_of(getattr(_core, name))
            self.assertEqual(stub, real, name)
            for one in self.members(node.body):
                self.assertTrue(hasattr(getattr(_core, name), one), f"{name}.{one}")

    def test_parameters(self):
        def compare(owner, name, node):
            doc = inspect.getdoc(getattr(owner, name)) or ""
            if "Overloaded function." in doc or not re.match(r"\w+\(", doc):
                return 0
            wanted = parameters_of_docstring(doc)
            found = parameters_of_stub(node)
            if name in ("__exit__", "__setstate__", "_write_window_scene"):
                return 0
            self.assertEqual(found, wanted, f"{owner}.{name}")
            return 1

        compared = 0
        for name, node in self.members(self.tree.body).items():
            if isinstance(node, ast.FunctionDef):
                compared += compare(_core, name, node)
            elif isinstance(node, ast.ClassDef):
                for inner, function in self.members(node.body).items():
                    if isinstance(function, ast.FunctionDef) and not function.decorator_list:
                        compared += compare(getattr(_core, name), inner, function)
        self.assertGreater(compared, 35)

    def test_everything_has_a_docstring(self):
        for name in orrery.__all__:
            owner = getattr(orrery, name)
            if isinstance(owner, str):
                continue
            self.assertTrue(inspect.getdoc(owner), name)
            if isinstance(owner, type) and owner.__module__.startswith("orrery"):
                for inner, value in vars(owner).items():
                    if not inner.startswith("_"):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{inner}")

    def test_all_lists_every_public_name(self):
        public = {name for name in vars(orrery) if not name.startswith("_")} - {"notebook", "amuse"}
        self.assertEqual(public, set(orrery.__all__) - {"__version__"})


if __name__ == "__main__":
    unittest.main()
