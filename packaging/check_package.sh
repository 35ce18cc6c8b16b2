#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs a package into a minimal Debian 12 and uses it there: version, a recording without a display, the commands of
# the menu entry and of a double-click in a window, an upgrade, and removal without leftovers. Needs root, debootstrap
# and a Debian mirror.
#
#     packaging/check_package.sh orrery_0.1.0-1_amd64.deb orrery_0.1.0-2_amd64.deb [LOG]
#
# The second package is a later one, for the upgrade. If python3-orrery_*.deb lies beside both, it is checked too.
# ORRERY_MIRROR: the mirror, http://deb.debian.org/debian by default.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/bare.sh"

package=$(realpath "$1") newer=$(realpath "$2")
# The Python module's package beside that of the program, if it exists.
module_of() {
    local module
    module=$(dirname "$1")/python3-$(basename "$1")
    [ ! -e "$module" ] || echo "$module"
}
module=$(module_of "$package") newer_module=$(module_of "$newer")

# All files except those of the package manager, caches and virtual file systems.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./tmp -o -path ./var/lib/dpkg \
        -o -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log -o -path ./run -o -path ./root -o -path ./packages \) -prune -o -print) | sort
}
make_bare_system bookworm "${3:-check_package.log}"
mkdir "$root/packages"
cp "$package" "$newer" ${module:+"$module"} ${newer_module:+"$newer_module"} "$root/packages"
files >"$root/packages/before"
say "$(wc -l <"$root/packages/before") files"

step "Install $(basename "$package"), $(stat -c %s "$package") bytes"
began=$(date +%s)
check "apt install" apt-get -q install -y "./packages/$(basename "$package")"
say "$(($(date +%s) - began)) s, with $(grep -c '^Setting up ' "$log") packages"
check "orrery --version" orrery --version
check "what the machine offers" orrery info
began=$(date +%s)
check "a video without a display" orrery record collision --bodies 2048 --frames 5 --width 320 --height 180 -o /tmp/film.mp4
[ "$(stat -c %s "$root/tmp/film.mp4" 2>/dev/null || echo 0)" -gt 1000 ] || bad "the video is empty"
say "$(($(date +%s) - began)) s"
check "a picture" orrery record two-galaxies --frames 1 --width 320 --height 180 -o /tmp/picture.png
check "an HDF5 snapshot, read in a separate process" orrery run plummer --bodies 200 --steps 2 -o /tmp/end.h5 \
    --checkpoint /tmp/run.orrery
check "which is converted" orrery convert /tmp/end.h5 /tmp/end.tipsy

if [ -n "$module" ]; then
    step "The Python module, $(stat -c %s "$module") bytes"
    check "apt install" apt-get -q install -y "./packages/$(basename "$module")"
    check "import, steps, a picture, HDF5, the program beside it" python3 -c "
import orrery
from orrery._program import find_program
sim = orrery.Simulation(orrery.scene('plummer', bodies=500), 'tree')
sim.step(5)
sim.checkpoint('/tmp/python.orrery')
assert orrery.resume('/tmp/python.orrery').steps == 5
assert sim.render(64, 48).max() == 255
assert str(find_program()) == '/usr/bin/orrery'
print(sim, sim.energies())"
    check "a window in a browser" python3 -c "
import orrery
with orrery.show(orrery.scene('figure-eight')) as window:
    print(window)"
fi

step "In a window"
inside apt-get -q install -y --no-install-recommends xvfb xauth desktop-file-utils
command=$(sed -n 's/^Exec=//p' "$root/usr/share/applications/orrery.desktop")
check "the menu entry is valid" desktop-file-validate /usr/share/applications/orrery.desktop
show_window "the command of the menu entry: ${command/ %f/}" 'Colliding galaxies' "${command/ %f/}"
cp "$root/usr/share/orrery/scenes/three-bodies.toml" "$root/tmp/my.scene.toml"
while IFS=: read -r file shown; do
    show_window "a double-click: ${command/\%f//tmp/$file}" "$shown" "${command/\%f//tmp/$file}" </dev/null
done <<'END'
end.tipsy:end.tipsy, 200 bodies
run.orrery:Plummer sphere, 200 bodies
my.scene.toml:Three bodies on one curve
END

step "Upgrade to $(basename "$newer")"
check "apt install" apt-get -q install -y "./packages/$(basename "$newer")" ${newer_module:+"./packages/$(basename "$newer_module")"}
installed=$(chroot "$root" dpkg-query -W -f '${Version}' orrery)
if [ "$installed" = "$(dpkg-deb -f "$newer" Version)" ]; then good "$installed is installed"; else bad "$installed is installed"; fi
check "orrery --version" orrery --version

step "Remove"
check "apt purge" apt-get -q purge -y orrery ${module:+python3-orrery}
while read -r path; do
    [ -d "$root$path" ] || [ ! -e "$root$path" ] || bad "$path is left"
done < <(for one in "$newer" ${newer_module:+"$newer_module"}; do dpkg-deb -c "$one"; done | sed -n 's|^[^/]*\./|/|p')
check "apt purge what was installed to check" apt-get -q purge -y xvfb xauth desktop-file-utils
check "apt autoremove" apt-get -q autoremove -y --purge -o APT::AutoRemove::RecommendsImportant=false \
    -o APT::AutoRemove::SuggestsImportant=false
files >"$root/packages/after"
left=$(comm -13 "$root/packages/before" "$root/packages/after")
if grep -q orrery <<<"$left"; then bad "left by orrery: $left"; else good "nothing of orrery is left"; fi
say "left by other packages: $(grep -c . <<<"$left" || true) files" "$left"

step "$failures failures"
exit "$((failures > 0))"
