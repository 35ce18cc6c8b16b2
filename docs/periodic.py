#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a CSV snapshot of a periodic box with a cluster at its corner, for the picture of docs/guide/drawing.md.

    docs/periodic.py > periodic.csv

48³ bodies, one anywhere in each cell of a lattice, are displaced by the waves of a box (Zel'dovich 1970, A&A 5, 84). The
phases of the longest waves make bodies meet at the origin, which is a corner of the box."""
import sys

import numpy

SIDE, EDGE, SEED, LONGEST = 48, 100.0, 5, 0.22


def waves():
    """Whole wave vectors up to 6 and their displacements: a spectrum of |k|^-2."""
    random = numpy.random.default_rng(SEED)
    for k in numpy.ndindex(13, 13, 13):
        k = numpy.array(k) - 6
        size = numpy.linalg.norm(k)
        if 0 < size <= 6 and tuple(k) > (0, 0, 0):
            yield 2 * numpy.pi * k, random.rayleigh(size**-1.5) * k / size**2, (
                0 if size < 1.5 else random.uniform(0, 2 * numpy.pi))


def main():
    along = (numpy.arange(SIDE) + 0.5) / SIDE
    place = numpy.stack(numpy.meshgrid(along, along, along, indexing="ij"), axis=-1).reshape(-1, 3)
    place += numpy.random.default_rng(SEED).uniform(-0.5, 0.5, place.shape) / SIDE
    shift = numpy.zeros_like(place)
    for k, amplitude, phase in waves():
        shift -= numpy.sin(place @ k + phase)[:, None] * amplitude
    shift *= LONGEST / numpy.sqrt((shift**2).sum(axis=1).max())
    place = EDGE * ((place + shift) % 1.0)
    print(f"# orrery: bodies={len(place)} box={EDGE:g} length_unit=Mpc\nm,x,y,z,vx,vy,vz")
    numpy.savetxt(sys.stdout, numpy.column_stack([numpy.ones(len(place)), place, EDGE * shift]), "%.6g", ",")


main()
