# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Shared by run.sh and test.sh. Sourced with the repository as the working folder.

preset=release
build=build/$preset

say() { printf 'orrery: %s\n' "$*" >&2; }
stop() { # the machine lacks something: exit code 3, as in the program
    say "$@"
    exit 3
}

# The lines of packages.txt without comments.
needed_packages() { sed 's/#.*//; s/[[:space:]]*$//; /^$/d' packages.txt; }

missing_packages() {
    local name
    for name in $(needed_packages); do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || echo "$name"
    done
}

# Runs a command as root: "as_root apt-get …". Fails if that is not possible.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@" # may ask for a password
    else
        sudo -n "$@"
    fi
}

install_packages() {
    # On systems other than Debian the packages have other names; the configuration then reports what is missing.
    command -v dpkg-query >/dev/null || return 0
    local list
    local -a missing
    list=$(missing_packages | tr '\n' ' ')
    read -ra missing <<<"$list"
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || stop "apt-get not found; missing packages: $list"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        stop "missing packages need root or sudo: apt-get install $list"
    fi
    say "installing $list"
    mkdir -p build
    if ! as_root apt-get -q update >build/apt.log 2>&1 ||
        ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}" \
            >>build/apt.log 2>&1; then
        stop "apt-get failed (no network or no permission? see build/apt.log); missing packages: $list"
    fi
}

configure() {
    local -a options=()
    # With nvcc but no GPU, one architecture is enough to check that the CUDA sources compile.
    if ! nvidia-smi -L >/dev/null 2>&1 && { command -v nvcc || [ -x /usr/local/cuda/bin/nvcc ]; } >/dev/null; then
        options+=(-DCMAKE_CUDA_ARCHITECTURES=90-real)
    fi
    mkdir -p "$build"
    if ! cmake --preset "$preset" "${options[@]}" >"$build/configure.log" 2>&1; then
        cat "$build/configure.log" >&2
        stop "configuration failed; see the CMake output above"
    fi
    sed -n 's/^-- orrery: /  /p' "$build/configure.log" >&2
}

# Updates the build: "set_up TARGET".
set_up() {
    install_packages
    configure
    cmake --build "$build" --target "$1" >&2 || stop "build failed; see the compiler output above"
}
