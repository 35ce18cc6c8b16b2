// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/moves.hpp"
#include "core/engines/config.hpp"
#include "core/engines/report.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/potential.hpp"

namespace orrery {

/// Error of accelerations against the double-precision reference, over sampled bodies.
struct ForceError {
    double rms = 0;     ///< √(Σ|a − r|² / Σ|r|²)
    double median = 0;  ///< of |a − r| / |r| per body, as the next two
    double p99 = 0;
    double max = 0;
    std::size_t samples = 0;
};

/// One body, in double.
struct BodySample {
    Vec4d position_mass;  ///< w = mass
    Vec3d velocity, acceleration;
};

/// What a frame is coloured by.
struct Coloring {
    ColorBy by = ColorBy::kSpeed;
    bool forces = false;    ///< there has been an evaluation, under Potential::kCompute where `by` needs it
    bool may_reuse = true;  ///< what takes long may be a little older than the frame
};

/// The bodies in one memory space and one precision, with the engine that pulls them. Hides which.
class BodySystem {
public:
    virtual ~BodySystem() = default;

    virtual std::size_t count() const = 0;
    /// All of them, in this order, to each body: the same bits in one pass or in many.
    virtual void move(std::span<const Move> moves) = 0;
    void drift(double dt) { move_once({Move::Op::kDrift, dt}); }  ///< x += dt·v
    void kick(double dt) { move_once({Move::Op::kKick, dt}); }    ///< v += dt·a

    /// One evaluation of the forces in slices, as Engine says. run_forces() may return before the work is done.
    virtual std::uint64_t begin_forces(const Gravity& gravity, Potential potential) = 0;
    virtual void run_forces(std::uint64_t first, std::uint64_t last) = 0;
    virtual void wait() = 0;  ///< until all that was asked for is done

    // Whole steps in a queue.
    /// Moves and forces are queued, so that steps can be asked for before those before them are done, and kStepEnd
    /// looks for bodies that are lost. The rest is only for systems of which this is true.
    virtual bool queues() const { return false; }
    virtual void begin_checks() {}                                         ///< forgets what was found
    virtual std::optional<LostBody> first_lost() { return std::nullopt; }  ///< since begin_checks(); waits
    /// Queues, `times` over, an evaluation and moves[0], another one and moves[1], and so on: what begin_forces(),
    /// run_forces() and move() queued in this order just before, recorded once and then played. Returns how often; the
    /// caller does the rest, which is all where it is not worth a recording or the engine cannot be recorded.
    virtual std::uint64_t repeat(const MoveCycle& /*moves*/, const Gravity& /*gravity*/, Potential /*potential*/,
                                 std::uint64_t /*times*/) {
        return 0;
    }

    // Of Hermite's scheme, see core/bodies/hermite.hpp; only where the engine gives jerks, else they throw.
    /// Begins an evaluation of acceleration, potential and jerk: of all, or of those that are due; then as above.
    virtual std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due);
    virtual void begin_hermite(double dt, double eta);  ///< from where the last evaluation of all was
    virtual std::size_t predict();                      ///< returns how many are due
    virtual bool correct();                             ///< returns whether all have arrived
    virtual void abandon_hermite();                     ///< all is as it was at begin_hermite()

    /// What is asked for between the first two calls is timed where it runs: by events on a device, which leaves out
    /// the way there and back. clock() waits until it is done, and returns seconds.
    virtual void start_clock() = 0;
    virtual void hold_clock() = 0;
    virtual double clock() = 0;
    double stop_clock() { return hold_clock(), clock(); }

    virtual Bodies bodies() const = 0;                     ///< the state, in double
    virtual const Bodies& labels() const = 0;              ///< names, species and ids alone
    virtual std::vector<Vec4d> accelerations() const = 0;  ///< of the last whole evaluation; w = potential if computed
    /// Some of them, by index below count(), in the order asked for.
    virtual std::vector<BodySample> sample(std::span<const std::uint32_t> which) const = 0;
    virtual Vec3d mass_centre() const = 0;  ///< Σ m x / Σ m, summed in double

    /// All of the state with its accelerations, to the bit; and back. The accelerations are then those of the state.
    virtual BodyState save() const = 0;
    /// The same for another thread; a device keeps it first where it has room, and goes on.
    virtual std::shared_ptr<const BodyCopy> copy() const { return std::make_shared<HostCopy>(save()); }
    virtual void restore(const BodyState& state) = 0;  ///< of as many bodies
    // As HistoryPower says; nothing and 0 for engines without a history.
    virtual void restore_history(const Gravity& gravity, std::uint64_t key) = 0;
    virtual std::uint64_t history_key() const = 0;

    /// Against the law that the engine computes. Of triplets, fewer samples than asked for where they cost too much.
    virtual ForceError force_error(const Gravity& gravity, std::size_t samples) const = 0;
    /// Acceleration of one body in double, by the law that the engine computes: what force_error() compares with.
    virtual Vec3d reference(const Gravity& gravity, std::size_t body) const = 0;

    /// |Σ m·a| / Σ|m·a| over all bodies: what is left of Newton's third law.
    virtual double net_force() const = 0;

    /// Index of a body whose state holds NaN or ∞, if any: the first such position, else the first such velocity, since
    /// one lost body spoils the velocities of all others within a step.
    virtual std::optional<std::size_t> first_not_finite() const = 0;
    /// Fills the vertices (position, scalar) of `frame` and its extent; the frame's buffers are reused.
    virtual void fill(Frame& frame, const Coloring& coloring) const = 0;
    // Of the engine, as Engine says; they wait where need be.
    virtual std::string engine_choice() const = 0;
    virtual EngineReport engine_report() const = 0;
    virtual std::vector<TreeCell> engine_cells(std::size_t most) const = 0;

private:
    void move_once(const Move& only) { move({&only, 1}); }
};

/// What comes first where several systems share a device.
enum class Urgency {
    kUsual,
    kLow  ///< only what others leave, as far as the device can tell
};

/// Puts `bodies` where `config` says. Throws as engine() does, and Error{kEnvironment} when memory does not suffice,
/// saying how many bytes are needed and free.
std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies,
                                             Urgency urgency = Urgency::kUsual);

/// Evaluates every acceleration of `bodies` once.
std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential = Potential::kSkip);

}  // namespace orrery
