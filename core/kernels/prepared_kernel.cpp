// SPDX-License-Identifier: MIT
#include "core/kernels/prepared_kernel.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <vector>

#include "core/base/error.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/glsl.hpp"

namespace orrery {

void prepare_kernel(const KernelFile& file) {
    if (file.language == KernelLanguage::kGlsl)
        require_glsl_runs(file);
    else if (file.language == KernelLanguage::kCuda)
        tried_cubin(file, "float");
    else
        kernel_library(file);
}

static_assert(sizeof(orrery_tile) == sizeof(Tile) && std::is_trivially_copyable_v<Tile>);

EvaluatedMap kernel_map(const KernelFile& file) {
    if (file.kind != KernelKind::kMap)
        usage_error(fmt::format("{}: a kernel of kind {} is not a thread map", file.name, name(file.kind)));
    if (file.language == KernelLanguage::kGlsl) return glsl_map(file);
    const auto library = kernel_library(file);
    const std::vector<double> values = file.values();
    return {[library, values](std::uint32_t rows) {
                Grid grid{};
                library->grid(rows, values.data(), &grid.x, &grid.y);
                return grid;
            },
            [library, values](std::uint32_t rows, std::uint64_t first, std::uint64_t last, Tile* out) {
                library->tiles(rows, values.data(), first, last, reinterpret_cast<orrery_tile*>(out));
            }};
}

}  // namespace orrery
