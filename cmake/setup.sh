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

# "package_lines GROUP…": the lines of packages.txt in these groups, without comments.
package_lines() {
    local line group='' wanted=" $* "
    while read -r line; do
        line=${line%%#*}
        read -r line <<<"$line" # trims
        case $line in
        '') ;;
        \[*\]) group=${line:1:-1} ;;
        *) [[ $wanted != *" $group "* ]] || echo "$line" ;;
        esac
    done <packages.txt
}

# No pipes into `grep -q`, which may end them by SIGPIPE: a failure under pipefail.
installed() { [[ $'\n'$(dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null)$'\n' == *$'\ninstalled\n'* ]]; }
offered() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *'Candidate: '[!\(]* ]]; }

# The names of a line of packages.txt, in order of preference.
names_of() {
    local line=${1% optional}
    echo "${line//|/ }"
}

# "missing_lines GROUP…": the lines without an installed alternative.
missing_lines() {
    local line name
    while read -r line; do
        for name in $(names_of "$line"); do
            ! installed "$name" || continue 2
        done
        echo "$line"
    done < <(package_lines "$@")
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

# "offered_packages required|optional LINE…": the first name of each line that apt offers. A line without one is reported on
# stderr: the name may differ on this system, and the configuration then reports what is missing.
offered_packages() {
    local kind=$1 line name
    shift
    for line in "$@"; do
        [ "$kind" = "$([[ $line == *' optional' ]] && echo optional || echo required)" ] || continue
        for name in $(names_of "$line"); do
            if offered "$name"; then
                echo "$name"
                continue 2
            fi
        done
        say "apt offers no package $(names_of "$line") ($kind); continuing without it"
        echo "$line" >>build/packages.skipped
    done
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >>build/apt.log 2>&1
}

# "install_packages GROUP…". Stops if a required package cannot be installed.
install_packages() {
    # On systems other than Debian the packages have other names; the configuration then reports what is missing.
    command -v dpkg-query >/dev/null || return 0
    local -a lines required optional
    mkdir -p build && touch build/packages.skipped # lines that apt could not resolve in an earlier run
    mapfile -t lines < <(missing_lines "$@" | grep -vxFf build/packages.skipped)
    [ ${#lines[@]} -gt 0 ] || return 0
    mapfile -t required < <(printf '%s\n' "${lines[@]}" | grep -v ' optional$')
    local advice="packages.txt lists what is needed; missing: ${lines[*]// optional/}"
    local reason=
    if ! command -v apt-get >/dev/null; then
        reason="apt-get not found"
    elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        reason="installing packages needs root or sudo"
    else
        as_root apt-get -q update >build/apt.log 2>&1 ||
            reason="apt-get update failed (no network or no permission? see build/apt.log)"
    fi
    if [ -n "$reason" ]; then
        [ ${#required[@]} -eq 0 ] || stop "$reason; $advice"
        say "$reason; continuing without ${lines[*]% optional}"
        return 0
    fi
    mapfile -t required < <(offered_packages required "${lines[@]}")
    mapfile -t optional < <(offered_packages optional "${lines[@]}")
    [ $((${#required[@]} + ${#optional[@]})) -gt 0 ] || return 0
    say "installing ${required[*]} ${optional[*]}"
    apt_install "${required[@]}" "${optional[@]}" && return 0
    # A single optional package may be the reason: install the required ones first, then the others one by one.
    if [ ${#required[@]} -gt 0 ] && ! apt_install "${required[@]}"; then
        stop "apt-get failed (no network or no permission? see build/apt.log); $advice"
    fi
    local name
    for name in "${optional[@]}"; do
        apt_install "$name" || say "apt-get could not install $name (optional; see build/apt.log); continuing without it"
    done
}

# "configure [CMAKE-OPTION…]"
configure() {
    local -a options=("$@")
    # Without a GPU, CUDA takes a third of the build for engines that cannot run; continuous integration checks them.
    local cuda=${ORRERY_CUDA:-${CI:+CHECK}}
    [ -n "$cuda" ] || [ -e "$build/CMakeCache.txt" ] || cuda=AUTO
    [ -z "$cuda" ] || options+=("-DORRERY_CUDA=$cuda")
    mkdir -p "$build"
    if ! cmake --preset "$preset" "${options[@]}" >"$build/configure.log" 2>&1; then
        cat "$build/configure.log" >&2
        rm -f build/packages.skipped # apt may offer them next time
        stop "configuration failed; see the CMake output above"
    fi
    sed -n 's/^-- orrery: /  /p' "$build/configure.log" >&2
}

compile() { cmake --build "$build" --target "$1" >&2 || stop "build failed; see the compiler output above"; }

# Installs what the program needs, and builds it. Tests remain configured if test.sh has configured them.
set_up_program() {
    install_packages build run
    if [ -e "$build/CMakeCache.txt" ]; then configure; else configure -DORRERY_TESTS=OFF; fi
    compile orrery
}

# Also installs what the tests need, and builds everything. Continuous integration treats warnings as errors.
set_up_tests() {
    install_packages build run test
    configure -DORRERY_TESTS=ON ${CI:+-DORRERY_WERROR=ON}
    compile all
}
