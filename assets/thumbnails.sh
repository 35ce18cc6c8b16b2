#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes the thumbnails of the gallery: assets/thumbnails.sh [PROGRAM] [ID...]. Needs ImageMagick, for 64 colours.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/app/orrery}
shift || true
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# picture ID LENGTH [OPTION...]: LENGTH is --until or --frames. $lines draws trails, for scenes with few bodies.
lines='--trails --trail-points 1024 --trail-opacity 1'
picture() {
    local id=$1 length=$2
    shift 2
    rm -rf "$folder/frames"
    mkdir "$folder/frames"
    "$program" record "$id" -o "$folder/frames/" --width 240 --height 135 $length "$@" >/dev/null 2>&1
    local last
    last=$(find "$folder/frames" -name '*.png' | sort | tail -1)
    convert "$last" -strip -dither None -colors 64 "PNG8:assets/thumbnails/$id.png"
    echo "$id: $(stat -c %s "assets/thumbnails/$id.png") bytes"
}

of() {
    case $1 in
        figure-eight | orbit-lagrange | orbit-butterfly-* | three-bodies) picture "$1" '--until 7.1' $lines ;;
        orbit-moth-1 | orbit-goggles | orbit-yin-yang-1* | orbit-butterfly-3) picture "$1" '--until 17.4' $lines ;;
        orbit-bumblebee | orbit-yarn | orbit-yin-yang-2*) picture "$1" '--until 60' $lines ;;
        orbit-*) picture "$1" '--until 29' $lines ;;
        pythagorean | scattering) picture "$1" '--until 12' $lines ;;
        solar-system | inner-planets | outer-planets) picture "$1" '--frames 400' $lines ;;
        collision) picture "$1" '--frames 160' --engine tree ;;
        milky-way-andromeda | disc-galaxy | zeldovich) picture "$1" '--frames 90' --engine tree ;;
        cold-sphere | cold-collapse) picture "$1" '--frames 50' --engine tree ;;
        argon-* | salt-melt | argon | drop | salt) picture "$1" '--frames 3' ;;
        two-galaxies | tidal-tails) picture "$1" '--frames 120' --engine tree ;;
        *) picture "$1" '--frames 3' --engine tree ;;
    esac
}

if [ $# -gt 0 ]; then
    for id in "$@"; do of "$id"; done
else
    for id in $("$program" list --json |
        python3 -c 'import json, sys; menus = json.load(sys.stdin); print(*(e["id"] for m in ("presets", "scenes") for e in menus[m]))'); do
        of "$id"
    done
fi
