#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds Orrery, with all it needs, and starts it: ./run.sh [what `orrery` takes].
# Without a display and without arguments it records a film and a picture in place of opening a window.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
. cmake/setup.sh

set_up orrery
orrery=$PWD/$build/app/orrery
if [ $# -gt 0 ] || [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    cd "${OLDPWD:-.}" # paths among the arguments are the caller's
    exec "$orrery" "$@"
fi

out=$PWD/orrery-out
mkdir -p "$out"
say "there is no display to open a window on; recording into $out"
"$orrery" record collision --steps 350 -o "$out/collision.png"
"$orrery" record collision --duration 5 --fps 30 --steps-per-frame 4 -o "$out/collision.mp4"
say "picture: $out/collision.png"
say "film:    $out/collision.mp4"
