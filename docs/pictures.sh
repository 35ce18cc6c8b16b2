#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Regenerates all pictures of README.md and docs/: docs/pictures.sh [PROGRAM], by default build/release/app/orrery.
# Needs Xvfb, xdotool and python3, which are in packages.txt, and ImageMagick, which is not: screenshots show the whole
# window, and strong compression makes files a third smaller.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. docs/window.sh
out=$PWD/docs/pictures
mkdir -p "$out"

save() { convert "$1" -strip -define png:compression-level=9 "$out/$2"; } # no time stamps, so output is reproducible

# --- pictures that need no window -------------------------------------------------------------------------------------
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

# a model galaxy: stars face-on and, with and without dust, edge-on; the temperature of its gas
docs/galaxy.py >"$scratch/galaxy.csv"
star=(--steps 0 --fields starlight,dust,SmoothingLength --color-by starlight --mode smoothed --show-species stars,bulge,gas
    --width 640 --height 360 --glow 0.1)
shoot face "$scratch/galaxy.csv" "${star[@]}" --dust 1 --pitch 62 --zoom 1.5
shoot edge "$scratch/galaxy.csv" "${star[@]}" --dust 1 --pitch 1 --zoom 1.9
shoot clear "$scratch/galaxy.csv" "${star[@]}" --pitch 1 --zoom 1.9
shoot gas "$scratch/galaxy.csv" --steps 0 --fields 'Temperature,SmoothingLength' --color-field Temperature --mode smoothed \
    --mass-size 1 --show-species gas --color-scale log --zoom 1.5 --width 640 --height 360 --pitch 62
convert \( "$scratch/face.png" "$scratch/gas.png" +append \) \( "$scratch/clear.png" "$scratch/edge.png" +append \) -append \
    -strip -quality 78 "$out/starlight.jpg"

# the temperature of its gas in projection
"$orrery" plot "$scratch/galaxy.csv" projection --fields Temperature,SmoothingLength --field Temperature --of gas --from -15 \
    --to 15 -o "$scratch/projection.svg" >/dev/null
convert "$scratch/projection.svg" -crop 620x480+0+0 +repage -colors 128 "$out/projection.png"

"$orrery" run collision --steps 330 --no-energy -o "$scratch/tails.csv" >/dev/null
for map in ember aurora starlight; do
    shoot "$map" "$scratch/tails.csv" --steps 0 --yaw 80 --pitch 55 --color-map "$map" --width 426 --height 320
done
convert "$scratch"/{ember,aurora,starlight}.png +append "$scratch/colours.png"
save "$scratch/colours.png" colours.png

shoot blur collision --bodies 8192 --steps 300 --steps-per-frame 16 --shutter 1 --shutter-samples 128 --yaw 80 --pitch 55 \
    --zoom 1.5 --width 960 --height 540
convert "$scratch/blur.png" -strip -quality 86 "$out/motion_blur.jpg"

(cd "$scratch" && "$orrery" run zeldovich --bodies 8000 --engine tree --backend cpu --steps 900 --no-energy --snapshots 'z_%03d.csv' \
    --snapshots-every 20 >/dev/null)
docs/haloes.py 0.2 8 1e15 "$scratch" "$scratch"/z_*.csv
shoot haloes "$scratch/z_045.csv" --steps 0 --halos "$scratch/out_45.list" --halo 15 --halo-circles 40 --zoom 1.6 2>/dev/null
save "$scratch/haloes.png" haloes.png
"$orrery" plot "$scratch/out_*.list" merger-tree --lit 7@11 -o "$out/merger_tree.svg" >/dev/null

# a slice of a periodic box whose cluster lies at the corners, and recentred on it
docs/periodic.py >"$scratch/periodic.csv"
box=("$scratch/periodic.csv" --steps 0 --mode smoothed --yaw -90 --pitch 90 --slice 12 --slice-across z --zoom 1.33 --width 480
    --height 480)
shoot corner "${box[@]}" --recentre 50,50,0
shoot middle "${box[@]}" --recentre 0,0,0
convert "$scratch/corner.png" "$scratch/middle.png" +append -strip -quality 85 "$out/periodic.jpg"

# --- the window, on a separate display --------------------------------------------------------------------------------
start_display
open_window collision
step 330
capture window # while it runs: these figures differ between machines
save "$scratch/window.png" window.png
pause
wait_until 'm["state"]["energy_drift"] not in (None, 0)' # 0: the initial state
key h
capture help
save "$scratch/help.png" help.png
key h
key g
wait_until 'm["state"]["gallery"]["on"]'
sleep 2 # a few pictures are rendered in each frame
capture gallery
save "$scratch/gallery.png" gallery.png
key Escape

for tab in Setup Body Encounters View Camera Recording Energy Structure Plots Forces Maps Lab; do
    click "$tab"
    [ "$tab" != Plots ] || wait_until 'm["state"]["plot"]["serial"] > 0'
    capture "$tab"
    convert "$scratch/$tab.png" -crop 396x650+0+10 +repage "$scratch/$tab.png" # the sidebar from the tabs down
done
convert \( "$scratch"/{Setup,Body,Encounters,View,Camera,Recording}.png +append \) \( "$scratch"/{Energy,Structure,Plots,Forces,Maps,Lab}.png +append \) \
    -background black -append "$scratch/panels.png"
save "$scratch/panels.png" panels.png
close_window

