# SPDX-License-Identifier: MIT
"""The program `orrery` that belongs to this module."""
import os
import pathlib
import shutil
import subprocess
from typing import Iterator, Optional

from ._core import MachineError, __version__


def _places() -> Iterator[pathlib.Path]:
    here = pathlib.Path(__file__).resolve().parent
    yield here / "bin" / "orrery"  # installed by `pip install .`
    yield here.parent.parent / "app" / "orrery"  # in a build folder
    if len(here.parents) > 3:
        yield here.parents[3] / "bin" / "orrery"  # in PREFIX/lib/python3/dist-packages


def _version_of(program: pathlib.Path) -> Optional[str]:
    try:
        output = subprocess.run([str(program), "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    words = output.split()
    return words[1] if len(words) > 1 and words[0] == "orrery" else None


def find_program() -> pathlib.Path:
    """Finds the program of the same version: $ORRERY_PROGRAM, or the one installed with the module, or the first on PATH.

    Raises MachineError if there is none.
    """
    named = os.environ.get("ORRERY_PROGRAM")
    places = [pathlib.Path(named)] if named else list(_places())
    on_path = shutil.which("orrery")
    if on_path and not named:
        places.append(pathlib.Path(on_path))
    others = []
    for place in places:
        if not place.is_file() or not os.access(place, os.X_OK):
            continue
        version = _version_of(place)
        if version == __version__:
            return place
        others.append(f"{place} is version {version or 'unknown'}")
    raise MachineError(f"the program orrery {__version__} was not found; set $ORRERY_PROGRAM to its path" +
                       "".join(f"; {other}" for other in others))
