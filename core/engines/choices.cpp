// SPDX-License-Identifier: MIT
#include "core/engines/choices.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

bool has(const EngineConfig& config, bool (EngineEntry::*what)() const) {
    const EngineEntry* entry = find_engine(config);
    return entry && (entry->*what)();
}

template <class Entry>
std::vector<MapChoice> with_roots(std::span<const Entry> menu) {
    std::vector<MapChoice> all;
    for (const Entry& map : menu) {
        if (!map.takes_root) all.push_back({map.id, ""});
        for (const RootEntry& root : roots())
            if (map.takes_root) all.push_back({map.id, root.id});
    }
    return all;
}

}  // namespace

std::vector<MapChoice> every_map_and_root() { return with_roots(maps()); }
std::vector<MapChoice> every_map3_and_root() { return with_roots(simplex3_maps()); }

std::vector<EngineConfig> with_every_map(const EngineEntry& entry, const EngineConfig& config) {
    if (!entry.walks_pairs() && !entry.walks_triples()) return {config};
    std::vector<EngineConfig> all;
    for (const MapChoice& choice : entry.walks_pairs() ? every_map_and_root() : every_map3_and_root()) {
        EngineConfig each = config;
        (entry.walks_pairs() ? each.map : each.map3) = choice.map;
        if (!choice.root.empty()) each.root = choice.root;
        all.push_back(each);
    }
    return all;
}

bool walks_pairs(const EngineConfig& config) { return has(config, &EngineEntry::walks_pairs); }

std::string map_in_force(const EngineConfig& config) {
    if (has(config, &EngineEntry::walks_triples)) return config.map3;
    return walks_pairs(config) ? config.map : std::string{};
}

std::string root_in_force(const EngineConfig& config) {
    if (has(config, &EngineEntry::walks_triples))
        return simplex3_map(config.map3).takes_root ? config.root : std::string{};
    return walks_pairs(config) && map(config.map).takes_root ? config.root : std::string{};
}

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
