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
#include "core/engines/engine.hpp"

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

/// The colour quantity of a frame.
struct Coloring {
    ColorBy by = ColorBy::kSpeed;
    bool forces = false;    ///< there has been an evaluation, under Potential::kCompute where `by` needs it
    bool may_reuse = true;  ///< expensive quantities may be slightly older than the frame
};

/// The bodies in one memory space and one precision, with their engine. Hides which space and precision.
class BodySystem {
public:
    virtual ~BodySystem() = default;

    virtual std::size_t count() const = 0;
    /// Applies all of them, in this order, to each body; bitwise identical in one pass or in many.
    virtual void move(std::span<const Move> moves) = 0;
    void drift(double dt) { move_once({Move::Op::kDrift, dt}); }  ///< x += dt·v
    void kick(double dt) { move_once({Move::Op::kKick, dt}); }    ///< v += dt·a

    /// One evaluation of the forces in slices, as Engine says. run_forces() may return before the work is done.
    virtual std::uint64_t begin_forces(const Gravity& gravity, Potential potential) = 0;
    virtual void run_forces(std::uint64_t first, std::uint64_t last) = 0;
    virtual void wait() = 0;  ///< until all requested work is done

    // Whole steps in a queue.
    /// Whether moves and forces are enqueued, so that steps can be requested before earlier ones are complete, and
    /// kStepEnd checks for non-finite bodies. The following members are only for such systems.
    virtual bool queues() const { return false; }
    virtual void begin_checks() {}                                         ///< resets the result
    virtual std::optional<LostBody> first_lost() { return std::nullopt; }  ///< since begin_checks(); waits
    /// Queues, `times` over, an evaluation and moves[0], another one and moves[1], and so on: the work that
    /// begin_forces(), run_forces() and move() queued in this order just before, recorded once as a graph and then
    /// replayed. Returns how often it was replayed; the caller does the rest, which is all of it if recording does not
    /// pay off or the engine does not support it.
    virtual std::uint64_t repeat(const MoveCycle& /*moves*/, const Gravity& /*gravity*/, Potential /*potential*/,
                                 std::uint64_t /*times*/) {
        return 0;
    }

    // For Hermite schemes, see core/bodies/hermite.hpp; they throw unless the engine computes jerks.
    /// Begins an evaluation of acceleration, potential and jerk, of all bodies or of those that are due; then as above.
    virtual std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due);
    virtual void begin_hermite(double dt, double eta);  ///< from the last evaluation of all bodies
    virtual std::size_t predict();                      ///< returns the number of bodies that are due
    virtual bool correct();                             ///< returns whether all have reached the end of the interval
    virtual void abandon_hermite();                     ///< restores the state of begin_hermite()

    /// The work requested between the first two calls is timed where it runs: with events on a device, which exclude
    /// the round trip to the host. clock() waits until it is complete, and returns seconds.
    virtual void start_clock() = 0;
    virtual void hold_clock() = 0;
    virtual double clock() = 0;
    double stop_clock() { return hold_clock(), clock(); }

    virtual Bodies bodies() const = 0;         ///< the state, in double
    virtual const Bodies& labels() const = 0;  ///< only names, species and ids
    virtual std::vector<Vec4d> accelerations()
        const = 0;  ///< of the last complete evaluation; w = potential if computed
    /// Some of them, by index below count(), in the requested order.
    virtual std::vector<BodySample> sample(std::span<const std::uint32_t> which) const = 0;
    virtual Vec3d mass_centre() const = 0;  ///< Σ m x / Σ m, summed in double

    /// The whole state with its accelerations, bit for bit; and back. The accelerations are then those of the state.
    virtual BodyState save() const = 0;
    /// The same for another thread; a device first copies it to its own memory if there is room, and continues.
    virtual std::shared_ptr<const BodyCopy> copy() const { return std::make_shared<HostCopy>(save()); }
    virtual void restore(const BodyState& state) = 0;  ///< with the same number of bodies
    /// Tells the engine that it computed these accelerations under `gravity`, see Engine::recall(); and its memory().
    virtual void recall(const Gravity& gravity, std::uint64_t memory) = 0;
    virtual std::uint64_t engine_memory() const = 0;

    /// Against the force law of the engine. For triplets, with fewer samples than requested if they cost too much.
    virtual ForceError force_error(const Gravity& gravity, std::size_t samples) const = 0;
    /// Acceleration of one body in double by the engine's force law: the reference of force_error().
    virtual Vec3d reference(const Gravity& gravity, std::size_t body) const = 0;

    /// |Σ m·a| / Σ|m·a| over all bodies: the violation of Newton's third law.
    virtual double net_force() const = 0;

    /// Index of a body whose state holds NaN or ∞, if any: the first such position, or else the first such velocity,
    /// since one non-finite body makes the velocities of all others non-finite within a step.
    virtual std::optional<std::size_t> first_not_finite() const = 0;
    /// Fills the vertices (position, scalar) of `frame` and its extent; the frame's buffers are reused.
    virtual void fill(Frame& frame, const Coloring& coloring) const = 0;
    // Forwarded to the engine, see Engine; they wait if necessary.
    virtual std::string engine_choice() const = 0;
    virtual EngineReport engine_report() const = 0;
    virtual std::vector<TreeCell> engine_cells(std::size_t most) const = 0;

private:
    void move_once(const Move& only) { move({&only, 1}); }
};

/// Priority, if several systems share a device.
enum class Urgency {
    kUsual,
    kLow  ///< only what others leave over, as far as the device supports it
};

/// Loads `bodies` into the memory space of `config`. Throws as engine() does, and Error{kEnvironment} with the bytes
/// needed and free if memory does not suffice.
std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies,
                                             Urgency urgency = Urgency::kUsual);

/// Evaluates every acceleration of `bodies` once.
std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential = Potential::kSkip);

}  // namespace orrery
