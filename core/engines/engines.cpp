// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/report.hpp"
#include "core/gl/info.hpp"
#include "core/kernels/compiler.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {

bool offers(const EngineEntry& entry, Precision precision) {
    return precision != Precision::kMixed || entry.has(Capability::kMixed);
}

void require_precision(const EngineEntry& entry, Precision precision) {
    if (!offers(entry, precision))
        usage_error(fmt::format("engine '{}' on {} has no mixed precision, only single and double", entry.id,
                                name(entry.backend)));
}

namespace {

/// Joined names of the matching entries: "direct on cpu, half on cpu".
template <class Able>
std::string names_of(const Able& able) {
    std::string names;
    for (const EngineEntry& entry : engines())
        if (able(entry)) names += fmt::format("{}{} on {}", names.empty() ? "" : ", ", entry.id, name(entry.backend));
    return names;
}

}  // namespace

bool computes(const EngineEntry& entry, PairLaw law) {
    return std::ranges::find(entry.pair_laws, law) != entry.pair_laws.end();
}

void require_law(const EngineEntry& entry, Precision precision, PairLaw law) {
    if (law == PairLaw::kGravity) return;
    const std::string_view id = pair_law(law).id;
    if (!computes(entry, law))
        usage_error(fmt::format("engine '{}' on {} does not compute the law {}; these do: {}", entry.id,
                                name(entry.backend), id,
                                names_of([law](const EngineEntry& each) { return computes(each, law); })));
    if (precision == Precision::kMixed)
        usage_error(fmt::format("law {} is computed in single and double precision, not in mixed", id));
}

std::string engines_with_jerk() {
    return names_of([](const EngineEntry& entry) { return entry.has(Capability::kJerk); });
}
std::string engines_with_due() {
    return names_of([](const EngineEntry& entry) {
        return entry.capabilities.has_any({Capability::kJerk, Capability::kDue});
    });
}

std::span<const EngineEntry> engines() {
    // Sorted by id, the CPU first: users look for an engine, then for where it runs.
    static const std::vector<EngineEntry> menu = [] {
        std::vector<EngineEntry> joined;
        for (const EngineEntry& cpu : cpu_engines()) {
            joined.push_back(cpu);
            for (const std::span<const EngineEntry> others : {cuda_engines(), gl_engines()})
                for (const EngineEntry& other : others)
                    if (other.id == cpu.id) joined.push_back(other);
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

bool sums_all_pairs(const EngineConfig& engine, const EngineReport& report) {
    const EngineEntry* entry = find_engine(engine);
    const bool by_cells = report.cells > 0 || engine.engine == "fmm" || (entry && entry->has_tree());
    return !by_cells && (!entry || entry->law == Law::kPairs);
}

std::string unavailable(const EngineEntry& entry) {
    std::string why = entry.backend == Backend::kCpu    ? std::string{}
                      : entry.backend == Backend::kCuda ? cuda_info().reason
                                                        : gl_compute_info().reason;
    const bool compiles = entry.has(Capability::kKernel) && entry.backend == Backend::kCpu;
    return why.empty() && compiles ? why_no_kernel_compiler() : why;
}

const EngineEntry& any_engine(std::string_view id) { return find_in_menu(engines(), "engine", id); }

const EngineEntry& engine(std::string_view id, Backend backend) {
    any_engine(id);
    if (const EngineEntry* entry = find_engine(id, backend)) {
        if (const std::string why = unavailable(*entry); !why.empty())
            environment_error(fmt::format("engine '{}' cannot run on {}: {}", id, name(backend), why));
        return *entry;
    }
    // A build without CUDA has no CUDA entries.
    if (backend == Backend::kCuda && !cuda_info().available)
        environment_error(fmt::format("engine '{}' cannot run on cuda: {}", id, cuda_info().reason));
    if (backend == Backend::kGl && gl_engines().empty())
        environment_error(fmt::format("engine '{}' cannot run on gl: {}", id, gl_compute_info().reason));
    usage_error(fmt::format("engine '{}' does not exist for {}", id, name(backend)));
}

Backend best_backend() { return cuda_info().available && !cuda_engines().empty() ? Backend::kCuda : Backend::kCpu; }

Backend default_backend(std::string_view engine) {
    const EngineEntry& any = any_engine(engine);
    const Backend best = best_backend();
    if (find_engine(any.id, best) && best != Backend::kCpu) return best;
    if (find_engine(any.id, Backend::kGl) && has_gl_hardware()) return Backend::kGl;
    return find_engine(any.id, best) ? best : any.backend;
}

Law law_of(const EngineConfig& config) { return engine(config.engine, config.backend).law; }

}  // namespace orrery
