# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What run.sh and test.sh share. Sourced with the repository as the working folder.

preset=release
build=build/$preset

say() { printf 'orrery: %s\n' "$*" >&2; }
stop() { # the machine lacks something: exit code 3, as the program has it
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

# Runs a command as root: "as_root apt-get …". Fails when that is not possible here.
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
    # Elsewhere than on Debian the packages have other names; configuring then says what is not there.
    command -v dpkg-query >/dev/null || return 0
    local list
    local -a missing
    list=$(missing_packages | tr '\n' ' ')
    read -ra missing <<<"$list"
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || stop "apt-get is not there to install what is missing: $list"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        stop "neither root nor sudo to install what is missing; ask for: apt-get install $list"
    fi
    say "installing $list"
    mkdir -p build
    if ! as_root apt-get -q update >build/apt.log 2>&1 ||
        ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}" \
            >>build/apt.log 2>&1; then
        stop "apt-get failed (no network, no rights? build/apt.log has its words); missing: $list"
    fi
}

configure() {
    local -a options=()
    # With nvcc but no GPU one architecture is enough to know that the CUDA sources compile.
    if ! nvidia-smi -L >/dev/null 2>&1 && { command -v nvcc || [ -x /usr/local/cuda/bin/nvcc ]; } >/dev/null; then
        options+=(-DCMAKE_CUDA_ARCHITECTURES=90-real)
    fi
    mkdir -p "$build"
    if ! cmake --preset "$preset" "${options[@]}" >"$build/configure.log" 2>&1; then
        cat "$build/configure.log" >&2
        stop "configuring failed; what CMake said stands above"
    fi
    sed -n 's/^-- orrery: /  /p' "$build/configure.log" >&2
}

# Brings the build up to date: "set_up TARGET".
set_up() {
    install_packages
    configure
    cmake --build "$build" --target "$1" >&2 || stop "building failed; what the compiler said stands above"
}
