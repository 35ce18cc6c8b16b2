# SPDX-License-Identifier: MIT
"""Snapshots of one run, ordered by time."""
import os
import pathlib
from typing import Any, Iterator, List, Sequence, Tuple, Union, overload

from ._core import Scene, Simulation, _series_members, load
from ._core import Film as _Film

_Path = Union[str, "os.PathLike[str]"]


class Series(Sequence[Scene]):
    """Snapshots as a sequence of Scenes, each read on access, so that only one is in memory at a time."""

    def __init__(self, members: List[Tuple[pathlib.Path, float]], notes: List[str], arguments: Any) -> None:
        self.paths: List[pathlib.Path] = [path for path, _ in members]
        """The first file of each snapshot."""
        self.times: List[float] = [time for _, time in members]
        """Times from the files, ascending."""
        self.notes = notes
        """Remarks, such as files that were skipped."""
        self._arguments = arguments

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> Scene: ...
    @overload
    def __getitem__(self, index: slice) -> "Series": ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Series(list(zip(self.paths[index], self.times[index])), self.notes, self._arguments)
        return load(self.paths[index], **self._arguments)

    def __iter__(self) -> Iterator[Scene]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        between = f", t = {self.times[0]:g} to {self.times[-1]:g}" if self.times else ""
        return f"<orrery.Series: {len(self)} snapshots{between}>"


def series(path: Union[_Path, Sequence[_Path]], **arguments: Any) -> Series:
    """The snapshots of a run: a folder, a pattern such as 'snap_*.hdf5', or a list of files. Keywords are those of load().

    Raises UsageError if no file can be read.
    """
    sources = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    members, notes = _series_members([os.fspath(one) for one in sources])
    return Series(members, notes, arguments)


def record(self: Simulation, path: _Path, frames: int, *, steps_per_frame: int = 1, fps: int = 60, width: int = 1280,
           height: int = 720, quality: int = 80, **settings: Any) -> int:
    """Records `frames` frames, `steps_per_frame` steps apart, into a Film. Keywords are those of render().

    For trails, cameras that move and comparisons use `orrery record`. Returns the number of frames.
    """
    with _Film(path, width, height, fps=fps, quality=quality) as film:
        for frame in range(frames):
            if frame:
                self.step(steps_per_frame)
            film.add(self.render(width, height, **settings))
    return frames


Simulation.record = record
