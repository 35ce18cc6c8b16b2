// SPDX-License-Identifier: MIT
#pragma once
#include "core/formats/hdf5_file.hpp"

namespace orrery::hdf5 {

/// Opens an HDF5 file for reading by its descriptor, which stays the caller's and must outlive the file. The library's
/// own drivers take names: they could open what has that name now, and HDF5 1.10 does not open /proc/self/fd/N of a
/// file without a name. Empty: the library cannot open it.
Handle open_descriptor(int descriptor);

}  // namespace orrery::hdf5
