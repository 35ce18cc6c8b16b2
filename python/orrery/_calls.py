# SPDX-License-Identifier: MIT
"""Signatures and error messages of the compiled functions.

pybind11 reports a wrong argument with all overloads and the repr of every argument. explain() wraps the functions so that
the error names the keyword or the argument at fault. Whole numbers may be given as floats: bodies=1e4. The wrapped
functions have signatures for inspect and editors, and docstrings of readable width.
"""
import difflib
import functools
import inspect
import numbers
import os
import re
import textwrap
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _core

# Names in other packages and the literature, by the name in this package.
_ALIASES = {
    "softening": ("epsilon", "eps", "soft", "plummer"), "bodies": ("n", "nbody", "nbodies", "count", "particles"),
    "dt": ("timestep", "time_step", "step"), "engine": ("method", "solver", "gravity"), "backend": ("device",),
    "positions": ("pos", "x", "xyz", "position"), "velocities": ("vel", "v", "vxyz", "velocity"),
    "masses": ("mass", "m"), "G": ("g", "constant"), "integrator": ("scheme",), "adaptive": ("eta",),
    "path": ("file", "filename", "name"), "encounters": ("collisions", "collision"), "callback": ("heartbeat",),
}
_EXPECTED = {"int": "a whole number", "float": "a number", "str": "a str", "bool": "True or False", "os.PathLike": "a path",
             "dict": "a dict", "numpy.ndarray": "a NumPy array", "orrery.Scene": "a Scene, or the name of a preset"}
_NO_SETTING = re.compile(r"'(\w+)' is not a setting of (.+); there are (.+)")


class _Parameter:
    def __init__(self, name: str, annotation: str, default: Any, kind: Any) -> None:
        self.name, self.default, self.kind = name, default, kind
        optional = re.fullmatch(r"Optional\[(.+)\]", annotation)
        self.type = optional[1] if optional else annotation
        self.optional = optional is not None

    def accepts(self, given: Any) -> bool:
        """True if pybind11 converts the argument, and for types that are not checked."""
        if given is None:
            return self.optional or self.type not in _EXPECTED
        if self.type == "int":
            return isinstance(given, numbers.Integral) or hasattr(given, "__index__")
        if self.type == "float":
            return not isinstance(given, (str, bytes)) and (hasattr(given, "__float__") or hasattr(given, "__index__"))
        if self.type == "str":
            return isinstance(given, str)
        if self.type == "bool":
            return isinstance(given, bool) or type(given).__name__ in ("bool", "bool_")
        if self.type == "os.PathLike":
            return isinstance(given, (str, bytes, os.PathLike))
        if self.type in ("dict", "numpy.ndarray", "orrery.Scene"):
            return type(given).__name__ == self.type.rpartition(".")[2]
        return True


def _split(inside: str) -> List[str]:
    """The parameters of pybind11's signature, separated by commas outside brackets and quotes."""
    parts, depth, quoted, word = [], 0, False, ""
    for letter in inside:
        if letter == "'":
            quoted = not quoted
        depth += (letter in "[({") - (letter in "])}") if not quoted else 0
        if letter == "," and depth == 0 and not quoted:
            parts.append(word.strip())
            word = ""
        else:
            word += letter
    return [part for part in parts + [word.strip()] if part]


def _parameters(doc: str) -> Optional[List[_Parameter]]:
    found = re.match(r"\w+\((.*)\) -> [^\n]*", doc)
    if not found or "Overloaded function." in doc:
        return None
    result: List[_Parameter] = []
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for part in _split(found[1]):
        if part == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
        elif part.startswith("**"):
            result.append(_Parameter(part[2:], "Any", inspect.Parameter.empty, inspect.Parameter.VAR_KEYWORD))
        elif part.startswith("*"):
            result.append(_Parameter(part[1:], "Any", inspect.Parameter.empty, inspect.Parameter.VAR_POSITIONAL))
        else:
            name, _, rest = part.partition(": ")
            annotation, _, default = rest.partition(" = ")
            result.append(_Parameter(name, annotation, _value(default), kind))
    return result


def _value(text: str) -> Any:
    if not text:
        return inspect.Parameter.empty
    if text[0] == "'":
        return text[1:-1]
    words = {"None": None, "True": True, "False": False}
    if text in words:
        return words[text]
    return float(text) if "." in text or "e" in text else int(text)


def _meant(keyword: str, names: List[str]) -> str:
    for name in names:
        if keyword.lower() in _ALIASES.get(name, ()):
            return f"; did you mean '{name}'?"
    near = difflib.get_close_matches(keyword, names, n=1)
    return f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(names)}"


