// SPDX-License-Identifier: MIT
// Reads HDF5 files for the Python module in a separate process; core/formats/hdf5_server.cpp does so before main().
#include <cstdio>

#include "core/formats/hdf5_server.hpp"

int main() {
    std::fprintf(stderr, "%s: this program is started by Orrery's Python module to read a file\n",
                 orrery::hdf5::kReaderRole);
    return 2;
}
