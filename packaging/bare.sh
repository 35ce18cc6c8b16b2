# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A minimal Debian or Ubuntu made by debootstrap, used for tests by the scripts beside this one. Sourced; needs root.
# ORRERY_MIRROR is the mirror, http://deb.debian.org/debian by default.

failures=0
root='' log=''

say() { printf '%s\n' "$*" | tee -a "$log"; }
step() { say "" "== $*"; }
good() { say "good: $*"; }
bad() {
    say "BAD: $*"
    failures=$((failures + 1))
}

# Runs a command in the minimal system, with its output in the log.
inside() {
    say "\$ $*"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        chroot "$root" "$@" >>"$log" 2>&1
}
check() { # "check WHAT COMMAND…"
    local what=$1
    shift
    if inside "$@"; then good "$what"; else bad "$what"; fi
}

remove_bare_system() {
    for place in proc sys dev; do ! mountpoint -q "$root/$place" || umount "$root/$place"; done
    rm -rf --one-file-system "$root"
}

# "make_bare_system SUITE LOG": sets root and log; the system is removed when the script ends.
make_bare_system() {
    local suite=$1
    log=$(realpath -m "$2")
    root=$(mktemp -d /tmp/orrery-bare.XXXXXX)
    trap remove_bare_system EXIT
    : >"$log"
    step "A bare $suite"
    debootstrap --variant=minbase "$suite" "$root" "${ORRERY_MIRROR:-http://deb.debian.org/debian}" >>"$log" 2>&1
    mount -t proc proc "$root/proc"
    mount -o ro -t sysfs sysfs "$root/sys"
    mount --bind /dev "$root/dev"
    inside apt-get -q update
}

# Runs a command line with a display, waits until it prints its scene, and stops it.
show_window() { # "show_window WHAT NEEDLE COMMAND-LINE"
    local what=$1 needle=$2 line=$3
    inside sh -c "timeout 120 xvfb-run -a -s '-screen 0 1280x720x24' sh -c '$line 2>/tmp/window.log & orrery=\$!
        for i in \$(seq 600); do grep -q \"^Scene \" /tmp/window.log && break; sleep 0.1; done
        kill \$orrery; wait \$orrery'; cat /tmp/window.log" || true
    if grep -q '^Scene ' "$root/tmp/window.log" && grep -q -- "$needle" "$root/tmp/window.log"; then
        good "$what"
    else
        bad "$what"
    fi
}
