#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes every picture of README.md and docs/ anew: docs/pictures.sh [PROGRAM], which is build/release/app/orrery by
# default. Needs Xvfb, xdotool and python3, which packages.txt names, and ImageMagick, which it does not: the
# screenshots show the whole window, and a strong compression makes files a third smaller.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
orrery=$(realpath "${1:-build/release/app/orrery}")
out=$PWD/docs/pictures
for tool in Xvfb xdotool python3 import convert montage; do
    command -v "$tool" >/dev/null || { echo "pictures.sh: $tool is not there" >&2 && exit 3; }
done
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
mkdir -p "$out"

save() { convert "$1" -strip -define png:compression-level=9 "$out/$2"; } # no times inside: the same bytes each time

# --- pictures that need no window -------------------------------------------------------------------------------------
shoot() { # NAME, then what `orrery record` takes
    "$orrery" record "${@:2}" -o "$scratch/$1.png" >/dev/null
}
shoot collision collision --bodies 32768 --steps 330 --yaw 80 --pitch 55 --zoom 0.95
save "$scratch/collision.png" collision.png

shoot octree collision --engine tree --backend cpu --bodies 12288 --steps 330 --yaw 58 --pitch 26 --zoom 0.92 --octree \
    --octree-opacity 0.5
save "$scratch/octree.png" octree.png

small=(--width 640 --height 360)
shoot plummer plummer --steps 100 "${small[@]}"
shoot cold cold-sphere --steps 560 --zoom 0.8 "${small[@]}"
shoot solar solar-system --steps 20 --pitch 60 "${small[@]}"
shoot eight figure-eight --steps 130 --pitch 89 "${small[@]}"
convert \( "$scratch/plummer.png" "$scratch/cold.png" +append \) \( "$scratch/solar.png" "$scratch/eight.png" +append \) \
    -append "$scratch/scenes.png"
save "$scratch/scenes.png" scenes.png

"$orrery" run collision --steps 330 --no-energy -o "$scratch/tails.csv" >/dev/null
for map in ember aurora starlight; do
    shoot "$map" "$scratch/tails.csv" --steps 0 --yaw 80 --pitch 55 --color-map "$map" --width 426 --height 320
done
convert "$scratch"/{ember,aurora,starlight}.png +append "$scratch/colours.png"
save "$scratch/colours.png" colours.png

# --- the window, on a display of its own ------------------------------------------------------------------------------
mkfifo "$scratch/display"
Xvfb -displayfd 4 -screen 0 1280x720x24 -nolisten tcp 4>"$scratch/display" 2>/dev/null &
read -r number <"$scratch/display"
export DISPLAY=:$number
(cd "$scratch" && exec "$orrery" collision --fresh --ui-map map.json 2>/dev/null) &
window=$!

# Reads the UI map: `ask 'm["state"]["step"]'`.
ask() { python3 -c 'import json, sys; m = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$scratch/map.json" "$1"; }
wait_until() { # EXPRESSION over the map m
    for _ in $(seq 1200); do
        if [ -s "$scratch/map.json" ] && [ "$(ask "$1")" = True ]; then return; fi
        kill -0 "$window"
        sleep 0.1
    done
    echo "pictures.sh: never came true: $1" >&2
    return 1
}
click() { # LABEL; the mouse then goes where it covers nothing and no tip pops up
    local x y
    read -r x y < <(ask "'%d %d' % (sum(m['widgets']['$1'][0::2]) / 2, sum(m['widgets']['$1'][1::2]) / 2)")
    xdotool mousemove "$x" "$y" && sleep 0.3
    xdotool click 1 && sleep 0.3
    xdotool mousemove 1000 500 && sleep 0.7
}
capture() { import -silent -window root "$scratch/$1.png"; }

wait_until 'm["state"]["step"] is not None and m["state"]["step"] >= 330'
capture window # while it runs: these figures differ from one machine to the next
save "$scratch/window.png" window.png
xdotool key space
wait_until 'm["state"]["paused"] and m["state"]["energy_drift"] not in (None, 0)' # 0: of the beginning itself
xdotool key h && sleep 1
capture help
save "$scratch/help.png" help.png
xdotool key h && sleep 0.5

for tab in Forces Maps Scene View Camera Body Record Energy Lab Info; do
    click "$tab"
    capture "$tab"
    convert "$scratch/$tab.png" -crop 396x440+0+246 +repage "$scratch/$tab.png" # the sidebar from the tabs down
done
convert \( "$scratch"/{Forces,Maps,Scene,View,Camera}.png +append \) \( "$scratch"/{Body,Record,Energy,Lab,Info}.png +append \) \
    -background black -append "$scratch/panels.png"
save "$scratch/panels.png" panels.png
xdotool key Escape
wait "$window"

# --- error over the opening angle --------------------------------------------------------------------------------------
rm "$scratch/map.json"
(cd "$scratch" && exec "$orrery" plummer --bodies 32768 --engine tree --backend cpu --fresh --ui-map map.json 2>/dev/null) &
window=$!
wait_until 'm["state"]["step"] is not None and m["state"]["step"] >= 10 and m["state"]["rms_error"] is not None'
xdotool key i space # no large figures; quiet times
click 'Error against θ'
wait_until 'm["state"]["theta_sweep"]["planned"] > 0 and not m["state"]["theta_sweep"]["running"]'
capture theta
convert "$scratch/theta.png" -crop 860x364+410+346 +repage "$scratch/theta.png"
save "$scratch/theta.png" theta.png
xdotool key Escape
wait "$window"

# --- the laboratory, while it measures ---------------------------------------------------------------------------------
rm "$scratch/map.json"
(cd "$scratch" && exec "$orrery" plummer --bodies 1024 --backend cpu --fresh --ui-map map.json 2>/dev/null) &
window=$!
wait_until 'm["state"]["step"] is not None and m["state"]["step"] >= 10'
xdotool key l && sleep 1
click sqrt
click Start
wait_until 'm["state"]["lab"]["rows"] >= 42' # three numbers of bodies, and most maps at a fourth
capture laboratory
save "$scratch/laboratory.png" laboratory.png
click Cancel
xdotool key Escape
wait "$window"

# --- the picture of each map -------------------------------------------------------------------------------------------
rm "$scratch/map.json"
(cd "$scratch" && exec "$orrery" plummer --bodies 1024 --engine half --backend cpu --fresh --ui-map map.json 2>/dev/null) &
window=$!
wait_until 'm["state"]["step"] is not None and m["state"]["step"] >= 10'
xdotool key i # the large figures
click Maps
for map in bb lambda lambda-grid rb rec utm lut hadouken; do
    for _ in $(seq 8); do
        if [ "$(ask 'm["state"]["map"]')" = $map ]; then break; fi
        xdotool key m && sleep 0.5
    done
    wait_until "m['state']['map_shown']['map'] == '$map'"
    capture "$map"
    convert "$scratch/$map.png" -crop 874x646+396+64 +repage -resize 55% "$scratch/$map.png" # what is beside the sidebar
done
montage "$scratch"/{bb,lambda,lambda-grid,rb,rec,utm,lut,hadouken}.png -tile 2x4 -geometry +4+4 -background '#101216' \
    "$scratch/montage.png"
convert "$scratch/montage.png" -depth 8 +dither -colors 200 "$scratch/maps.png" # a quarter of the bytes
save "$scratch/maps.png" maps.png
xdotool key Escape
wait "$window"
ls -l "$out" >&2
