#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Regenerates docs/gallery.md and its pictures: docs/gallery.sh [PROGRAM [SECTION...]], for the sections scenes,
# colours, many, cameras, compare, window; all by default. PROGRAM is build/release/app/orrery by default. Takes half an
# hour on two cores.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. docs/window.sh
sections=" ${*:2} "
wanted() { [ "$sections" = "  " ] || [[ "$sections" = *" $1 "* ]]; }
out=$PWD/docs/pictures/gallery
mkdir -p "$out"
size=(--width 960 --height 540 --supersampling 2)

# JPEG keeps the files small.
save_light() { convert "$scratch/$1.png" -strip -sampling-factor 4:4:4 -quality "${2:-86}" "$out/$1.jpg"; }
save_screen() { convert "$scratch/$1.png" -strip -resize 75% -quality 88 -sampling-factor 4:4:4 "$out/$1.jpg"; }

# --- scenes after the given number of steps ---------------------------------------------------------------------------
scenes() {
    while read -r id steps; do
        shoot "$id" "$id" --steps "$steps" "${size[@]}"
        save_light "$id"
    done <<'END'
two-galaxies 330
tidal-tails 330
star-cluster 20
cold-collapse 560
octree 300
hundred-thousand 2
deterministic 300
inner-planets 1400
outer-planets 12000
three-bodies 600
argon 320
drop 400
salt 400
black-hole-pair 200
colliding-rings 300
planet-formation 1500
END
    for id in half-matrix bounding-box; do
        open_window "$id"
        step 3
        key i
        toasts_gone
        capture "$id"
        save_screen "$id"
        close_window
    done
}

# --- colour modes -----------------------------------------------------------------------------------------------------
colours() {
    say "a state to colour"
    "$orrery" run collision --bodies 24000 --engine tree --steps 300 --no-energy -o "$scratch/tails.csv" >/dev/null
    # Presets have no species: here the first galaxy is labelled disk, the second stars.
    python3 - "$scratch/tails.csv" "$scratch/kinds.csv" <<'END'
import sys
lines = open(sys.argv[1]).read().splitlines()
at = next(i for i, line in enumerate(lines) if not line.startswith('#'))
bodies = len(lines) - at - 1
with open(sys.argv[2], 'w') as f:
    for i, line in enumerate(lines):
        f.write(line + ('' if i < at else ',species' if i == at else ',disk' if i - at <= bodies / 2 else ',stars') + '\n')
END
    for mode in speed acceleration mass potential density level tile species; do
        local engine=(--engine tree) from=$scratch/tails.csv near=(--zoom 1.5)
        [ $mode = tile ] && engine=(--engine half)
        [ $mode = species ] && from=$scratch/kinds.csv
        shoot "colour-$mode" "$from" "${engine[@]}" --color-by $mode --yaw 80 --pitch 55 "${near[@]}" --steps 0 --legend "${size[@]}"
        save_light "colour-$mode"
    done
    shoot colour-leaf plummer --bodies 3000 --engine tree --leaf 64 --color-by leaf --mode points --zoom 2.2 --size 1.6 --glow 0.1 \
        --steps 0 --legend "${size[@]}"
    save_light colour-leaf
    for map in ember aurora starlight viridis magma inferno plasma cividis turbo twilight grey; do
        shoot "$map" "$scratch/tails.csv" --engine tree --color-map $map --yaw 80 --pitch 55 --steps 0 --width 320 --height 180
        convert "$scratch/$map.png" -fill '#ebeef5' -gravity southwest -pointsize 15 -annotate +8+6 "$map" "$scratch/$map.png"
    done
    montage "$scratch"/{ember,aurora,starlight,viridis,magma,inferno,plasma,cividis,turbo,twilight,grey}.png -tile 4x \
        -geometry +2+2 -background black "$scratch/colour-maps.png"
    save_light colour-maps 82
}

