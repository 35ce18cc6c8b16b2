#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the shared libraries of programs beside them, with their licences: bundle.py PREFIX LIBRARIES LICENCES.

PREFIX is an installed tree. Each program and library below it gets a run path to PREFIX/LIBRARIES, which receives all
libraries that it links directly or indirectly, except those of the system: see SYSTEM. PREFIX/LICENCES receives the
copyright file of each Debian package that a library came from. Needs Debian's patchelf and binutils, and must run on the
machine that built the programs. Prints one line for each library."""
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Left to the system. The C library is tied to its loader. OpenGL drivers are tied to the C++ runtime and the kernel,
# and load that runtime themselves: an older libstdc++ loaded first would break them.
SYSTEM = ("ld-linux*", "libc.so.*", "libm.so.*", "libdl.so.*", "librt.so.*", "libpthread.so.*", "libresolv.so.*", "libutil.so.*",
          "libanl.so.*", "libnsl.so.*", "libstdc++.so.*", "libgcc_s.so.*", "libGL.so.*", "libGLX.so.*", "libEGL.so.*",
          "libOpenGL.so.*", "libGLdispatch.so.*", "libgbm.so.*", "libdrm*.so.*", "libcuda.so.*", "libnvidia*", "libpython3*")

# Loaded by libraries at run time, so that their headers do not list them: GLFW's input and screen libraries.
LOADED_LATER = {"libglfw.so.3": ("libXi.so.6", "libXrandr.so.2", "libXcursor.so.1", "libXinerama.so.1", "libXrender.so.1",
                                 "libXxf86vm.so.1", "libxkbcommon.so.0")}


def run(*command):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True, check=True).stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def of_the_system(name):
    return any(fnmatch.fnmatch(name, pattern) for pattern in SYSTEM)


def known_to_the_loader():
    """The path of each library of this architecture in the loader's cache."""
    return {name: pathlib.Path(path) for name, path in
            re.findall(r"^\s+(\S+) \(libc6,x86-64[^)]*\) => (\S+)$", run("/sbin/ldconfig", "-p"), re.MULTILINE)}


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", path))


def closure(programs, cache):
    """Name and path of every library to copy."""
    found, open_ends = {}, list(programs)
    while open_ends:
        path = open_ends.pop()
        names = needed(path) + list(LOADED_LATER.get(path.name, ()))
        for name in names:
            if of_the_system(name) or name in found:
                continue
            beside = [program for program in programs if program.name == name]
            if beside:
                continue
            if name not in cache:
                if name in LOADED_LATER.get(path.name, ()):
                    continue  # optional, and missing on the build machine too
                raise SystemExit(f"bundle: {path} needs {name}, which is not installed here")
            found[name] = cache[name]
            open_ends.append(cache[name])
    return found


def package_of(path):
    """The Debian package that owns a library, looked up by the given path and the resolved one (/lib links to /usr/lib)."""
    for candidate in (path, path.resolve(), pathlib.Path(str(path.resolve()).removeprefix("/usr"))):
        owner = subprocess.run(["dpkg", "-S", str(candidate)], text=True, capture_output=True)
        if owner.returncode == 0:
            return owner.stdout.split(":")[0]
    raise SystemExit(f"bundle: no package owns {path}; its licence is unknown")


def main(prefix, libraries, licences):
    if not shutil.which("patchelf"):
        raise SystemExit("bundle: patchelf is not installed (apt-get install patchelf)")
    programs = [path for path in sorted(prefix.rglob("*")) if is_elf(path)]
    if not programs:
        raise SystemExit(f"bundle: no programs in {prefix}")
    folder = prefix / libraries
    folder.mkdir(parents=True, exist_ok=True)
    (prefix / licences).mkdir(parents=True, exist_ok=True)
    for name, path in sorted(closure(programs, known_to_the_loader()).items()):
        copy = folder / name
        shutil.copyfile(path, copy)
        copy.chmod(0o755)
        run("patchelf", "--set-rpath", "$ORIGIN", copy)
        package = package_of(path)
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", prefix / licences / package)
        print(f"{name} ({package}, {copy.stat().st_size / 1e6:.1f} MB)")
    for program in programs:
        old = [part for part in run("patchelf", "--print-rpath", program).strip().split(":") if part.startswith("$ORIGIN")]
        here = "$ORIGIN/" + os.path.relpath(folder, program.parent)
        run("patchelf", "--set-rpath", ":".join(dict.fromkeys(old + [here])), program)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3])
