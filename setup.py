# SPDX-License-Identifier: MIT
"""Builds the Python package by CMake, for `pip install .`: module, program, and the program that reads HDF5.

ORRERY_CMAKE_ARGS has further options of CMake, such as -DORRERY_CUDA=OFF; ORRERY_BUILD_FOLDER is the build folder. With
ORRERY_BUNDLE=1 the package contains the libraries that it is linked with (packaging/wheel.sh)."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"^project\(orrery VERSION ([0-9.]+)", (HERE / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


class CMakeBuild(build_ext):
    """All files of the package come from CMake's own rules to install it."""

    def run(self):
        if self.inplace:
            raise SystemExit("orrery: cannot be installed in place; use PYTHONPATH=build/release/python after ./run.sh")
        version = "".join(map(str, sys.version_info[:2]))
        build = pathlib.Path(os.environ.get("ORRERY_BUILD_FOLDER", HERE / "build" / f"wheel-{version}"))
        subprocess.run(["cmake", "-S", str(HERE), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DORRERY_TESTS=OFF",
                        "-DORRERY_INSTALL=OFF", "-DORRERY_WHEEL=ON", "-DORRERY_PYTHON_DIR=.", "-DORRERY_PYTHON=ON",
                        f"-DPython_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("ORRERY_CMAKE_ARGS", ""))], check=True)
        told = subprocess.run(["cmake", "-L", "-N", str(build)], capture_output=True, text=True, check=True).stdout
        if "ORRERY_WHEEL:BOOL=ON" not in told:
            raise SystemExit("orrery: the Python module cannot be built; CMake has said above what was not found")
        subprocess.run(["cmake", "--build", str(build), "--target", "orrery_python_package", "orrery"], check=True)
        subprocess.run(["cmake", "--install", str(build), "--component", "python", "--strip", "--prefix",
                        str(pathlib.Path(self.build_lib).resolve())], check=True)
        if BUNDLE:
            subprocess.run([sys.executable, str(HERE / "packaging" / "bundle.py"), self.build_lib, "orrery/libraries", "orrery/licences"],
                           check=True)


BUNDLE = os.environ.get("ORRERY_BUNDLE") == "1"
# PEP 600: the C library that the wheel needs, the only one that it does not contain.
GLIBC = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
OPTIONS = {"bdist_wheel": {"plat_name": f"manylinux_{GLIBC}_x86_64"}} if BUNDLE else {}

setup(name="orrery", version=VERSION, ext_modules=[Extension("orrery._core", [])], cmdclass={"build_ext": CMakeBuild},
      options=OPTIONS)
