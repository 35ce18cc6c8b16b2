// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/joined_menus.hpp"

namespace orrery {

bool offers(const EngineEntry& entry, Precision precision) { return precision != Precision::kMixed || entry.mixed; }

void require_precision(const EngineEntry& entry, Precision precision) {
    if (!offers(entry, precision))
        usage_error(fmt::format("engine '{}' on {} has no mixed precision, only single and double", entry.id,
                                name(entry.backend)));
}

std::string engines_with_jerk() {
    std::string able;
    for (const EngineEntry& entry : engines())
        if (entry.jerk) able += fmt::format("{}{} on {}", able.empty() ? "" : ", ", entry.id, name(entry.backend));
    return able;
}

std::span<const EngineEntry> engines() {
    // In the order of ids, the CPU's first: people look for an engine, then for where it runs.
    static const std::vector<EngineEntry> menu = [] {
        std::vector<EngineEntry> joined;
        for (const EngineEntry& cpu : cpu_engines()) {
            joined.push_back(cpu);
            for (const EngineEntry& cuda : cuda_engines())
                if (cuda.id == cpu.id) joined.push_back(cuda);
        }
        for (const EngineEntry& cuda : cuda_engines())
            if (std::ranges::find(joined, cuda.id, &EngineEntry::id) == joined.end()) joined.push_back(cuda);
        return joined;
    }();
    return menu;
}

const EngineEntry* find_engine(std::string_view id, Backend backend) {
    const auto found = std::ranges::find_if(
        engines(), [&](const EngineEntry& entry) { return entry.id == id && entry.backend == backend; });
    return found == engines().end() ? nullptr : &*found;
}

std::string unavailable(const EngineEntry& entry) {
    return entry.backend == Backend::kCpu ? std::string{} : cuda_info().reason;
}

const EngineEntry& any_engine(std::string_view id) { return find_in_menu(engines(), "engine", id); }

const EngineEntry& engine(std::string_view id, Backend backend) {
    any_engine(id);
    if (const EngineEntry* entry = find_engine(id, backend)) {
        if (const std::string why = unavailable(*entry); !why.empty())
            environment_error(fmt::format("engine '{}' cannot run on {}: {}", id, name(backend), why));
        return *entry;
    }
    // A build without CUDA has no entry to ask.
    if (backend == Backend::kCuda && !cuda_info().available)
        environment_error(fmt::format("engine '{}' cannot run on cuda: {}", id, cuda_info().reason));
    usage_error(fmt::format("engine '{}' does not exist for {}", id, name(backend)));
}

Backend best_backend() { return cuda_info().available && !cuda_engines().empty() ? Backend::kCuda : Backend::kCpu; }

Backend default_backend(std::string_view engine) {
    const EngineEntry& any = any_engine(engine);
    return find_engine(any.id, best_backend()) ? best_backend() : any.backend;
}

Law law_of(const EngineConfig& config) { return engine(config.engine, config.backend).law; }

}  // namespace orrery
