#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Regenerates the pictures of docs/guide/lesson.md by walking the lesson with its keys: docs/lesson.sh [PROGRAM], by default
# build/release/app/orrery. Needs what docs/pictures.sh needs.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. docs/window.sh
out=$PWD/docs/pictures/lesson
mkdir -p "$out"

save() { # NAME: with few colours, so that files are small
    capture "$1"
    convert "$scratch/$1.png" -strip -depth 8 +dither -colors 200 -define png:compression-level=9 "$out/$1.png"
}
lesson() { ask "m['state']['map_lesson']['$1']"; }
walk_to() { # BLOCK
    for _ in $(seq 400); do
        [ "$(lesson block)" != "$1" ] || return 0
        key u
    done
    return 1
}
at_block() { wait_until "m['state']['map_lesson']['block'] == $1"; }

start_display
open_window plummer --bodies 512 --engine half --map bb --rows 32 --backend cpu
step 20
pause
key i # no large figures
click Maps
wait_until "m['state']['map_shown']['rows'] == 16"
key t
wait_until "m['state']['presenter']"
toasts_gone

# An idle block under the mouse: the fourth line of the grid.
read -r left top right bottom < <(ask "'%d %d %d %d' % tuple(m['widgets']['Launch grid'])")
xdotool mousemove $((left + (right - left) * 21 / 32)) $((top + (bottom - top) * 7 / 32))
frames 4
save bb
away 640 700

key m # λ
wait_until "m['state']['map_shown']['map'] == 'lambda'"
key shift+m
wait_until "m['state']['map_lesson']['second'] == 'bb'"
toasts_gone
key u
walk_to 53
save beside
while [ -n "$(lesson second)" ]; do key shift+m; done

key t
wait_until "not m['state']['presenter']"
click 'Inside a tile'
walk_to 53
key t
toasts_gone
key j # plays the loop: the picture shows its middle
wait_until "m['state']['map_lesson']['block'] == 54"
frames 8
save tile
key j t

key l
for chip in 'λ: row by square root' 'Rectangular box' 'Recursive partition' 'Library root, X' 'Reciprocal root, R'; do click "$chip"; done
quiet
click Start
wait_until 'm["state"]["lab"]["rows"] > 0 and not m["state"]["lab"]["running"]' 600
key t
toasts_gone
save laboratory
close_window
ls -l "$out" >&2
