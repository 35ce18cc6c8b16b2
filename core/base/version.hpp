// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery {

std::string_view version();   ///< "0.1.0"
std::string_view commit();    ///< git describe at build time, "-dirty" behind it when the tree was changed
std::string_view compiler();  ///< "GNU 12.2.0"
/// What the build has found and what not, line by line, from the compiler on: "HDF5: yes (1.10.8)".
std::string_view built_with();

}  // namespace orrery