def _shown(given: Any) -> str:
    text = " ".join(repr(given).split())
    return f"{text if len(text) <= 60 else text[:57] + '…'} ({type(given).__name__})"


class _Call:
    """The parameters of a function; checks a call of it."""

    def __init__(self, title: str, parameters: List[_Parameter], method: bool) -> None:
        self.title = title
        self.all = parameters[1:] if method else parameters
        self.named = [each for each in self.all if each.kind is not inspect.Parameter.VAR_KEYWORD]
        self.open = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in self.all)
        self.positional = [each for each in self.named if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]

    def bound(self, arguments: Tuple[Any, ...], keywords: Dict[str, Any]) -> Dict[str, Any]:
        """The arguments by their names. Raises TypeError for arguments without a parameter."""
        names = [each.name for each in self.named]
        for keyword in keywords:
            if keyword not in names and not self.open:
                raise TypeError(f"{self.title}() has no keyword '{keyword}'{_meant(keyword, names)}")
        if len(arguments) > len(self.positional):
            most = len(self.positional)
            hint = "; give the others by keyword" if len(self.named) > most else ""
            raise TypeError(f"{self.title}() takes {most} argument{'s' if most != 1 else ''} without a keyword, found {len(arguments)}{hint}")
        given = {each.name: one for each, one in zip(self.positional, arguments)}
        for keyword, one in keywords.items():
            if keyword in given:
                raise TypeError(f"{self.title}(): {keyword} is given twice")
            given[keyword] = one
        for each in self.named:
            if each.default is inspect.Parameter.empty and each.name not in given:
                raise TypeError(f"{self.title}() needs {each.name}")
        return given

    def corrected(self, arguments: Tuple[Any, ...], keywords: Dict[str, Any]) -> Optional[Dict[str, Any]]:
        """The arguments with whole floats as ints, or None if there are none. Raises TypeError naming the argument at
        fault."""
        given, changed = self.bound(arguments, keywords), False
        for each in self.named:
            if each.name not in given or each.accepts(given[each.name]):
                continue
            one = given[each.name]
            if each.type == "int" and isinstance(one, numbers.Real) and float(one).is_integer():
                given[each.name], changed = int(one), True
                continue
            if each.type == "orrery.Scene" and isinstance(one, str):
                given[each.name], changed = _core.scene(one), True
                continue
            unit = "; numbers are in the scene's units" if each.type == "float" and isinstance(one, str) else ""
            raise TypeError(f"{self.title}(): {each.name}: expected {_EXPECTED[each.type]}, found {_shown(one)}{unit}")
        return given if changed else None


def _readable(doc: str) -> str:
    """Paragraphs of at most 100 columns; the first line, pybind11's signature, is kept."""
    first, _, rest = doc.partition("\n")
    paragraphs = [textwrap.fill(one, 100, break_long_words=False) for one in rest.strip().splitlines()]
    return first + "\n\n" + "\n".join(paragraphs) + "\n" if rest.strip() else doc


def explained(function: Callable[..., Any], title: str, method: bool) -> Callable[..., Any]:
    """The function with the errors of this module; unchanged if its docstring has no signature."""
    doc = function.__doc__ or ""
    parameters = _parameters(doc)
    if parameters is None:
        return function
    call = _Call(title, parameters, method)

    @functools.wraps(function)
    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except TypeError as error:
            # Raised before anything has run, so a corrected call may follow.
            unknown = _NO_SETTING.fullmatch(str(error))
            if unknown:
                raise TypeError(f"{unknown[1]!r} is not a setting of {unknown[2]}{_meant(unknown[1], unknown[3].split(', '))}") from None
            if "incompatible" not in str(error):
                raise
        own, rest = (arguments[:1], arguments[1:]) if method else ((), arguments)
        corrected = call.corrected(rest, keywords)
        if corrected is None:
            raise TypeError(f"{title}(): the arguments do not match {title}{signature}")
        return function(*own, **corrected)

    signature = inspect.Signature([inspect.Parameter(each.name, each.kind, default=each.default) for each in parameters])
    wrapper.__signature__ = signature  # type: ignore[attr-defined]
    wrapper.__doc__ = _readable(doc)
    return wrapper


def explain(module: Any, classes: Tuple[type, ...]) -> None:
    """Wraps the public functions of the module and the methods of the classes, in place."""
    for name, value in list(vars(module).items()):
        if callable(value) and not isinstance(value, type) and not name.startswith("_"):
            setattr(module, name, explained(value, name, False))
    for owner in classes:
        for name, value in list(vars(owner).items()):
            if callable(value) and (name == "__init__" or not name.startswith("_")):
                setattr(owner, name, explained(value, owner.__name__ if name == "__init__" else name, True))
