#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes orrery-VERSION-linux-x86_64.tar.xz from a build: the program with the libraries that it links, to be unpacked
# anywhere. Needs patchelf.
#
#     packaging/archive.sh [BUILD-FOLDER [FOLDER]]
#
# By default BUILD-FOLDER is build/release and FOLDER is BUILD-FOLDER/packages.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

build=${1:-build/release}
folder=$(realpath -m "${2:-$build/packages}")
version=$(sed -n 's/^project(orrery VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=orrery-$version-linux-x86_64
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
mkdir -p "$folder"

cmake --install "$build" --component runtime --strip --prefix "$staging/$name" >"$staging/install.log"
packaging/bundle.py "$staging/$name" lib/orrery/libraries share/doc/orrery/licences >"$staging/libraries"
glibc=$(ldd --version | sed -n '1s/.* //p')
cat >"$staging/$name/README" <<END
Orrery $version for Linux on x86-64. The guide is share/doc/orrery/guide.md
and the pages of share/doc/orrery/guide.

    bin/orrery              the window
    bin/orrery record collision -o collision.mp4
    bin/orrery --help

The folder can be moved. It contains every library that the program is linked with, except those of the system:
glibc $glibc or newer, libstdc++ of GCC 12 or newer, and OpenGL (libGL or libEGL with a driver; without one, \`run\`, \`convert\`,
\`plot\`, \`bench\` and \`check\` work). A GPU is used through the NVIDIA driver where CUDA is in this build: \`bin/orrery info\`.
Several processes (mpirun) need the same version of Open MPI as the machine of the build; elsewhere build from source.
Licences are in share/doc/orrery: Orrery's own, and one file for each Debian package that a library came from.
END
tar -C "$staging" --sort=name --owner=0 --group=0 --numeric-owner -cJf "$folder/$name.tar.xz" "$name"
echo "$folder/$name.tar.xz: $(du -h "$folder/$name.tar.xz" | cut -f1), $(wc -l <"$staging/libraries") libraries"