# --- error over the opening angle --------------------------------------------------------------------------------------
open_window plummer --bodies 32768 --engine tree --backend cpu
step 10
wait_until 'm["state"]["rms_error"] is not None'
key i # no large figures
pause # undisturbed timing
quiet
click Forces
click 'Error against θ'
wait_until 'm["state"]["theta_sweep"]["planned"] > 0 and not m["state"]["theta_sweep"]["running"]'
capture theta
convert "$scratch/theta.png" -crop 860x364+410+304 +repage "$scratch/theta.png"
save "$scratch/theta.png" theta.png
close_window

# --- structure: density and radii ------------------------------------------------------------------------------------
rm "$scratch/map.json"
(cd "$scratch" && exec "$orrery" plummer --bodies 32768 --engine tree --backend cpu --fresh --ui-map map.json 2>/dev/null) &
window=$!
wait_until 'm["state"]["structure"].get("samples", 0) >= 20 and m["state"]["energy_drift"] is not None'
click Structure
for plot in Radii Density; do
    click $plot
    capture $plot
    convert "$scratch/$plot.png" -crop 396x380+0+106 +repage "$scratch/$plot.png"
done
convert "$scratch"/{Radii,Density}.png +append "$scratch/structure.png"
save "$scratch/structure.png" structure.png
xdotool key Escape
wait "$window"

# --- a box in a plot, lit in the picture; a slice with velocities -----------------------------------------------------
open_window collision --bodies 8000 --backend cpu
step 2
pause
click Plots
choose Plot "Phase space r, v_r"
wait_until 'm["state"]["plot"]["kind"] == "phase-r-vr"'
frames 4
drag_over "v_r over r" 42 46 66 80
wait_until 'm["state"]["selection"]["selected"] > 0'
click Selection
choose "Selection shown" Bright
click Plots
frames 4
capture selection
save "$scratch/selection.png" selection.png
choose Plot "Slice of a field"
wait_until 'm["state"]["plot"]["kind"] == "slice"'
type_into Arrows v
sleep 2
click "Density in a slice"
frames 6
capture slice
save "$scratch/slice.png" slice.png
close_window

# --- a series, and beside it a simulation from its first snapshot -----------------------------------------------------
(cd "$scratch" && "$orrery" run collision --engine tree --backend cpu --steps 400 --no-energy --snapshots 'series_%03d.h5' --snapshots-every 10 >/dev/null)
open_window 'series_*.h5' --backend cpu
wait_until 'm["state"]["sim_time"] > 0.77'
pause
toasts_gone
capture series
save "$scratch/series.png" series.png
close_window
(cd "$scratch" && "$orrery" run collision --bodies 2000 --backend cpu --precision double --steps 1200 --no-energy --snapshots 'snap_%03d.h5' \
    --snapshots-every 6 >/dev/null)
open_window 'snap_*.h5' --backend cpu --precision double
pause
key Home minus x # the first snapshot; a frame for each step; B
click Recording  # every frame is measured while recording
type_into Path pictures/p%04d.png
key r space
wait_until 'm["state"]["sim_time"] > 0.4'
key space r
wait_until 'not m["state"]["recording"]'
click Compare
toasts_gone
capture series_compare
save "$scratch/series_compare.png" series_compare.png
close_window

# --- the laboratory, while it measures ---------------------------------------------------------------------------------
open_window plummer --bodies 1024 --backend cpu
step 10
key l
for chip in 'λ: row by square root' 'Rectangular box' 'Recursive partition' 'Upper triangular' 'Hadouken, by bits' \
    'Library root, X'; do click "$chip"; done
quiet
click Start
wait_until 'm["state"]["lab"]["rows"] >= 33' 600 # five sizes, and half of the maps of the sixth
capture laboratory
save "$scratch/laboratory.png" laboratory.png
click Cancel
close_window

# --- the picture of each map -------------------------------------------------------------------------------------------
open_window plummer --bodies 1024 --engine half --backend cpu
step 10
key i # the large figures
click Maps
for map in bb lambda lambda-grid rb rec utm lut hadouken; do
    for _ in $(seq 8); do
        if [ "$(ask 'm["state"]["map"]')" = $map ]; then break; fi
        key m
    done
    wait_until "m['state']['map_shown']['map'] == '$map'"
    capture "$map"
    convert "$scratch/$map.png" -crop 874x590+396+64 +repage -resize 55% "$scratch/$map.png" # the area next to the sidebar
done
montage "$scratch"/{bb,lambda,lambda-grid,rb,rec,utm,lut,hadouken}.png -tile 2x4 -geometry +4+4 -background '#101216' \
    "$scratch/montage.png"
convert "$scratch/montage.png" -depth 8 +dither -colors 200 "$scratch/maps.png" # a quarter of the bytes
save "$scratch/maps.png" maps.png
close_window

# --- the page Kernel: a force, and a wrong thread map ------------------------------------------------------------------
open_window plummer --bodies 2000 --backend cpu
step 10
key shift+k
choose Example 'yukawa.cpp: Yukawa'
click Run
wait_until 'm["state"]["kernel"]["force"] and m["state"]["kernel"]["force"]["times"]'
away 1100 560
toasts_gone
capture kernel
save "$scratch/kernel.png" kernel.png
close_window
docs/lesson.sh "$orrery"
ls -l "$out" >&2
