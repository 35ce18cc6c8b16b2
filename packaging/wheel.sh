#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a wheel of the Python module that includes the libraries it links, for the Python that runs the build and any
# Linux with the same or a newer glibc. Needs patchelf, python3-pip, python3-wheel and no network.
#
#     packaging/wheel.sh [PRESET [FOLDER]]
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

preset=${1:-release}
folder=$(realpath -m "${2:-build/$preset/packages}")
python=${PYTHON:-/usr/bin/python3}
cuda=ON
[ "$preset" != cpu-only ] || cuda=OFF
ORRERY_BUNDLE=1 ORRERY_BUILD_FOLDER=$PWD/build/$preset-wheel ORRERY_CMAKE_ARGS="-DORRERY_CUDA=$cuda ${ORRERY_CMAKE_ARGS:-}" \
    "$python" -m pip wheel --no-build-isolation --no-index --no-deps --wheel-dir "$folder" .
