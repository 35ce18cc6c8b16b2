// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery::kernel_texts {

/// The header kernel.h, or a part of the source around a kernel in C++; empty if there is none of this name. Generated:
/// cmake/embed.cmake.
std::string_view file(std::string_view name);

}  // namespace orrery::kernel_texts
