// SPDX-License-Identifier: MIT
// Reads files of HDF5 for the Python module, in a process of its own: core/formats/hdf5_server.cpp answers before
// main().
#include <cstdio>

#include "core/formats/hdf5_server.hpp"

int main() {
    std::fprintf(stderr, "%s: is started by Orrery's Python module, to read a file\n", orrery::hdf5::kReaderRole);
    return 2;
}
