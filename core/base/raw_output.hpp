// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery {

/// Bytes of a file to standard output, unchanged. output_error() says if they could not be written.
void bytes_to_stdout(std::string_view bytes);

}  // namespace orrery
