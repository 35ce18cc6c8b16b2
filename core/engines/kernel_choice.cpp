// SPDX-License-Identifier: MIT
#include "core/engines/kernel_choice.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace orrery {

const EngineEntry& engine_of(const KernelFile& file) {
    return engine(file.kind == KernelKind::kMap ? "half" : "kernel", backend_of(file.language));
}

bool runs(const EngineEntry& entry, const KernelFile& file) {
    const bool of_kind = file.kind == KernelKind::kMap ? entry.id == "half" : entry.has(Capability::kKernel);
    return of_kind && entry.backend == backend_of(file.language);
}

std::string kernel_in_force(const EngineConfig& config) {
    const EngineEntry* entry = find_engine(config);
    if (config.kernel.empty() || !entry) return {};
    const KernelFile file = parse_kernel(config.kernel);
    return runs(*entry, file) ? file.title : std::string{};
}

bool has_own_law(const EngineConfig& config) {
    const EngineEntry* entry = find_engine(config);
    if (config.kernel.empty() || !entry) return false;
    const KernelFile file = parse_kernel(config.kernel);
    return file.own_law && runs(*entry, file);
}

void require_kernel_runs(const EngineEntry& entry, const EngineConfig& config) {
    if (config.kernel.empty()) return;
    const KernelFile file = parse_kernel(config.kernel);
    const bool read = file.kind == KernelKind::kMap ? entry.walks_pairs() : entry.has(Capability::kKernel);
    if (!read || runs(entry, file)) return;
    usage_error(fmt::format("kernel {}: a kernel of kind {} in {} needs engine {} on {}, not '{}' on {}", file.title,
                            name(file.kind), name(file.language), file.kind == KernelKind::kMap ? "half" : "kernel",
                            name(backend_of(file.language)), entry.id, name(entry.backend)));
}

}  // namespace orrery
