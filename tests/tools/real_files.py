#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that other programs wrote, from public repositories, compared with readers that share no code with Orrery.

    tests/tools/real_files.py FOLDER        # with PYTHONPATH=build/release/python, NumPy and h5py

FOLDER holds each file as OWNER/NAME/PATH; `git show COMMIT:PATH` in a clone of the repository prints it. For each
snapshot every block of the file must be listed, and the numbers of all fields, positions, velocities, masses and ids
must be equal; for each catalogue ids, masses, positions and velocities. Prints the table of bench/results/real_files.md;
the exit code is 1 if anything differs or a file is missing."""
import pathlib
import struct
import sys
import tempfile

import h5py
import numpy as np

import orrery

TANGOS = "pynbody/tangos", "e0fe815dfe6bac7ace8c688ce4cd8451ed7d79fd"
GADGET4 = "andygarciaserra/tsn-hyd_sims", "48057733ab0e56aaff3b25d6393d0ad42824a285"
RINGS = "AnDrEUs35/Trash_project", "49965e8b02b4a280c8bd0ebc40355a7ec2883d38"
ASTROIO = "JuliaAstroSim/AstroIO.jl", "8ba79119b61ee6c5f96c259b4dd8a8fad32118c6"
ICS = "Ezequiel92/initial_conditions", "9c65bc522c1c2d53bc2641d8ab9a19704397088b"
TNG50 = "EnthalpyBill/oct_illustris", "aa61873ea1205d3710f4220dc436525a7a73a526"
TNG100 = "choisant/illustris-project", "560d708cc6401db3ad6a141752b0e045beaea2f9"
GADGET4_GROUPS = "cnvega/hcai2023", "1faf672c8b2d09f9e5dc5ccc85c4d8a3109c6368"
SWIFT = "SWIFTSIM/SWIFT"
HALOTOOLS = "astropy/halotools", "7c438ed06fe2ef6271752d92e5c200ab17ce1ecc"
GROUPS = "data/tng100-1/output/groups_099/fof_subhalo_tab_099."
SUBBOX = "docs/source/cookbook/TNG50-4-Subbox0/output/snapdir_2332/snap_2332."

KINDS = 6


# ---- snapshots: (blocks by name, coordinates, velocities, masses or None, ids or None), rows in order of the types

def of_hdf5(path):
    """Each data set of the types with positions; rows of types without it are NaN."""
    blocks, named = {}, {}
    with h5py.File(path) as file:
        kinds = [k for k in range(KINDS) if f"PartType{k}/Coordinates" in file and len(file[f"PartType{k}/Coordinates"])]
        counts = {k: len(file[f"PartType{k}/Coordinates"]) for k in kinds}
        for k in kinds:
            def add(name, item, k=k):
                if isinstance(item, h5py.Dataset) and item.shape and len(item) == counts[k]:
                    named.setdefault(name, {})[k] = item[()]
            file[f"PartType{k}"].visititems(add)
        table = np.array(file["Header"].attrs["MassTable"], "f8") if "MassTable" in file["Header"].attrs else None
    for name, parts in named.items():
        some = next(iter(parts.values()))
        whole = some.dtype.kind in "iu" and len(parts) == len(kinds)
        made = [parts[k] if k in parts else np.full((counts[k],) + some.shape[1:], np.nan) for k in kinds]
        blocks[name] = np.concatenate(made if whole else [part.astype("f8") for part in made])
    masses = blocks.get("Masses")
    if table is not None:
        own = np.concatenate([np.full(counts[k], table[k] if k < len(table) else 0) for k in kinds])
        masses = own if masses is None else np.where(np.isnan(masses), own, masses)
    return blocks, blocks["Coordinates"], blocks["Velocities"], masses, blocks.get("ParticleIDs")


def records(path):
    """(label or None, bytes) of each block of SnapFormat 1 or 2, little-endian."""
    data, at, label, found = path.read_bytes(), 0, None, []
    while at < len(data):
        size = struct.unpack_from("<I", data, at)[0]
        body = data[at + 4:at + 4 + size]
        assert struct.unpack_from("<I", data, at + 4 + size)[0] == size
        at += size + 8
        if size == 8:
            label = body[:4].decode().strip()
        else:
            found.append((label, body))
    return found


def of_gadget(path):
    """The standard blocks POS, VEL, ID and MASS, and those that follow, by label or by the order of Gadget-2."""
    found = records(path)
    head = found[0][1]
    counts, table = np.frombuffer(head, "<u4", 6), np.frombuffer(head, "<f8", 6, 24)
    bodies, gas, own = int(counts.sum()), int(counts[0]), np.repeat(table == 0, counts)
    labels = ["POS", "VEL", "ID"] + (["MASS"] if own.any() else []) + ["U", "RHO", "HSML"]
    rest = {label or labels[i]: body for i, (label, body) in enumerate(found[1:])}
    bytes_each = 8 if len(rest["POS"]) == 24 * bodies else 4
    real = f"<f{bytes_each}"
    x, v = (np.frombuffer(rest.pop(name), real).reshape(-1, 3) for name in ("POS", "VEL"))
    ids = rest.pop("ID")
    ids = np.frombuffer(ids, "<u8" if len(ids) == 8 * bodies else "<u4")
    masses = np.repeat(table, counts)
    if own.any():
        masses[own] = np.frombuffer(rest.pop("MASS"), real)
    blocks = {}
    for name, body in rest.items():
        numbers = np.frombuffer(body, real)
        if len(numbers) in (bodies, 3 * bodies):
            blocks[name] = numbers.reshape(bodies, -1).squeeze()
        elif gas and len(numbers) == gas:
            blocks[name] = np.concatenate([numbers, np.full(bodies - gas, np.nan)])
    return blocks, x, v, masses, ids


def of_tipsy(order):
    def read(path):
        data = path.read_bytes()
        counts = np.frombuffer(data, order + "i4", 6, 8)
        names = {0: (12, {"rho": 7, "temp": 8, "hsmooth": 9, "metals": 10, "phi": 11}), 1: (9, {"eps": 7, "phi": 8}),
                 2: (11, {"metals": 7, "tform": 8, "eps": 9, "phi": 10})}
        at, parts, blocks = 32, [], {}
        for kind, count in enumerate(counts[2:5]):
            wide, _ = names[kind]
            rows = np.frombuffer(data, order + "f4", count * wide, at).reshape(count, wide)
            parts.append(rows)
            at += rows.nbytes
        assert at == len(data)
        for name in ("rho", "temp", "hsmooth", "metals", "tform", "eps", "phi"):
            if any(len(rows) and name in names[kind][1] for kind, rows in enumerate(parts)):
                blocks[name] = np.concatenate([rows[:, names[kind][1][name]] if name in names[kind][1]
                                               else np.full(len(rows), np.nan) for kind, rows in enumerate(parts)])
        for beside in path.parent.glob(path.name + ".*"):
            word = beside.name[len(path.name) + 1:]
            text = beside.read_text(errors="replace").split()
            if text and text[0] == str(counts[0]):
                blocks[word] = np.array(text[1:], "f8")
        together = lambda a, b: np.concatenate([rows[:, a:b] for rows in parts])
        return blocks, together(1, 4), together(4, 7), together(0, 1)[:, 0], None
    return read


def of_nemo(path):
    """The last snapshot of a structured file."""
    data, at, stack, items = path.read_bytes(), 0, [], {}
    order = ">" if data[0] in (0x09, 0x0b) else "<"
    def text():
        nonlocal at
        end = data.index(b"\0", at)
        found, at = data[at:end].decode(), end + 1
        return found
    while at < len(data):
        magic = struct.unpack_from(order + "H", data, at)[0]
        at += 2
        kind = text()
        if kind == ")":
            stack.pop()
            continue
        tag, dims = text(), []
        if kind == "(":
            stack.append(tag)
            continue
        if magic == 0x0b92:
            while (size := struct.unpack_from(order + "i", data, at)[0]) != 0:
                dims.append(size)
                at += 4
            at += 4
        form = {"f": "f4", "d": "f8", "i": "i4", "l": "i8", "c": "S1", "b": "u1", "s": "i2", "h": "i2", "a": "u1"}[kind]
        count = int(np.prod(dims)) if dims else 1
        numbers = np.frombuffer(data, order + form, count, at)
        at += numbers.nbytes
        items["/".join(stack + [tag])] = numbers.reshape(dims) if dims else numbers[0]
    inside = {name.rsplit("/", 1)[1]: numbers for name, numbers in items.items() if "/Particles/" in name}
    phase = inside.pop("PhaseSpace", None)
    x, v = (phase[:, 0], phase[:, 1]) if phase is not None else (inside.pop("Position"), inside.pop("Velocity"))
    masses = inside.pop("Mass", None)
    blocks = {name: numbers for name, numbers in inside.items() if np.shape(numbers)[:1] == (len(x),)}
    return blocks, x, v, masses, None


# ---- catalogues: columns id, mass, radius, x, y, z, vx, vy, vz, members, descendant as the file has them

def of_text(names, radius=1.0):
    def read(path):
        lines = path.read_text().splitlines()
        titles = [word.split("(")[0].lower() for word in lines[0].lstrip("#").split()]
        rows = [line.split() for line in lines if line and not line.startswith("#")]
        rows = [row for row in rows if len(row) == len(titles)]
        found = {}
        for ours, theirs in names.items():
            column = titles.index(theirs)
            found[ours] = np.array([int(float(row[column])) if ours in ("id", "members", "descendant") else
                                    float(row[column]) for row in rows])
        if "radius" in found:
            found["radius"] = found["radius"] * radius
        return found
    return read


PLACES = {"x": "x", "y": "y", "z": "z", "vx": "vx", "vy": "vy", "vz": "vz"}
of_ahf = of_text({"id": "id", "mass": "mvir", "radius": "rvir", "members": "npart", "x": "xc", "y": "yc", "z": "zc",
                  "vx": "vxc", "vy": "vyc", "vz": "vzc"})
of_rockstar = of_text({"id": "id", "mass": "mvir", "radius": "rvir", "members": "np", **PLACES},
                      1e-3)
of_trees = of_text({"id": "id", "mass": "mvir", "radius": "rvir", "descendant": "desc_id", **PLACES}, 1e-3)


def of_subfind(path):
    """Groups, then subhaloes, of one file."""
    found = {}
    with h5py.File(path) as file:
        sets = [(file.get("Group", {}), "Group", "Group_R_Crit200"), (file.get("Subhalo", {}), "Subhalo", "SubhaloHalfmassRad")]
        sets = [(group, word, radius) for group, word, radius in sets if f"{word}Pos" in group]
        scale = 1 / (1 + file["Header"].attrs["Redshift"])
        together = lambda parts: np.concatenate([np.asarray(part) for part in parts])
        found["mass"] = together(group[f"{word}Mass"][()] for group, word, _ in sets)
        found["radius"] = together(group[radius][()] for group, _, radius in sets)
        found["members"] = together(group[f"{word}Len"][()] for group, word, _ in sets)
        found["id"] = together(np.arange(len(group[f"{word}Pos"])) for group, word, _ in sets)
        for k, axis in enumerate("xyz"):
            found[axis] = together(group[f"{word}Pos"][:, k] for group, word, _ in sets)
            found["v" + axis] = together(group[f"{word}Vel"][:, k] for group, word, _ in sets)
    assert abs(scale - 1) < 1e-12, "velocities of groups would need their factor of a"
    return found


def alone(path, folder):
    """A file of an incomplete set as a whole snapshot or catalogue: numbers of files, bodies, groups and subhaloes are
    those of the file, and groups count from its first one. Nothing else is changed."""
    made = pathlib.Path(folder) / "alone.hdf5"
    made.write_bytes(path.read_bytes())
    with h5py.File(made, "r+") as file:
        head = file["Header"].attrs
        for total in [name for name in head if name.endswith("_Total")]:
            head[total] = head[total.replace("_Total", "_ThisFile")]
        for number in ("NumFiles", "NumFilesPerSnapshot"):
            if number in head:
                head[number] = type(head[number])(1)
        for name in ("SubhaloGroupNr", "SubhaloGrNr"):
            if "Subhalo" in file and name in file["Subhalo"]:
                numbers, groups = file["Subhalo"][name], head["Ngroups_ThisFile"]
                given = numbers[()].astype("i8")  # those of the first group may be in the file before
                numbers[...] = np.maximum(given - max(given[0], given.max() - groups + 1), 0)
    return made


SNAPSHOTS = [
    ("Gadget-2, SnapFormat 1", *ASTROIO, "test/gassphere_littleendian.gadget2", of_gadget),
    ("Gadget-2, SnapFormat 1", "Lowingbn/iccpy", "c83aeba529c17ea49488f7cb8295c8cdef98940f",
     "iccpy_test/data/gadget_binary_snapshot_000", of_gadget),
    ("Gadget-2, SnapFormat 2", *ASTROIO, "test/pot_acc.format2.gadget2", of_gadget),
    ("Gadget-2, SnapFormat 2", *ASTROIO, "test/gadget_no_mass", of_gadget),
    ("P-Gadget3, initial conditions", *ICS, "Gadget/ICs/ICFormat1/gassphere_32.dat", of_gadget),
    ("Gadget-4", *GADGET4, "content/1.gadget_intro/G2-lcdm-gas/snaps/snapshot_004.hdf5", of_hdf5),
    ("Gadget-4", *GADGET4, "content/1.gadget_intro/G2-galaxy/snaps/snapshot_005.hdf5", of_hdf5),
    ("Gadget-4", *GADGET4, "content/2.sdv_blast_wave/data/snapshot_010.hdf5", of_hdf5),
    ("Gadget-4", *GADGET4, "content/project1/data/gassphere/snapshot_007.hdf5", of_hdf5),
    ("AREPO, SnapFormat 2", "lewisprole/Pop3_Bfield", "601a37ec2195d0e1b42625434deb80e5c63e65f0",
     "lewis_arepo_code/snapshot_000", of_gadget),
    ("AREPO", *RINGS, "test/snap_040.hdf5", of_hdf5),
    ("AREPO, initial conditions", *ICS, "Arepo/ICs/small_box/isolated_32.hdf5", of_hdf5),
    ("AREPO (TNG50-4), file 5 of a set", *TNG50, SUBBOX + "5.hdf5", of_hdf5),
    ("AREPO (TNG50-4), file 0 of a set", *TNG50, SUBBOX + "0.hdf5", of_hdf5),
    ("GIZMO, initial conditions", "pfhopkins/gizmo-public", "3572053aacafaad799e24dfa703b215e0183d254",
     "sims/soundwave_ics.hdf5", of_hdf5),
    ("SWIFT", SWIFT, "75973f69ddad3c3d95a7d76c440a399d32e86b75",
     "examples/MHDTests/RobertsFlow/ICfiles/g32_randB_withVP.hdf5", of_hdf5),
    ("SWIFT", SWIFT, "09a5a873f7e88a785ab72874df166f985f06d35d",
     "examples/MHDTests/RobertsFlow/RobertsFlow_classic/IAfiles/glassCube_16.hdf5", of_hdf5),
    ("Gasoline, TIPSY", *TANGOS, "tests/test_simulations/test_tipsy/tiny.000640", of_tipsy(">")),
    ("Gasoline, TIPSY", *TANGOS, "tests/test_simulations/test_tipsy/tiny.000832", of_tipsy(">")),
    ("NEMO (hackcode1)", "teuben/nemo", "d56c4e43d4ac19385b6f236f3a074f12d2026e60", "data/snapshot/hack128.sun4", of_nemo),
]
CATALOGUES = [
    ("Subfind of Gadget-4, file 19 of a set", *GADGET4_GROUPS, "Codes/3.2/hdf5_ejemplos/gadget4/groups/fof_subhalo_tab_264.19.hdf5", of_subfind),
    ("Subfind of AREPO (TNG100-1), file 100 of a set", *TNG100, GROUPS + "100.hdf5", of_subfind),
    ("AHF", *TANGOS, "tests/test_simulations/test_ahf_merger_tree/tiny.000832.z1.512.AHF_halos", of_ahf),
    ("AHF", *TANGOS, "tests/test_stat_files/pioneer50h128.1536gst1.bwK1.000832.z2.323.AHF_halos", of_ahf),
    ("Rockstar", *TANGOS, "tests/test_simulations/test_gadget_rockstar/out_13.list", of_rockstar),
    ("Rockstar", *TANGOS, "tests/test_simulations/test_gadget_rockstar/out_14.list", of_rockstar),
    ("Consistent-trees", *HALOTOOLS, "halotools/sim_manager/tests/data/dummy_halocat_0.07812.list", of_trees),
]

STRUCTURE = {"Coordinates", "Velocities", "Masses", "ParticleIDs"}


def check_snapshot(path, read):
    """The number of blocks compared, and what differs."""
    blocks, x, v, masses, ids = read(path)
    scene, wrong = orrery.load(path), []
    if len(scene) != len(x):
        return len(blocks), [f"{len(scene)} bodies, not {len(x)}"]
    for name, ours, theirs in (("positions", scene.positions, x), ("velocities", scene.velocities, v),
                               ("masses", scene.masses, masses)):
        if theirs is not None and not np.array_equal(ours, np.asarray(theirs, ours.dtype)):
            wrong.append(name)
    if ids is not None and not np.array_equal(scene.ids, ids):
        wrong.append("ids")
    listed = {field["name"] for field in orrery.fields(path)}
    for name, numbers in blocks.items():
        if name not in listed:
            if not (read is of_hdf5 and name in STRUCTURE):
                wrong.append(f"block {name} is not listed")
            continue
        ours = orrery.read_field(path, name)
        if ours.shape != numbers.shape or not np.array_equal(ours, numbers.astype("f8"), equal_nan=True):
            wrong.append(f"field {name}")
    return len(blocks) + (0 if read is of_hdf5 else 4), wrong


def check_catalogue(path, read):
    theirs, ours = read(path), orrery.halos(path)
    rows, wrong = len(theirs["id"]), []
    if len(ours) != rows:
        return rows, [f"{len(ours)} haloes, not {rows}"]
    columns = {"x": ours["position"][:, 0], "y": ours["position"][:, 1], "z": ours["position"][:, 2],
               "vx": ours["velocity"][:, 0], "vy": ours["velocity"][:, 1], "vz": ours["velocity"][:, 2]}
    for name, numbers in theirs.items():
        got = columns[name] if name in columns else ours[name]
        if name == "descendant":  # a row
            row_of = {halo: row for row, halo in enumerate(theirs["id"])}
            numbers = [row_of.get(halo, -1) for halo in numbers]
        # Velocities of Subfind are divided by a = 0.9999999999999998.
        equal = np.allclose(got, numbers, 1e-15, 0) if name[0] == "v" else np.array_equal(got, np.asarray(numbers))
        if not equal:
            wrong.append(name)
    return rows, wrong


def main():
    root, failed, total = pathlib.Path(sys.argv[1]), 0, 0
    print("| program | repository, commit, file | bodies or haloes | compared | result |\n|---|---|---|---|---|")
    for cases, is_snapshot in ((SNAPSHOTS, True), (CATALOGUES, False)):
        for program, repository, commit, name, read in cases:
            path = root / repository / name
            with tempfile.TemporaryDirectory() as folder:
                try:
                    if "of a set" in program:
                        path = alone(path, folder)
                    if is_snapshot:
                        count, compared = len(orrery.load(path)), None
                        compared, wrong = check_snapshot(path, read)
                        compared = f"{compared} blocks"
                    else:
                        count, wrong = check_catalogue(path, read)
                        compared = f"{len(read(path))} columns"
                except (orrery.Error, OSError) as error:
                    count, compared, wrong = "", "", [str(error)]
            total += 1
            failed += bool(wrong)
            print(f"| {program} | {repository} {commit[:10]}: `{name}` | {count} | {compared} | "
                  f"{'; '.join(wrong) or 'equal'} |")
    print(f"\n{total - failed} of {total} files are equal.")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
