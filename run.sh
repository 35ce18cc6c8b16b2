#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds Orrery and its dependencies, and starts it: ./run.sh [arguments of `orrery`].
# Without a display and without arguments it records a picture and a video instead of opening a window.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
. cmake/setup.sh

set_up_program
orrery=$PWD/$build/app/orrery
if [ $# -gt 0 ] || [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    cd "${OLDPWD:-.}" # relative paths in the arguments refer to the caller's folder
    exec "$orrery" "$@"
fi

out=$PWD/orrery-out
mkdir -p "$out"
say "no display for a window; recording into $out"
"$orrery" record collision --steps 350 -o "$out/collision.png"
"$orrery" record collision --duration 5 --fps 30 --steps-per-frame 4 -o "$out/collision.mp4"
say "picture: $out/collision.png"
say "video:   $out/collision.mp4"
