#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks snapshots of a series with physical units by h5py: groups, attributes and data sets as in the user guide of
Gadget-4 (section 8) and in AREPO's documentation. Exit code 77: h5py is not installed."""
import sys

try:
    import h5py
    import numpy
except ImportError as error:
    print(error)
    sys.exit(77)

HEADER = {"NumPart_ThisFile": (6,), "NumPart_Total": (6,), "MassTable": (6,), "Time": (), "Redshift": (),
          "BoxSize": (), "NumFilesPerSnapshot": (1,), "UnitLength_in_cm": (), "UnitMass_in_g": (),
          "UnitVelocity_in_cm_per_s": ()}
COLUMNS = {"Coordinates": 3, "Velocities": 3, "Masses": 1, "ParticleIDs": 1, "Acceleration": 3, "Potential": 1}
G_CGS = 6.6743e-8


def check(path, time_before):
    with h5py.File(path, "r") as file:
        header = file["Header"].attrs
        for name, shape in HEADER.items():
            assert header[name].shape == shape, f"{name}: {header[name]}"
        counts = header["NumPart_ThisFile"]
        assert (counts == header["NumPart_Total"]).all() and counts.sum() == 200
        assert header["Time"] > time_before
        length, mass, velocity = (header[f"Unit{name}"] for name in
                                  ("Length_in_cm", "Mass_in_g", "Velocity_in_cm_per_s"))
        assert abs(G_CGS * mass / length / velocity**2 - header["Orrery_G"]) < 1e-12, "G in these units"
        assert abs(length / 3.0857e21 - 1) < 1e-3, "kpc"
        assert 2.4e12 < mass / 1.989e33 < 2.6e12, "the mass of both galaxies"
        for kind, count in enumerate(counts):
            group = f"PartType{kind}"
            assert (group in file) == (count > 0)
            for name, columns in COLUMNS.items() if count else ():
                data = file[group][name]
                assert data.shape == ((count, columns) if columns > 1 else (count,)), f"{group}/{name}: {data.shape}"
                assert data.compression == "gzip" and data.compression_opts == 4 and data.shuffle
                assert data.dtype == ("u8" if name == "ParticleIDs" else "f8")
                assert numpy.isfinite(data[...]).all()
            if count:
                assert len(set(file[group]["ParticleIDs"][...])) == count
                assert (file[group]["Masses"][...] > 0).all() and (file[group]["Potential"][...] < 0).all()
        return float(header["Time"])


last = -1.0
for snapshot in sys.argv[1:]:
    last = check(snapshot, last)
