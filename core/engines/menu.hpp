// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engines/any_engine.hpp"
#include "core/engines/config.hpp"
#include "core/physics/law.hpp"

namespace orrery {

/// A line of the engine menu: one per engine and backend. The command line, the panel, `orrery list`, the docs and the
/// tests all read it.
struct EngineEntry {
    std::string_view id, label, doc;
    Backend backend;
    double tolerance_single, tolerance_double;  ///< relative RMS error of the accelerations that checks accept
    std::uint64_t max_bodies;                   ///< beyond it nobody would wait; checks and panels keep below
    Law law = Law::kPairs;                      ///< what it computes; others are no measure for it
    std::vector<PairLaw> pair_laws = {
        PairLaw::kGravity};  ///< of engines of pairs; all but gravity not in mixed precision
    /// Ids in engine_settings() of what only some engines have; sets of them are in core/engines/knobs.hpp.
    std::vector<std::string_view> knobs = {};
    bool same_bits = true;  ///< the result does not depend on how the work was cut, nor on chance
    bool jerk = false;      ///< has begin_with_jerk(), which integrators of Hermite's kind need
    bool due = false;       ///< has begin_due(), which block steps need where there are no jerks
    bool mixed = false;     ///< offers Precision::kMixed
    /// Scales lengths and masses before it computes, or computes in double: a scene's units need not suit a precision,
    /// only its accelerations and potentials.
    bool own_units = false;
    AnyEngine (*make)(const EngineConfig&);
    /// Of an engine whose error is its user's choice, in place of the two numbers.
    double (*own_tolerance)(const EngineConfig&) = nullptr;

    double tolerance(const EngineConfig& config) const {
        if (own_tolerance) return own_tolerance(config);
        return config.precision == Precision::kDouble ? tolerance_double : tolerance_single;
    }
    bool reads(std::string_view setting) const {
        for (const std::string_view knob : knobs)
            if (knob == setting) return true;
        return false;
    }
    bool has_tiles() const { return reads("tile_p"); }
    bool walks_pairs() const { return reads("map"); }
    bool walks_triples() const { return reads("map3"); }
    bool has_tree() const { return reads("theta"); }
    bool opens_by_theta_alone() const { return has_tree() && !reads("accuracy"); }
    /// Has the same bits on every run under EngineConfig::deterministic, where it has not anyway.
    bool has_deterministic_mode() const { return reads("deterministic"); }
    bool repeats(const EngineConfig& config) const {
        return same_bits || (has_deterministic_mode() && config.deterministic);
    }
};

bool offers(const EngineEntry& entry, Precision precision);
bool computes(const EngineEntry& entry, PairLaw law);
/// Throws Error{kUsage} that names the engines which do where this one does not compute the law in this precision.
void require_law(const EngineEntry& entry, Precision precision, PairLaw law);
/// Names of those that give jerks, or else those that evaluate some bodies alone, for users: "direct on cpu, half on
/// cpu".
std::string engines_with_jerk();
std::string engines_with_due();
/// Throws Error{kUsage} where the engine does not offer it.
void require_precision(const EngineEntry& entry, Precision precision);

/// All engines this binary was built with, in menu order.
std::span<const EngineEntry> engines();
/// The entry of this engine on this backend, whether or not it can run here; null: there is none.
const EngineEntry* find_engine(std::string_view id, Backend backend);
inline const EngineEntry* find_engine(const EngineConfig& config) { return find_engine(config.engine, config.backend); }
/// Empty when the entry can run here, else the reason, for people: "no CUDA driver".
std::string unavailable(const EngineEntry& entry);
/// Throws Error{kUsage} for an id that no entry has (listing the menu) or that lacks this backend,
/// Error{kEnvironment} with the reason when it cannot run here.
const EngineEntry& engine(std::string_view id, Backend backend);
/// CUDA where it can run, else the CPU.
Backend best_backend();
/// What this engine computes; throws as engine() does.
Law law_of(const EngineConfig& config);
/// The first entry with this id. Throws Error{kUsage} for an id that no entry has (listing the menu).
const EngineEntry& any_engine(std::string_view id);
/// The best that this engine has here. Throws as any_engine() does.
Backend default_backend(std::string_view engine);

}  // namespace orrery
