// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery {

std::string_view version();   ///< "0.1.0"
std::string_view commit();    ///< git describe at build time; ends in "-dirty" if the tree had changes
std::string_view compiler();  ///< "GNU 12.2.0"
/// Compiler and libraries found at build time, one per line: "HDF5: yes (1.10.8)".
std::string_view built_with();

}  // namespace orrery