# --- many bodies -----------------------------------------------------------------------------------------------------
many() {
    local state=(--engine tree --accuracy 0.005 --no-energy) still=(--steps 0 --width 960 --height 540)
    say "a million bodies, two times"
    "$orrery" run collision --bodies 1000000 --steps 300 "${state[@]}" -o "$scratch/many.h5" >/dev/null
    "$orrery" run zeldovich --bodies 1000000 --steps 100 "${state[@]}" -o "$scratch/web.h5" >/dev/null
    "$orrery" run disc-galaxy --bodies 30000 --steps 250 "${state[@]}" -o "$scratch/disc.h5" >/dev/null
    shoot many-bodies "$scratch/many.h5" --exposure-by bodies "${still[@]}"
    shoot many-picture "$scratch/many.h5" "${still[@]}"
    shoot many-smoothed "$scratch/many.h5" --mode smoothed "${still[@]}"
    shoot web-smoothed "$scratch/web.h5" --mode smoothed "${still[@]}"
    shoot contours "$scratch/disc.h5" --mode smoothed --pitch 60 --local-contrast 0.7 --contours 3 "${still[@]}"
    shoot panorama "$scratch/many.h5" --mode smoothed --lens panorama --zoom 6 --pitch 10 --steps 0 --width 1080 --height 540
    shoot dome "$scratch/many.h5" --mode smoothed --lens dome --zoom 6 --pitch 10 --steps 0 --width 540 --height 540
    for sites in lattice glass; do
        shoot web-$sites zeldovich --bodies 100000 --sites $sites --displacements 2lpt --zoom 1.6 --mode splat "${still[@]}"
    done
    "$orrery" run collision --bodies 60000 --engine tree --steps 250 --no-energy -o "$scratch/pair.h5" >/dev/null
    shoot spread "$scratch/pair.h5" --mode smoothed --mass-size 1 --color-by sight-line --dispersion --legend "${still[@]}"
    "$orrery" run disc-galaxy --bodies 1000000 --steps 0 --no-energy -o "$scratch/disc.tipsy" >/dev/null
    "$orrery" convert "$scratch/disc.tipsy" -o "$scratch/disc.cloud" >/dev/null
    shoot cloud "$scratch/disc.cloud" --mode smoothed --zoom 0.95 --pitch 40 "${still[@]}"
    for name in web-lattice web-glass spread cloud many-bodies many-picture many-smoothed web-smoothed contours panorama dome; do save_light $name; done
}

# --- cameras -----------------------------------------------------------------------------------------------------------
cameras() {
    shoot edge-on collision --engine tree --bodies 24000 --steps 300 --yaw 80 --pitch 4 --legend --clock "${size[@]}"
    shoot from-above collision --engine tree --bodies 24000 --steps 300 --yaw 80 --pitch 88 --legend --clock "${size[@]}"
    shoot near collision --engine tree --bodies 24000 --steps 300 --yaw 80 --pitch 40 --zoom 3 --legend --clock "${size[@]}"
    save_light edge-on && save_light from-above && save_light near
    shoot guides solar-system --steps 9000 --zoom 1.4 --grid --axes --legend --clock "${size[@]}"
    save_light guides
    shoot stars outer-planets --steps 12000 --stars --pitch 12 --yaw -60 --legend --clock "${size[@]}"
    save_light stars
    # A path: four frames of a flight in one picture.
    cat >"$scratch/path.toml" <<'END'
[scene]
preset = "collision"
bodies = 24000
[engine]
engine = "tree"
[camera]
path = [
    { time = 0, distance = 3.2, yaw = 20, pitch = 80 },
    { time = 1, distance = 2.4, yaw = 80, pitch = 45 },
    { time = 2, distance = 1.8, yaw = 140, pitch = 20 },
    { time = 3, distance = 1.2, yaw = 200, pitch = 12 },
]
END
    say "a path of the camera"
    "$orrery" record "$scratch/path.toml" -o "$scratch/path_%d.png" --fps 1 --frames 4 --steps-per-frame 90 --width 480 \
        --height 270 --supersampling 2 >/dev/null
    montage "$scratch"/path_{0,1,2,3}.png -tile 2x -geometry +2+2 -background black "$scratch/path.png"
    save_light path
}

