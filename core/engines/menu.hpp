// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/engines/config.hpp"
#include "core/physics/law.hpp"

namespace orrery {

struct Host;
struct Device;
struct Gl;
struct EngineReport;
template <class Space, class Real>
class Engine;

/// An engine in any memory space and precision. Code that dereferences it must include core/engines/engine.hpp.
using AnyEngine = std::variant<std::unique_ptr<Engine<Host, float>>, std::unique_ptr<Engine<Host, double>>,
                               std::unique_ptr<Engine<Device, float>>, std::unique_ptr<Engine<Device, double>>,
                               std::unique_ptr<Engine<Gl, float>>, std::unique_ptr<Engine<Gl, double>>>;

/// Capabilities that only some engines have.
enum class Capability : unsigned {
    kTileShape,          ///< EngineConfig::tile sets the shape of its tiles
    kPairMap,            ///< a thread map assigns the tiles of the half matrix
    kTripleMap,          ///< a thread map assigns triples of tiles
    kStrips,             ///< EngineConfig::strip tiles per block after one evaluation of the map
    kTree,               ///< a tree whose cells are opened by an angle θ
    kAccuracy,           ///< … or by an accuracy or α, with expansions of a chosen order and leaves of a chosen size
    kGroups,             ///< groups of a chosen size share a walk of the tree
    kCutoff,             ///< … or beyond a distance
    kDeterministicMode,  ///< EngineConfig::deterministic makes its results bitwise reproducible
    kJerk,               ///< begin_with_jerk(), which Hermite integrators need
    kDue,                ///< begin_due(), which block steps need if there are no jerks
    kMixed,              ///< Precision::kMixed
    kKernel              ///< EngineConfig::kernel is its force
};

/// A set of capabilities.
class Capabilities {
public:
    constexpr Capabilities() = default;
    constexpr explicit Capabilities(unsigned bits) : bits_{bits} {}
    constexpr Capabilities(std::initializer_list<Capability> all) {
        for (const Capability one : all) bits_ |= bit(one);
    }
    constexpr bool has(Capability one) const { return (bits_ & bit(one)) != 0; }
    constexpr bool has_any(Capabilities some) const { return (bits_ & some.bits_) != 0; }
    constexpr void add(Capability one) { bits_ |= bit(one); }
    constexpr unsigned bits() const { return bits_; }

private:
    static constexpr unsigned bit(Capability one) { return 1u << static_cast<unsigned>(one); }
    unsigned bits_ = 0;
};

/// A line of the engine menu: one for each engine and backend. The command line, the panel, `orrery list`, the docs and
/// the tests read it.
struct EngineEntry {
    std::string_view id, label, doc;
    Backend backend;
    double tolerance_single, tolerance_double;  ///< relative RMS error of the accelerations that checks accept
    std::uint64_t max_bodies;                   ///< practical limit on N; checks and panels do not exceed it
    Law law = Law::kPairs;                      ///< force law; only engines with the same law can be compared
    std::vector<PairLaw> pair_laws = {PairLaw::kGravity};  ///< for engines of pairs; in mixed precision only gravity
    Capabilities capabilities = {};
    bool same_bits = true;  ///< the result does not depend on how the work was cut, nor on timing
    /// Rescales lengths and masses internally, or computes in double: a scene's units need not suit the precision, only
    /// its accelerations and potentials.
    bool own_units = false;
    AnyEngine (*make)(const EngineConfig&);
    /// Replaces the two tolerances for engines whose error is set by the user.
    double (*own_tolerance)(const EngineConfig&) = nullptr;

    double tolerance(const EngineConfig& config) const {
        if (own_tolerance) return own_tolerance(config);
        return config.precision == Precision::kDouble ? tolerance_double : tolerance_single;
    }
    bool has(Capability one) const { return capabilities.has(one); }
    bool has_tiles() const { return has(Capability::kTileShape); }
    bool walks_pairs() const { return has(Capability::kPairMap); }
    bool walks_triples() const { return has(Capability::kTripleMap); }
    bool has_tree() const { return has(Capability::kTree); }
    bool opens_by_theta_alone() const { return has_tree() && !has(Capability::kAccuracy); }
    bool has_deterministic_mode() const { return has(Capability::kDeterministicMode); }
    bool repeats(const EngineConfig& config) const {
        return same_bits || (has_deterministic_mode() && config.deterministic);
    }
};

bool offers(const EngineEntry& entry, Precision precision);
bool computes(const EngineEntry& entry, PairLaw law);
/// Throws Error{kUsage}, naming the engines that can, if this one does not compute the law in this precision.
void require_law(const EngineEntry& entry, Precision precision, PairLaw law);
/// Names of the engines that compute jerks, and of those that evaluate a subset of the bodies, for messages: "direct on
/// cpu, half on cpu".
std::string engines_with_jerk();
std::string engines_with_due();
/// Throws Error{kUsage} if the engine does not offer the precision.
void require_precision(const EngineEntry& entry, Precision precision);

/// All engines this binary was built with, in menu order.
std::span<const EngineEntry> engines();
/// The entry of this engine on this backend, whether or not it can run here; null if there is none.
const EngineEntry* find_engine(std::string_view id, Backend backend);
inline const EngineEntry* find_engine(const EngineConfig& config) { return find_engine(config.engine, config.backend); }
/// True if this report's engine summed all pairs, so that N² over its time is a rate of pairs.
bool sums_all_pairs(const EngineConfig& engine, const EngineReport& report);
/// Empty if the entry can run here, otherwise the reason, for display: "no CUDA driver".
std::string unavailable(const EngineEntry& entry);
/// Throws Error{kUsage} for an unknown id (listing the menu) or one without this backend, Error{kEnvironment} with the
/// reason if it cannot run here.
const EngineEntry& engine(std::string_view id, Backend backend);
/// CUDA if it can run here, otherwise the CPU: these have every engine.
Backend best_backend();
/// The force law of this engine; throws as engine() does.
Law law_of(const EngineConfig& config);
/// The first entry with this id. Throws Error{kUsage} for an unknown id (listing the menu).
const EngineEntry& any_engine(std::string_view id);
/// The best backend of this engine that can run here: CUDA, then OpenGL on hardware, then the CPU. Software OpenGL must
/// be requested. Throws as any_engine() does.
Backend default_backend(std::string_view engine);

}  // namespace orrery
