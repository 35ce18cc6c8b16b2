#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a release: builds, tests, packs, and checks the packages.
#
#     packaging/release.sh [--preset cpu-only] [--no-tests] [--no-chroot] [FOLDER]
#
# FOLDER, build/PRESET/packages by default, receives orrery_*.deb, liborrery-dev_*.deb, orrery-*.tar.xz, a wheel,
# SHA256SUMS and the logs of packaging/check_package.sh, check_archive.sh and check_wheel.sh. Run packaging/check_build.sh
# before a release; it builds in minimal systems. The tree must be clean, and CHANGELOG.md must have a heading for the version.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

preset=release tests=1 chroot=1 folder=
while [ $# -gt 0 ]; do
    case $1 in
    --preset)
        preset=$2
        shift
        ;;
    --no-tests) tests= ;;
    --no-chroot) chroot= ;;
    -*)
        echo "unknown option $1" >&2
        exit 2
        ;;
    *) folder=$1 ;;
    esac
    shift
done
build=build/$preset
folder=$(realpath -m "${folder:-$build/packages}")
stop() {
    echo "release: $*" >&2
    exit 1
}

version=$(sed -n 's/^project(orrery VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -z "$(git status --porcelain)" ] || stop "the tree has uncommitted changes"
grep -q "^## $version (" CHANGELOG.md || stop "CHANGELOG.md has no heading for $version"

cuda=ON # whether or not this machine has a GPU
[ "$preset" != cpu-only ] || cuda=OFF
cmake --preset "$preset" -DORRERY_CUDA=$cuda
if [ -n "$tests" ]; then
    cmake --build "$build"
    ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)"
else
    cmake --build "$build" --target orrery_packed
fi

rm -rf "$folder"
cpack --config "$build/CPackConfig.cmake" -B "$folder"
rm -rf "$folder/_CPack_Packages"
packaging/archive.sh "$build" "$folder"
packaging/wheel.sh "$preset" "$folder"
(cd "$folder" && sha256sum -- *.deb *.tar.xz *.whl >SHA256SUMS && ls -l)
if command -v lintian >/dev/null; then
    lintian --fail-on error --suppress-tags-from-file packaging/debian/lintian-known "$folder"/*.deb
fi
if [ -n "$chroot" ]; then
    # The same packages with a higher number, to test the upgrade.
    cpack --config "$build/CPackConfig.cmake" -B "$folder/newer" -G DEB -D CPACK_DEBIAN_PACKAGE_RELEASE=2
    packaging/check_package.sh "$folder"/orrery_*.deb "$folder"/newer/orrery_*.deb "$folder/check_package.log"
    rm -rf "$folder/newer"
    packaging/check_archive.sh "$folder"/orrery-*.tar.xz "$folder/check_archive.log"
    packaging/check_wheel.sh "$folder"/orrery-*.whl "$folder/check_wheel.log"
fi
