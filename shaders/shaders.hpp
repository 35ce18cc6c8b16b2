// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery::shaders {

/// The text of shaders/<name>; empty if it does not exist. Embedded at build time (cmake/embed.cmake).
std::string_view file(std::string_view name);

}  // namespace orrery::shaders
