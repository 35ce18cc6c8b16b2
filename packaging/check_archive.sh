#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unpacks the archive of packaging/archive.sh in a minimal Debian 13 and uses it there, first without OpenGL and X11,
# then with both. Needs root, debootstrap and a Debian mirror.
#
#     packaging/check_archive.sh orrery-0.1.0-linux-x86_64.tar.xz [LOG [SUITE]]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/bare.sh"

archive=$(realpath "$1")
make_bare_system "${3:-trixie}" "${2:-check_archive.log}"
mkdir -p "$root/opt/a b"
tar -C "$root/opt/a b" --strip-components=1 -xf "$archive"
program='/opt/a b/bin/orrery'

step "Without OpenGL, X11 and anything else"
for file in "$program" '/opt/a b/libexec/orrery/orrery-hdf5-reader'; do
    check "every library of $(basename "$file") is found" sh -c "! ldd '$file' | grep 'not found'"
done
check "orrery --version" "$program" --version
check "what the machine offers" "$program" info
check "a run, with HDF5" "$program" run plummer --bodies 200 --steps 2 -o /tmp/end.h5 --checkpoint /tmp/run.orrery
check "which is converted" "$program" convert /tmp/end.h5 /tmp/end.tipsy
check "a plot" "$program" plot /tmp/end.tipsy density -o /tmp/density.svg

step "With OpenGL"
inside apt-get -q install -y --no-install-recommends libgl1 libegl1 libgl1-mesa-dri libegl-mesa0 xvfb xauth
check "every library of the recorder is found" sh -c "! ldd '/opt/a b/lib/orrery/modules/'*.so | grep 'not found'"
check "a video without a display" "$program" record collision --bodies 2048 --frames 5 --width 320 --height 180 -o /tmp/film.mp4
[ "$(stat -c %s "$root/tmp/film.mp4" 2>/dev/null || echo 0)" -gt 1000 ] || bad "the video is empty"
check "a picture" "$program" record two-galaxies --frames 1 --width 320 --height 180 -o /tmp/picture.png
show_window "a window" 'Colliding galaxies' '"/opt/a b/bin/orrery"'

step "$failures failures"
exit "$((failures > 0))"
