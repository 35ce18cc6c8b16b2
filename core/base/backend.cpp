// SPDX-License-Identifier: MIT
#include "core/base/backend.hpp"

#include <fmt/format.h>

#include <array>

#include "core/base/error.hpp"

namespace orrery {

std::string_view name(Backend backend) {
    return backend == Backend::kCpu ? "cpu" : backend == Backend::kCuda ? "cuda" : "gl";
}

std::span<const Backend> backends() {
    static constexpr std::array menu{Backend::kCpu, Backend::kCuda, Backend::kGl};
    return menu;
}

Backend parse_backend(std::string_view text) {
    for (const Backend backend : backends())
        if (text == name(backend)) return backend;
    usage_error(fmt::format("no backend '{}'; there are cpu, cuda, gl", text));
}

std::string_view name(Precision precision) {
    return precision == Precision::kSingle ? "single" : precision == Precision::kMixed ? "mixed" : "double";
}

std::string_view doc(Precision precision) {
    switch (precision) {
        case Precision::kSingle:
            return "Everything in 32-bit floating point; the fastest.";
        case Precision::kMixed:
            return "State in 64 bits, forces in 32 bits from exact differences: close pairs and long runs stay "
                   "accurate at little more than the cost of single.";
        default:
            return "Everything in 64 bits.";
    }
}

std::span<const Precision> precisions() {
    static constexpr std::array menu{Precision::kSingle, Precision::kMixed, Precision::kDouble};
    return menu;
}

Precision parse_precision(std::string_view text) {
    for (const Precision precision : precisions())
        if (text == name(precision)) return precision;
    usage_error(fmt::format("no precision '{}'; there are single, mixed, double", text));
}

}  // namespace orrery
