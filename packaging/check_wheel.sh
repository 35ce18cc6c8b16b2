#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the wheel of packaging/wheel.sh in a bare system and uses it there. Needs root, debootstrap and a mirror of Debian.
# The system must have the Python version that the wheel is for: bookworm has 3.11, trixie 3.13.
#
#     packaging/check_wheel.sh orrery-0.1.0-cp311-cp311-manylinux_2_36_x86_64.whl [LOG [SUITE]]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/bare.sh"

wheel=$(realpath "$1")
make_bare_system "${3:-bookworm}" "${2:-check_wheel.log}"
cp "$wheel" "$root/tmp/"
inside apt-get -q install -y --no-install-recommends python3 python3-venv python3-numpy

step "Installed in a virtual environment, without OpenGL, X11 and HDF5"
check "a virtual environment" python3 -m venv --system-site-packages /env
check "pip install" /env/bin/pip install --no-index --no-deps "/tmp/$(basename "$wheel")"
cat >"$root/tmp/compute.py" <<'END'
import orrery

sim = orrery.Simulation(orrery.scene("plummer", bodies=500), "tree", accuracy=1e-4)
sim.step(10)
assert sim.positions.shape == (500, 3)
assert abs(sim.drift().energy) < 1e-3, sim.drift()
sim.scene().save("/tmp/end.hdf5")
assert len(orrery.load("/tmp/end.hdf5").masses) == 500
END
check "a simulation, saved as HDF5 and loaded" /env/bin/python /tmp/compute.py
check "the command" /env/bin/orrery run plummer --bodies 200 --steps 2

step "With OpenGL"
inside apt-get -q install -y --no-install-recommends libegl1 libgl1-mesa-dri libegl-mesa0
cat >"$root/tmp/draw.py" <<'END'
import orrery

sim = orrery.Simulation(orrery.scene("collision", bodies=2048))
picture = sim.render(320, 180)
assert picture.shape == (180, 320, 4) and picture[..., :3].max() > 50
END
check "a picture" /env/bin/python /tmp/draw.py
check "a video" /env/bin/orrery record collision --bodies 2048 --frames 5 --width 320 --height 180 -o /tmp/film.mp4

step "$failures failures"
exit "$((failures > 0))"