# --- two simulations from one state -----------------------------------------------------------------------------------
compare() {
    open_window collision --bodies 6000 --engine direct --backend cpu
    step 60
    click Compare
    click 'Begin comparison'
    wait_until 'm["state"]["compare"]["on"]'
    away 60 640
    for _ in $(seq 30); do
        [ "$(ask '"Engine" in m["widgets"]')" = True ] && break
        xdotool click 5 && frames 3
    done
    choose Engine 'Tree (Barnes–Hut)'
    wait_until 'm["state"]["compare"]["engine"] == "tree"'
    away 60 640
    for _ in $(seq 12); do xdotool click 4; done
    frames 6
    step 500
    pause
    toasts_gone
    for mode in 'Split screen' Difference Wipe Flip; do
        local name
        name=compare-$(echo "${mode%% *}" | tr '[:upper:]' '[:lower:]')
        choose 'Shown as' "$mode"
        [ "$mode" = Wipe ] && click Plots # they cover the lower third
        [ "$mode" = Flip ] && key y
        key period # a new frame with this view
        frames 8
        capture "$name"
        save_screen "$name"
    done
    close_window
}

# --- the window: rewind, picking, map, octree, recording ---------------------------------------------------------------------
window() {
    open_window collision --bodies 8000 --engine tree --backend cpu
    step 260
    key i o
    click View
    toasts_gone
    pause
    capture octree-window && save_screen octree-window
    key o
    for _ in $(seq 8); do key Left; done
    click Scene
    toasts_gone
    capture timeline && save_screen timeline
    click Record
    click Legend
    toasts_gone
    capture record && save_screen record
    close_window
    open_window solar-system
    step 1500
    key i
    click Body
    click 'Pick number' && key ctrl+a 5 Return
    wait_until 'm["state"]["hand"]["picked"]'
    toasts_gone
    pause
    capture hand && save_screen hand
    close_window
}

