// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery::assets {

/// The text or the bytes of assets/<name>; empty when there is none. Made at build time (cmake/embed.cmake).
std::string_view file(std::string_view name);

}  // namespace orrery::assets
