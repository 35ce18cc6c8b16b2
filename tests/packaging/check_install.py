# SPDX-License-Identifier: MIT
"""Installs a build and uses it: check_install.py BUILD_FOLDER SCRATCH_FOLDER. Prints errors and then exits with 1.

Compiles only a one-file program that uses the library. Lists missing tools."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

build, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
here = pathlib.Path(__file__).resolve().parent
wrong, absent = [], []


def run(*command, **more):
    """Runs a command; records the errors of one that fails."""
    try:
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **more)
    except FileNotFoundError as error:
        done = subprocess.CompletedProcess(command, 127, "", str(error))
    if done.returncode != 0:
        wrong.append(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    return done


def run_if_there(tool, *arguments, **more):
    if shutil.which(tool):
        return run(tool, *arguments, **more)
    if tool not in absent:
        absent.append(tool)
    return None


def expect(right, what):
    if not right:
        wrong.append(what)


def install():
    """Installs into one folder, then moves it to another: no file may depend on the first."""
    shutil.rmtree(scratch, ignore_errors=True)
    run("cmake", "--install", build, "--prefix", scratch / "first")
    (scratch / "first").rename(scratch / "moved")
    return scratch / "moved"


def check_program(prefix):
    program = prefix / "bin/orrery"
    version = run(program, "--version").stdout
    for part in ("orrery ", "compiler: ", "CUDA engines: ", "HDF5: ", "MPI: ", "NCCL: ", "video "):
        expect(any(line.startswith(part) for line in version.splitlines()), f"--version does not name {part}")
    linked = run_if_there("readelf", "-d", program)
    expect(not linked or str(build) not in linked.stdout, f"the installed program looks for libraries in {build}")
    if "video (MP4, WebM): yes" in version:
        film = scratch / "film.mp4"
        run(program, "record", "figure-eight", "--frames", "2", "--width", "64", "--height", "64", "-o", film)
        expect(film.exists() and film.stat().st_size > 500, "the installed program records no video")
    scene = prefix / "share/orrery/scenes/three-bodies.toml"
    run(program, "run", scene, "--steps", "2", "-o", scratch / "end.tipsy")


def check_reader(prefix):
    """A separate program reads HDF5 files; an error names the places where it is missing."""
    program, reader, snapshot = prefix / "bin/orrery", prefix / "libexec/orrery/orrery-hdf5-reader", scratch / "read.h5"
    if "HDF5: yes" not in run(program, "--version").stdout:
        return
    linked = run_if_there("readelf", "-d", reader)
    expect(not linked or str(build) not in linked.stdout, f"the reader looks for libraries in {build}")
    run(program, "run", scratch / "end.tipsy", "--steps", "1", "-o", snapshot)
    run(program, "convert", snapshot, "-o", scratch / "again.tipsy")
    away = reader.rename(reader.with_name("away"))
    told = subprocess.run([str(program), "convert", str(snapshot), "-o", str(scratch / "again.tipsy")], text=True, capture_output=True)
    expect(told.returncode == 3 and "is missing" in told.stderr and str(reader) in told.stderr,
           f"without its reader the program says {told.returncode}: {told.stderr}")
    away.rename(reader)


def check_library(prefix):
    """Every installed header finds its includes; a program is built with them and runs."""
    folder = prefix / "include/orrery"
    headers = sorted(folder.rglob("*.hpp"))
    expect(len(headers) > 100, f"{len(headers)} headers are installed")
    for header in headers:
        for name in re.findall(r'#include "([^"]+)"', header.read_text()):
            expect((folder / name).exists(), f"{header.relative_to(folder)} includes {name}, which is not installed")
    expect("orrery_options" not in (prefix / "lib/cmake/orrery/orrery-targets.cmake").read_text(),
           "the exported target enables warnings")
    consumer = scratch / "consumer"
    run("cmake", "-S", prefix / "share/doc/orrery/examples/library", "-B", consumer, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", consumer)
    for snapshot in ("end.tipsy", "end.h5") if "HDF5: yes" in run(prefix / "bin/orrery", "--version").stdout else (
            "end.tipsy",):
        said = run(consumer / "simulate", "tree", scratch / snapshot).stdout.split()
        expect(len(said) == 3 and said[0] == said[2] == "300" and float(said[1]) < 1e-3,
               f"the program built with the library says {said}")
    # Two light bodies at distances 1 and 2 of one of mass 1: 1e-3 and 2.5e-4 towards them.
    forces = run(consumer / "forces", "half").stdout.splitlines()
    expect(len(forces) == 3 and forces[0].startswith("0.001000000 0.000250000 0.000000000  potential -0.001500000"),
           f"the example of forces says {forces}")


def check_maps(prefix):
    """A project finds only the exact maps, in a folder with nothing else, and fills packed distance matrices. The
    installation has the same files."""
    alone, consumer = scratch / "maps", scratch / "maps-consumer"
    source = here.parent.parent
    run("cmake", "-S", source / "core/maps/exact", "-B", scratch / "maps-build", "-G", "Ninja")
    run("cmake", "--build", scratch / "maps-build")
    run("cmake", "--install", scratch / "maps-build", "--prefix", alone)
    for file in (file for file in alone.rglob("*") if file.is_file()):
        other = prefix / file.relative_to(alone)
        expect(other.exists() and other.read_bytes() == file.read_bytes(), f"{other} is not that of the exact maps alone")
    run("cmake", "-S", source / "docs/maps-library", "-B", consumer, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={alone}",
        "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", consumer)
    for first, last in ((1, 400), (4990, 5000)):
        said = run(consumer / "packed_distances", str(first), str(last)).stdout
        expect(said == f"right for every n from {first} to {last}\n", f"packed_distances says {said}")


def check_manual(prefix):
    program = prefix / "bin/orrery"
    listed = run(program, "--help").stdout.split("Commands:")[1].split("Arguments:")[0]
    commands = re.findall(r"^  ([a-z]+) {2,}[A-Z]", listed, re.MULTILINE)
    expect(len(commands) > 8, f"--help names {commands}")
    for command in [""] + commands:
        page = prefix / "share/man/man1" / ("-".join(filter(None, ["orrery", command])) + ".1")
        if not page.exists():
            wrong.append(f"there is no {page.name}")
            continue
        whole = run(program, *command.split(), "--help-all").stdout
        options = re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", whole, re.MULTILINE)
        source = page.read_text().replace("\\-", "-")
        for option in options:
            expect(re.search(rf"^\\fB.*{option}\\fR", source, re.MULTILINE), f"{page.name} does not name {option}")
        shown = run_if_there("man", "--warnings", "-E", "UTF-8", "-l", page,
                             env=os.environ | {"MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        if shown:
            expect(not shown.stderr, f"man says of {page.name}: {shown.stderr}")
            expect("EXIT STATUS" in shown.stdout, f"{page.name} is not shown")


def completed(script, line):
    """The completions of bash after `line`."""
    ask = ('source "$1"; compopt() { :; }; COMP_LINE=$2 COMP_POINT=${#2}; _orrery; printf "%s\\n" "${COMPREPLY[@]}"')
    return run("bash", "-c", ask, "bash", script, line).stdout.split()


def check_completions(prefix):
    share = prefix / "share"
    bash, zsh = share / "bash-completion/completions/orrery", share / "zsh/site-functions/_orrery"
    fish = share / "fish/vendor_completions.d/orrery.fish"
    run("bash", "-n", bash)
    run_if_there("zsh", "-n", zsh)
    run_if_there("fish", "-n", fish)
    for line, words in (("orrery rec", ["record"]), ("orrery plum", ["plummer"]), ("orrery run two-g", ["two-galaxies"]),
                        ("orrery --engine tr", ["tree", "triplet", "tree-locks"]), ("orrery record --map lambda-g", ["lambda-grid"]),
                        ("orrery run --integrator=her", ["hermite4", "hermite4-block"]), ("orrery --root new", ["newton"]),
                        ("orrery bench --engines direct,ha", ["direct,half"]), ("orrery lab --figure 001:4", ["4"]),
                        ("orrery run --wall", ["--wall-time"]), ("orrery record --wall", [])):
        found = completed(bash, line)
        expect(sorted(found) == sorted(words), f"bash completes '{line}' by {found}, not {words}")
        if fish_says := run_if_there("fish", "--no-config", "-c", f"source {fish}; complete -C '{line}'"):
            # The whole word, and for a list also its beginning.
            found = [answer.split("\t")[0].split("=")[-1] for answer in fish_says.stdout.splitlines()]
            whole = [line.split()[-1][:-1] + word if ":" in line else word for word in words]
            expect(sorted(found) == sorted(whole), f"fish completes '{line}' by {found}, not {whole}")


def check_python(prefix):
    """The module finds the programs of its installation."""
    package = prefix / "lib/python3/dist-packages"
    if not (package / "orrery").exists():
        absent.append("the Python module")
        return
    python = re.search(r"^_?Python_EXECUTABLE:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)
    code = ("import orrery, orrery._program\n"
            "print(orrery._program.find_program())\n"
            "scene = orrery.scene('plummer', bodies=20)\n"
            "name = 'a.h5' if 'HDF5: yes' in orrery.built_with() else 'a.csv'\n"
            "scene.save(name)\n"
            "print(len(orrery.load(name)), orrery.Simulation(scene, 'tree').step(3), scene.render(64, 48).shape[0])\n")
    said = run(python, "-B", "-c", code, cwd=scratch, env=os.environ | {"PYTHONPATH": str(package), "ORRERY_PROGRAM": ""})
    expect(said.stdout.split() == [str(prefix / "bin/orrery"), "20", "3", "48"], f"the installed module says {said.stdout}")
    for file in (package / "orrery").iterdir():
        linked = run_if_there("readelf", "-d", file) if file.suffix == ".so" else None
        expect(not linked or str(build) not in linked.stdout, f"{file.name} looks for libraries in {build}")


def check_desktop(prefix):
    share = prefix / "share"
    run_if_there("desktop-file-validate", share / "applications/orrery.desktop")
    run_if_there("appstreamcli", "validate", "--no-net", *(share / "metainfo").iterdir())
    run_if_there("rsvg-convert", "-o", scratch / "icon.png", share / "icons/hicolor/scalable/apps/orrery.svg")
    entry = (share / "applications/orrery.desktop").read_text()
    types = re.search("^MimeType=(.*);$", entry, re.MULTILINE).group(1).split(";")
    described = re.findall('<mime-type type="(.*)"', (share / "mime/packages/orrery.xml").read_text())
    expect(types == described, f"the menu entry opens {types}, but {described} are described")
    if run_if_there("update-mime-database", share / "mime"):
        globs = (share / "mime/globs2").read_text()
        for name, kind in (("*.tipsy", types[0]), ("*.orrery", types[1]), ("*.scene.toml", types[2])):
            expect(f"{kind}:{name}" in globs, f"{name} is not {kind}")
        found = os.environ | {"XDG_DATA_DIRS": f"{share}:/usr/share", "XDG_DATA_HOME": str(scratch / "home")}
        for name, kind in (("a.tipsy", types[0]), ("a.orrery", types[1]), ("a.scene.toml", types[2]),
                           ("a.toml", "application/toml")):
            (scratch / name).write_text("[scene]\n")
            told = run_if_there("gio", "info", "-a", "standard::content-type", scratch / name, env=found)
            expect(not told or f"standard::content-type: {kind}\n" in told.stdout + "\n", f"gio says of {name}: {told and told.stdout}")


def main():
    prefix = install()
    for check in (check_program, check_reader, check_library, check_maps, check_manual, check_completions, check_desktop, check_python):
        check(prefix)
    print("\n".join(wrong) or "the installation works")
    if absent:
        print("tools not available for checks:", ", ".join(absent))
    sys.exit(1 if wrong else 0)


main()