# --- the page -----------------------------------------------------------------------------------------------------------
picture() { # NAME TITLE TEXT: a title, its picture, what it shows
    [ -e "$out/$1.jpg" ] || { echo "gallery.sh: $1.jpg was not made" >&2 && exit 1; }
    printf '### %s\n\n![%s](pictures/gallery/%s.jpg)\n\n' "$2" "$1" "$1"
    printf '%s\n\n' "$3" | fold -s -w 125 | sed 's/ *$//'
}
of_scene() { # ID KEY: the text of this key of a scene file
    sed -n "s/^$2 = \"\(.*\)\"$/\1/p" "assets/scenes/$1.toml"
}
page() {
    cat <<'END'
# Gallery

All pictures here were made by the program: `docs/gallery.sh` regenerates them and this page. The [guide](guide.md)
explains how to make each of them. More windows: [the sidebar](pictures/window.png), [the tabs](pictures/panels.png),
[help](pictures/help.png), [all maps](pictures/maps.png), [error against θ](pictures/theta.png),
[the laboratory](pictures/laboratory.png); larger ones:
[131 072 bodies](pictures/h200.png), [16 million](pictures/sixteen_million.png).

## Scenes

`orrery NAME` opens each scene and says what to watch for; only the simulated time differs.

END
    for file in assets/scenes/*.toml; do
        local id
        id=$(basename "$file" .toml)
        picture "$id" "$(of_scene "$id" title)" "\`$id\`"
    done
    printf '## Colours\n\nOne state of two galaxies, 24 000 bodies; `--color-by MODE --legend`.\n\n'
    picture colour-speed Speed '`speed`, with the default map ember. The tails escape fast; bodies that fall back are slow.'
    picture colour-acceleration Acceleration '`acceleration`: its magnitude, on a logarithmic scale.'
    picture colour-mass Mass '`mass`: disc bodies are light; those of bulge and halo are heavier.'
    picture colour-potential Potential '`potential`: the two potential wells.'
    picture colour-density Density '`density`: from the 16th neighbour, over four decades.'
    picture colour-leaf 'Leaf of the tree' '`leaf`, of a star cluster with leaves of up to 64 bodies: patches of one colour are leaves.'
    picture colour-level 'Level of the tree' '`level`: cells are subdivided further where bodies are dense.'
    picture colour-tile 'Tile of a thread map' '`tile`: bodies of one tile of `half`, in the order of the file.'
    picture colour-species Species '`species`: in this file one galaxy is labelled disk and the other stars; the legend lists the species present.'
    picture colour-maps 'Colour maps' '`--color-map`: speed again, in each sequential map.'
    printf '## Many bodies\n\nA million bodies: two galaxies after 300 steps, and a collapsing universe after 100.\n\n'
    picture many-bodies 'Exposure by the number of bodies' '`--exposure-by bodies`, as earlier versions did it.'
    picture many-picture 'Exposure by the picture' 'By the percentiles of its light, now the default: tails and bridge show.'
    picture many-smoothed Smoothed '`--mode smoothed`: kernels as wide as the distance to the 32nd neighbour.'
    picture web-smoothed 'Threads and knots' '`--mode smoothed` of `zeldovich`.'
    picture web-lattice 'A lattice' '`zeldovich` with 100 000 bodies at the start: rows of the lattice are visible.'
    picture web-glass 'A glass' 'The same with `--sites glass`: no rows.'
    picture spread 'Spread of velocities' '`--color-by sight-line --dispersion --mode smoothed --mass-size 1` of two galaxies, 60 000 bodies: their velocity dispersion.'
    picture cloud 'A cloud' '`disc-galaxy` with a million bodies as a [cloud](clouds.md), drawn as half a million kernels: each represents as many bodies as its cell has per drawn one.'
    picture contours 'Contours' '`disc-galaxy` with 30 000 bodies: `--mode smoothed --local-contrast 0.7 --contours 3`.'
    picture panorama Panorama '`--lens panorama --zoom 6`: all directions from between the galaxies.'
    picture dome Dome '`--lens dome`: half of them.'
    printf '## Cameras\n\n'
    picture edge-on 'Edge-on' '`--pitch 4`, with the legend and its clock: `--legend --clock`.'
    picture from-above 'From above' '`--pitch 88`.'
    picture near 'Near' '`--zoom 3`.'
    picture guides 'Grid, axes, names' '`orrery record solar-system --grid --axes --legend --clock`: planets have names, and trails.'
    picture stars 'A sky' '`--stars`: 9000 stars, infinitely far behind the outer planets.'
    picture path 'A path' 'Four frames of a flight along the keyframes of a scene file.'
    printf '## Two simulations from one state\n\nKey X. A uses `direct`, B uses `tree`.\n\n'
    picture compare-split 'Split screen' 'Both seen by one camera, with their times, distance and energies.'
    picture compare-wipe Wipe 'One picture, A left of the divider and B right of it.'
    picture compare-difference Difference 'B, coloured by the distance of each body from where it is in A.'
    picture compare-flip Flip 'B alone: key Y switches between A and B in the same place.'
    printf '## The window\n\n'
    picture octree-window 'The octree' 'Key O: the cells of the tree, coloured by level.'
    picture timeline 'Rewind' 'The bar at the lower edge is the rewind timeline; here some snapshots back.'
    picture record Recording 'The Recording tab.'
    picture hand 'Picking bodies' 'A click on a planet shows its details and marks it with a ring.'
}

start_display
if wanted scenes; then scenes; fi
if wanted colours; then colours; fi
if wanted many; then many; fi
if wanted cameras; then cameras; fi
if wanted compare; then compare; fi
if wanted window; then window; fi
page >docs/gallery.md
ls -l "$out" >&2
