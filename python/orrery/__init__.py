# SPDX-License-Identifier: MIT
"""Orrery: gravitating bodies, under any of its force engines.

    import orrery
    sim = orrery.Simulation(orrery.scene("plummer", bodies=10_000), "tree", accuracy=1e-4)
    sim.run_until(1.0)
    sim.positions        # a NumPy view of the simulation's own memory, shape (10000, 3)
    sim.energies()
    sim.render(640, 360)

Numbers are in the scene's units; G = 1 unless a preset has another value. See docs/python.md.
"""
from . import _calls, _core

_calls.explain(_core, (_core.Scene, _core.Simulation, _core.Film, _core.DeviceArray))

from ._core import (  # noqa: E402, the wrapped functions

    DeviceArray,
    Error,
    Film,
    MachineError,
    Scene,
    Selection,
    Simulation,
    UsageError,
    __version__,
    built_with,
    choose_gl_device,
    color_maps,
    color_modes,
    engines,
    fields,
    formats,
    halo_members,
    halos,
    integrators,
    laws,
    load,
    maps,
    plot,
    png,
    presets,
    read_field,
    resume,
    roots,
    scene,
    scenes,
    settings,
    view_settings,
    write_png,
)
from ._rebound import from_rebound, to_rebound
from ._series import Series, series
from ._values import Analysis, Drift, Encounter, Encounters, Energies, Engine, Entry, ForceError, Format, Integrator, Preset, Setting, Svg
from .notebook import Window, show

__all__ = [
    "Analysis",
    "DeviceArray",
    "Drift",
    "Encounter",
    "Encounters",
    "Energies",
    "Engine",
    "Entry",
    "Error",
    "Film",
    "ForceError",
    "Format",
    "Integrator",
    "MachineError",
    "Preset",
    "Scene",
    "Selection",
    "Series",
    "Setting",
    "Simulation",
    "Svg",
    "UsageError",
    "Window",
    "__version__",
    "built_with",
    "choose_gl_device",
    "color_maps",
    "color_modes",
    "engines",
    "fields",
    "formats",
    "from_rebound",
    "halo_members",
    "halos",
    "integrators",
    "laws",
    "load",
    "maps",
    "plot",
    "png",
    "presets",
    "read_field",
    "resume",
    "roots",
    "scene",
    "scenes",
    "series",
    "settings",
    "show",
    "to_rebound",
    "view_settings",
    "write_png",
]
