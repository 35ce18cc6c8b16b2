// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery {

/// Writes bytes to standard output unchanged. output_error() reports failures.
void bytes_to_stdout(std::string_view bytes);

}  // namespace orrery
