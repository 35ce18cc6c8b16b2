// SPDX-License-Identifier: MIT
// NVRTC, NVIDIA's compiler as a library, opened at run time.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace orrery {

/// Why CUDA C++ cannot be compiled here; empty: it can. $ORRERY_NVRTC names the library; otherwise libnvrtc.so.13,
/// .so.12, .so.11.2 and /usr/local/cuda are searched.
std::string why_no_nvrtc();

/// "13.0"; empty without NVRTC.
std::string nvrtc_version();

/// The result of compiling: a binary for a device, or the compiler's messages.
struct NvrtcResult {
    std::string cubin;  ///< empty: failed
    std::string log;
};
/// Compiles `source`. `headers`: name and text of files that it includes. Throws Error{kEnvironment} without NVRTC.
NvrtcResult compile_with_nvrtc(const std::string& source,
                               const std::vector<std::pair<std::string, std::string>>& headers,
                               const std::vector<std::string>& options);

}  // namespace orrery
