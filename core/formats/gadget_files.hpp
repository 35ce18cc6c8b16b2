// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "core/formats/gadget_layout.hpp"

namespace orrery::gadget {

/// Reads the file, or, when its header says that there are several, all of them.
Scene read(const std::filesystem::path& path);
/// In single precision, bodies in order of their species; ids are numbers from 1 where there are none.
void write(const Scene& scene, const std::filesystem::path& path, Dialect dialect);

}  // namespace orrery::gadget
