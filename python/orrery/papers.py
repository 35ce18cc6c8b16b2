# SPDX-License-Identifier: MIT
"""The figures and tables of the papers that the laboratory repeats.

    from orrery import papers
    papers.figures()                          # {"001:3": "Performance of the different square root strategies", ...}
    papers.measure(["001:3"], "lab.csv", quick=True)
    papers.page("lab.csv", "figures.html", ["001:3"])   # published and measured values side by side

`measure` runs the program `orrery lab`; drawings of maps need no measurement.
"""
import os
import subprocess
from typing import Dict, Iterable, Optional, Union

from . import _paper_figures, _program

__all__ = ["figures", "measure", "page"]

Path = Union[str, "os.PathLike[str]"]


def figures() -> Dict[str, str]:
    """Ids of the figures and tables, such as "001:5", with their titles."""
    return {_paper_figures.id_of(each): each["title"] for each in _paper_figures.FIGURES}


def _checked(ids: Optional[Iterable[str]]) -> str:
    """Ids for the command line; None stands for all. Raises ValueError for an unknown one."""
    if ids is None:
        return "all"
    if isinstance(ids, str):
        ids = [ids]
    chosen, known = list(ids), figures()
    for each in chosen:
        if each not in known:
            raise ValueError(f"no figure '{each}': there are {', '.join(known)}")
    return ",".join(chosen)


def measure(ids: Optional[Iterable[str]], csv: Path, *, backend: Optional[str] = None, quick: bool = False) -> None:
    """Measures what these figures need (None: all) and adds the rows to the CSV file `csv`.

    `backend` is "cpu" or "cuda", by default "cuda" if there is a device; `quick` measures few sizes. Rows that the file has
    are not measured again. Raises ValueError for an unknown id and RuntimeError with the program's message.
    """
    command = [str(_program.find_program()), "lab", "--figures", _checked(ids), "--csv", os.fspath(csv)]
    command += ["--backend", backend] if backend else []
    done = subprocess.run(command + (["--quick"] if quick else []), text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "orrery lab failed")


def page(csv: Optional[Path], path: Path, ids: Optional[Iterable[str]] = None) -> None:
    """Writes the HTML page `path` with published and measured values of these figures (None: all).

    `csv` is a file of `measure` or `orrery lab --figures`; None draws what needs no measurement. Raises ValueError for an
    unknown id and OSError if a file cannot be read or written.
    """
    tables, device = _paper_figures.tables_of(csv) if csv else ({}, "no device")
    chosen = _paper_figures.wanted_figures(_checked(ids))
    with open(path, "w", encoding="utf-8") as file:
        file.write(_paper_figures.page(chosen, tables, device))
