// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery::assets {

/// Contents of assets/<name>; empty if there is no such file. Generated at build time (cmake/embed.cmake).
std::string_view file(std::string_view name);

}  // namespace orrery::assets
