// SPDX-License-Identifier: MIT
#include "core/kernels/examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.hpp"

namespace orrery {
namespace example_texts {

/// Generated: cmake/embed.cmake.
std::string_view file(std::string_view name);

}  // namespace example_texts

namespace {

constexpr auto kExampleNames = std::to_array<std::string_view>(
    {"newton.cpp", "newton.glsl", "newton.cu", "yukawa.cpp", "mond.cpp", "naive.cpp", "naive.glsl", "tiled.glsl",
     "tiled.cu", "registers.glsl", "bounding-box.cpp", "rectangular-box.cpp", "lambda.cpp", "lambda-wrong.cpp",
     "lambda-wrong.glsl", "hilbert.cpp"});

}  // namespace

std::span<const ExampleKernel> example_kernels() {
    static const auto all = [] {
        std::array<ExampleKernel, kExampleNames.size()> found;
        std::ranges::transform(kExampleNames, found.begin(), [](std::string_view name) {
            return ExampleKernel{name, example_texts::file("../../assets/kernels/" + std::string{name})};
        });
        return found;
    }();
    return all;
}

std::string_view example_kernel(std::string_view name) {
    const auto all = example_kernels();
    const auto found = std::ranges::find(all, name, &ExampleKernel::name);
    return found == all.end() ? std::string_view{} : found->text;
}

std::string_view default_kernel(Backend backend) {
    return example_kernel(backend == Backend::kGl     ? "newton.glsl"
                          : backend == Backend::kCuda ? "newton.cu"
                                                      : "newton.cpp");
}

KernelFile force_kernel(std::string_view text, Backend backend) {
    KernelFile file = parse_kernel(text.empty() ? default_kernel(backend) : text);
    if (file.kind == KernelKind::kMap)
        usage_error(fmt::format("{}: a thread map is used by engine half, not by engine kernel", file.title));
    return file;
}

}  // namespace orrery
