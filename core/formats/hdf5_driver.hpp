// SPDX-License-Identifier: MIT
#pragma once
#include "core/formats/hdf5_file.hpp"

namespace orrery::hdf5 {

/// Opens an HDF5 file for reading by its descriptor, which remains the caller's and must outlive the file. The
/// library's own drivers take names, which may refer to another file by now, and HDF5 1.10 cannot open /proc/self/fd/N
/// of an unlinked file. Empty if the library cannot open it.
Handle open_descriptor(int descriptor);

}  // namespace orrery::hdf5
