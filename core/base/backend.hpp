// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery {

enum class Backend { kCpu, kCuda };
std::string_view name(Backend backend);        ///< "cpu", "cuda"
Backend parse_backend(std::string_view text);  ///< throws Error{kUsage} with the choices

}  // namespace orrery
