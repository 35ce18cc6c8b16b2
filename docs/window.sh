# SPDX-License-Identifier: MIT
# Sourced by docs/pictures.sh and docs/gallery.sh. Defines $orrery (the first argument, by default
# build/release/app/orrery), a folder $scratch that is removed at the end, and the functions below. They operate the
# window like a user; labels are looked up in its UI map. Needs Xvfb, xdotool, python3 (in packages.txt) and
# ImageMagick.
for tool in Xvfb xdotool python3 import convert montage; do
    command -v "$tool" >/dev/null || { echo "$0: $tool not found" >&2 && exit 3; }
done
orrery=$(realpath "${1:-build/release/app/orrery}")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
window=

say() { echo "$(date +%T) $*" >&2; }

# One picture: NAME, then arguments of `orrery record`; saved as $scratch/NAME.png.
shoot() {
    say "$1"
    "$orrery" record "${@:2}" -o "$scratch/$1.png" >/dev/null
}

# A separate display, 1280 × 720.
start_display() {
    mkfifo "$scratch/display"
    Xvfb -displayfd 4 -screen 0 1280x720x24 -nolisten tcp 4>"$scratch/display" 2>/dev/null &
    read -r number <"$scratch/display"
    export DISPLAY=:$number
}

# Opens the window with these arguments; returns when it shows bodies. With --clock steps it does not idle when paused.
open_window() {
    say "window: $*"
    rm -f "$scratch/map.json"
    (cd "$scratch" && exec "$orrery" "$@" --fresh --clock steps --ui-map map.json 2>"$scratch/errors.txt") &
    window=$!
    wait_until 'm["state"]["step"] is not None and m["state"]["bodies"]'
}
close_window() {
    kill -INT "$window"
    wait "$window" || true
}

# Reads the UI map: `ask 'm["state"]["step"]'`.
ask() { python3 -c 'import json, sys; m = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$scratch/map.json" "$1"; }
wait_until() { # EXPRESSION over the map m; ends the script after SECONDS, 300 by default
    local end=$((SECONDS + ${2:-300}))
    while [ $SECONDS -lt $end ]; do
        if [ -s "$scratch/map.json" ] && [ "$(ask "bool($1)")" = True ]; then return; fi
        kill -0 "$window" || { cat "$scratch/errors.txt" >&2 && return 1; }
        sleep 0.1
    done
    echo "$0: timed out waiting for: $1; $(ask 'm["state"]')" >&2
    return 1
}
step() { wait_until "m['state']['step'] >= $1"; }
frames() { # waits for this many frames of the window
    local now
    now=$(ask 'm["state"]["frames"]')
    wait_until "m['state']['frames'] >= $now + ${1:-3}"
}
place() { ask "'%d %d' % (sum(m['widgets']['$1'][0::2]) / 2, sum(m['widgets']['$1'][1::2]) / 2)"; }
away() { xdotool mousemove "${1:-1000}" "${2:-500}" && frames 4; } # to a position without widgets and tooltips
folded="('Advanced' in m['widgets'] and m['state']['panel'] not in m['state']['advanced'])"
click() { # LABEL: opens the fold Advanced if it is not shown; waits until it exists; for a page of another group, opens that group first
    local group
    group=$(ask "'' if m['pages'].get('$1') == m['state']['group'] else m['pages'].get('$1', '')")
    [ -z "$group" ] || click "$group"
    wait_until "'$1' in m['widgets'] or $folded"
    frames 2
    if [ "$(ask "'$1' not in m['widgets'] and $folded")" = True ]; then click Advanced; fi
    local x y
    read -r x y < <(place "$1")
    xdotool mousemove "$x" "$y" && frames 2
    xdotool click 1 && frames 3
    away
}
drag_over() { # LABEL X Y X Y: from one place to another, in percent of the widget's size
    spot() { ask "'%d %d' % (lambda b: (b[0] + $2 * (b[2] - b[0]) / 100, b[1] + $3 * (b[3] - b[1]) / 100))(m['widgets']['$1'])"; }
    xdotool mousemove $(spot "$1" "$2" "$3") && frames 2
    xdotool mousedown 1 && frames 2
    xdotool mousemove $(spot "$1" $((($2 + $4) / 2)) $((($3 + $5) / 2))) && frames 2
    xdotool mousemove $(spot "$1" "$4" "$5") && frames 2
    xdotool mouseup 1 && frames 3
    away
}
choose() { # COMBO LINE
    click "$1"
    click "$2"
}
type_into() { # FIELD TEXT
    click "$1"
    wait_until 'm["state"]["typing"]'
    xdotool key ctrl+a type "$2"
    key Return
}
key() { # names as in xdotool
    for each in "$@"; do xdotool key "$each" && frames 3; done
}
pause() {
    if [ "$(ask 'm["state"]["paused"]')" = False ]; then key space; fi
    wait_until 'm["state"]["paused"]'
    frames 4
}
toasts_gone() { sleep 7; } # messages disappear after some seconds
capture() { # NAME [GEOMETRY]: the window, or a part of it, as $scratch/NAME.png
    frames 3
    import -silent -window root ${2:+-crop "$2" +repage} "$scratch/$1.png"
}
# Waits until this machine is idle, so that times are meaningful; after two minutes continues with a message.
quiet() {
    for _ in $(seq 24); do
        if awk '{ exit !($1 < 0.5) }' /proc/loadavg; then return; fi
        sleep 5
    done
    say "this machine is busy: times in the next picture are too long"
}
