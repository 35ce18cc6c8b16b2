// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/views.hpp"
#include "core/physics/law.hpp"

namespace orrery {

/// kCompute: also the potential of a body, of which its acceleration is the negative gradient, into acceleration.w:
/// with gravity φ_i = -G Σ_{j≠i} m_j / √(r² + ε²); with Axilrod–Teller the sum over its triplets of their energies over
/// m_i.
enum class Potential { kSkip, kCompute };

/// A part of an evaluation: "sort", "build", "walk".
struct Phase {
    std::string_view name;
    double seconds;
};

/// What an engine measured of its last whole evaluation, beyond its time. Zero and empty where it has no such thing.
struct EngineReport {
    std::vector<Phase> phases;                        ///< in order
    double with_bodies = 0, with_cells = 0;           ///< interactions of a body on average
    std::uint64_t cells = 0, leaves = 0, groups = 0;  ///< of the tree; leaves are counted among the cells
    int levels = 0;
    int tile_side = 0;           ///< ρ of engines that walk a thread map: bodies on a side of a tile
    std::string_view map, root;  ///< ids of that map, and of its root where it takes one
};

/// A cell of a tree, for pictures.
struct TreeCell {
    Vec3f low, high;  ///< corners of the cube
    int level;        ///< 0: the root
    std::uint32_t bodies;
    bool leaf;
};

/// What a body's place in a tree is, as a number.
enum class Mark {
    kLeaf,   ///< one number for all bodies of a leaf, and another for each leaf; the same on every run
    kLevel,  ///< of the leaf; 0: the root
};

/// Turns positions and masses into accelerations. That is all an engine does.
///
/// One evaluation is a linear range of work items, so that a caller can stop between any two of them: begin(), then
/// run() over consecutive intervals of [0, items). Abandoning an evaluation needs no call. The result does not depend
/// on how the range was cut, nor on the number of threads: same bits.
template <class Space, class Real>
class Engine {
public:
    virtual ~Engine() = default;
    /// Prepares an evaluation of `bodies`, which must stay where they are until its end. Returns the number of items.
    virtual std::uint64_t begin(BodyView<Space, Real> bodies, const Gravity& gravity, Potential potential,
                                Queue<Space> queue) = 0;
    /// The same of acceleration, with potential, and jerk, of some bodies in the pull of all. Only engines whose entry
    /// says so have it; of the others it throws.
    virtual std::uint64_t begin_with_jerk(BodyView<Space, Real> /*bodies*/, JerkView<Space, Real> /*motion*/,
                                          const Gravity& /*gravity*/, Queue<Space> /*queue*/) {
        throw std::logic_error{"this engine gives no jerk"};
    }
    /// Works on items [first, last). After the last item every acceleration is written. A device engine only enqueues:
    /// who queued the work waits for it.
    virtual void run(std::uint64_t first, std::uint64_t last, Queue<Space> queue) = 0;
    /// After a whole evaluation: another one of as many bodies in the same memory, under the same gravity and
    /// potential, enqueues the same work with the same arguments and does nothing else, so that it may be recorded once
    /// and played without begin() and run(). Not where the host must learn something of it on the way.
    virtual bool replays() const { return false; }
    /// The accelerations that `bodies` holds are of an evaluation that such an engine made under `gravity`: what it
    /// remembers of an evaluation is had from them, and from what its memory() was, so that the next one gives the same
    /// bits as if it had been its own.
    virtual void recall(BodyView<Space, Real> /*bodies*/, const Gravity& /*gravity*/, std::uint64_t /*memory*/,
                        Queue<Space> /*queue*/) {}
    /// What the bits of the next evaluation depend on besides; 0: nothing. When nothing is under way.
    virtual std::uint64_t memory() const { return 0; }
    /// What the engine chose by itself for this N, for people: "p=256 u=4 q=1 k=4, 12 column splits". May be empty.
    virtual std::string choice() const { return {}; }
    /// Of the last whole evaluation, when nothing is under way. A device engine waits for its own events.
    virtual EngineReport report() const { return {}; }
    /// Cells of the last evaluation from the root downward, whole levels, as many levels as `most` cells hold; empty
    /// for engines without a tree. When nothing is under way.
    virtual std::vector<TreeCell> cells(std::size_t /*most*/) const { return {}; }
    /// Writes the mark of each body, in the order of bodies, as the last evaluation left it; a device engine enqueues.
    /// False, and nothing is written: there is no tree, or none yet. When nothing is under way.
    virtual bool marks(Mark /*mark*/, float* /*out*/, Queue<Space> /*queue*/) const { return false; }
};

using AnyEngine = std::variant<std::unique_ptr<Engine<Host, float>>, std::unique_ptr<Engine<Host, double>>,
                               std::unique_ptr<Engine<Device, float>>, std::unique_ptr<Engine<Device, double>>>;

enum class Backend { kCpu, kCuda };
/// kMixed: state in double, differences of positions as exact as their float result can hold, arithmetic in float.
enum class Precision { kSingle, kMixed, kDouble };
std::string_view name(Backend backend);            ///< "cpu", "cuda"
std::string_view name(Precision precision);        ///< "single", "mixed", "double"
std::string_view doc(Precision precision);         ///< a sentence for people
Backend parse_backend(std::string_view text);      ///< throws Error{kUsage} with the choices
Precision parse_precision(std::string_view text);  ///< likewise

/// Knobs of the tiled kernel (GPU Gems 3, ch. 31; p, q of its section 31.4, u its unrolling). 0: the engine chooses by
/// N.
struct TileConfig {
    int p = 0;  ///< threads of a block along the rows, and bodies of a shared-memory tile: 32 … 1024, a multiple of 32
    int u = 0;  ///< unrolling of the inner loop: 1, 2, 4, 8, 16, 32
    int q = 0;  ///< threads per body: 1, 2, 4, 8, with p·q ≤ 1024
    int k = 0;  ///< bodies per thread, held in registers: 1, 2, 4, 8
    friend bool operator==(const TileConfig&, const TileConfig&) = default;
};

/// Knobs of the tree (Barnes & Hut 1986). 0: the engine chooses.
///
/// A cell is opened by one of two rules. By relative force error, the default: a group of bodies takes a cell whole
/// when its multipole error M·l²/d⁴ (monopole; M·l³/d⁵ quadrupole) stays below α times the smallest acceleration in the
/// group at the evaluation before. By geometry, when θ > 0: when l/d + the offset of its centre of mass stays below θ.
struct TreeConfig {
    double accuracy = 0;  ///< relative RMS error of the forces wanted, which chooses α; 0: 1e-3, unless α or θ is given
    double alpha = 0;     ///< α of the relative rule; 0: from `accuracy`
    double theta = 0;     ///< opening angle θ of the geometric rule; 0: the relative rule
    int order = 0;        ///< 1: monopoles, 2: quadrupoles
    int leaf = 0;         ///< most bodies of a leaf: 8, 16, 32, 64
    int group = 0;        ///< most bodies that share a walk: 8 … 128, a multiple of 8; what an engine offers differs
    friend bool operator==(const TreeConfig&, const TreeConfig&) = default;
};

/// Which engine, and how. A value: what the panel edits, the command line fills and a session file records.
struct EngineConfig {
    std::string engine = "direct";
    Backend backend = Backend::kCpu;
    Precision precision = Precision::kSingle;
    TileConfig tile;
    std::string map = "lambda", root = "sqrt";  ///< of engines that walk the half matrix; see core/maps/maps.hpp
    std::string map3 = "lambda3";               ///< of engines that walk triples of tiles; see core/maps/maps3.hpp
    int rows = 0;                               ///< bodies on a side of their tile, ρ; 0: the engine chooses by N
    bool equal_masses = true;    ///< `half`: save two multiplications where the masses of tiles are equal
    bool deterministic = false;  ///< same bits on every run, from engines that else add in any order; slower
    TreeConfig tree;
    int threads = 0;           ///< of CPU engines; 0: all cores
    bool compensated = false;  ///< places and velocities keep what rounding takes from their sums; on the CPU alone
    bool background = false;   ///< CPU threads give way to everything else, so that a window stays smooth
    friend bool operator==(const EngineConfig&, const EngineConfig&) = default;
};

/// A line of the engine menu: one per engine and backend. The command line, the panel, `orrery list`, the docs and the
/// tests all read it.
struct EngineEntry {
    std::string_view id, label, doc;
    Backend backend;
    double tolerance_single, tolerance_double;  ///< relative RMS error of the accelerations that checks accept
    std::uint64_t max_bodies;                   ///< beyond it nobody would wait; checks and panels keep below
    Law law = Law::kGravity;                    ///< what it computes; others are no measure for it
    /// Ids in engine_settings() of what only some engines have; sets of them are in core/engines/knobs.hpp.
    std::vector<std::string_view> knobs = {};
    bool same_bits = true;  ///< the result does not depend on how the work was cut, nor on chance
    bool jerk = false;      ///< has begin_with_jerk(), which integrators of Hermite's kind need
    bool mixed = false;     ///< offers Precision::kMixed
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

/// In the order of cost.
std::span<const Precision> precisions();
bool offers(const EngineEntry& entry, Precision precision);
/// Names of those that give jerks, for people: "direct on cpu, half on cpu".
std::string engines_with_jerk();
/// Throws Error{kUsage} where the engine does not offer it.
void require_precision(const EngineEntry& entry, Precision precision);
/// In which positions, velocities and accelerations are kept.
constexpr Precision of_state(Precision precision) {
    return precision == Precision::kSingle ? Precision::kSingle : Precision::kDouble;
}

/// All engines this binary was built with, in menu order.
std::span<const EngineEntry> engines();
/// Empty when the entry can run here, else the reason, for people: "no CUDA driver".
std::string unavailable(const EngineEntry& entry);
/// Throws Error{kUsage} for an id that no entry has (listing the menu) or that lacks this backend,
/// Error{kEnvironment} with the reason when it cannot run here.
const EngineEntry& engine(std::string_view id, Backend backend);
/// CUDA where it can run, else the CPU.
Backend best_backend();
/// What this engine computes; throws as engine() does.
Law law_of(const EngineConfig& config);

/// Runs one whole evaluation on the host.
template <class Real>
void accelerate(Engine<Host, Real>& engine, BodyView<Host, Real> bodies, const Gravity& gravity,
                Potential potential = Potential::kSkip) {
    const std::uint64_t items = engine.begin(bodies, gravity, potential, {});
    engine.run(0, items, {});
}

}  // namespace orrery
