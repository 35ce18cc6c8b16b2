// SPDX-License-Identifier: MIT
#include "core/base/backend.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace orrery {

std::string_view name(Backend backend) { return backend == Backend::kCpu ? "cpu" : "cuda"; }

Backend parse_backend(std::string_view text) {
    if (text == "cpu") return Backend::kCpu;
    if (text == "cuda") return Backend::kCuda;
    usage_error(fmt::format("no backend '{}'; there are cpu, cuda", text));
}

}  // namespace orrery
