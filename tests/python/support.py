# SPDX-License-Identifier: MIT
"""Shared code of the tests of the Python module. ORRERY_PROGRAM is the path of the program of the same build."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import orrery

PROGRAM = os.environ.get("ORRERY_PROGRAM", "orrery")


def direct_sum(positions, masses, G=1.0, softening=0.0):
    """Accelerations of all pairs in double precision, by NumPy alone."""
    positions, masses = np.asarray(positions, float), np.asarray(masses, float)
    towards = positions[None, :, :] - positions[:, None, :]
    squared = (towards ** 2).sum(axis=2) + softening ** 2
    np.fill_diagonal(squared, 1)
    pull = masses[None, :] / squared ** 1.5
    np.fill_diagonal(pull, 0)
    return G * (pull[:, :, None] * towards).sum(axis=1)


def energy(positions, velocities, masses, G=1.0, softening=0.0):
    """Kinetic and potential energy in double precision, by NumPy alone."""
    positions, velocities = np.asarray(positions, float), np.asarray(velocities, float)
    masses = np.asarray(masses, float)
    first, second = np.triu_indices(len(masses), 1)
    distance = np.sqrt(((positions[first] - positions[second]) ** 2).sum(axis=1) + softening ** 2)
    kinetic = 0.5 * (masses * (velocities ** 2).sum(axis=1)).sum()
    return kinetic, -G * (masses[first] * masses[second] / distance).sum()


def relative_error(found, wanted):
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    return np.sqrt(((found - wanted) ** 2).sum() / (wanted ** 2).sum())


def some_bodies(count=100, seed=1):
    random = np.random.default_rng(seed)
    return random.normal(size=(count, 3)), 0.1 * random.normal(size=(count, 3)), random.uniform(0.5, 1.5, count) / count


def plummer(count=500, **engine):
    """A fast simulation."""
    return orrery.Simulation(orrery.scene("plummer", bodies=count), backend="cpu", **engine)


def run_program(*arguments):
    """Runs `orrery` and returns its output. Fails the test with its stderr."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"orrery {' '.join(map(str, arguments))}: {done.returncode}: {done.stderr}")
    return done.stdout


def gpu_available():
    return any(entry.backend == "cuda" and entry.available for entry in orrery.engines())


def has_hdf5():
    return any("hdf5" in entry.id and entry.available for entry in orrery.formats())


class InFolder(unittest.TestCase):
    """A test case with an empty folder."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
