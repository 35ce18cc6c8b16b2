// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/precision.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_change.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/kept_bodies.hpp"
#include "core/bodies/moves.hpp"
#include "core/engines/config.hpp"
#include "core/engines/report.hpp"
#include "core/physics/block_steps.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"
#include "core/physics/potential.hpp"

namespace orrery {

class Interpolation;  // core/bodies/interpolation.hpp
class Ranks;

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
    Vec3d along{0, 0, 1};   ///< unit vector away from the eye, of kSightLine
};

/// Where a system keeps its bodies, for those who look at them in place: Vec4 of the precision (kSingle or kDouble), on
/// the host or on the device. They lie there as long as the system lives, or until it has another number of bodies, see
/// EditPower; and change when it is called.
struct BodyColumns {
    Backend backend;
    Precision precision;
    std::size_t count;
    const void* position_mass;  ///< w = mass
    const void* velocity;       ///< w: the system's own
    const void* acceleration;   ///< of the last evaluation, as far as it has come; w = potential if computed
};

/// Where predict() has brought the bodies.
struct DueBodies {
    std::size_t count;  ///< that are due
    bool at_end;        ///< all have reached the end of the interval
    int finest;         ///< the level of the shortest step
};

/// Steps within which bodies are due at times of their own, see core/bodies/hermite.hpp and block_leapfrog.hpp: of
/// systems whose engine computes jerks, or evaluates those that are due.
class StepPower {
public:
    /// Begins an evaluation of acceleration, potential and jerk of all bodies, or of those that are due; then as
    /// BodySystem::begin_forces(). Throws std::logic_error where the engine computes no jerks.
    virtual std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) = 0;
    /// The same without jerks, of those that are due; the others keep their accelerations.
    virtual std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) = 0;
    virtual void begin_steps(const StepRule& rule) = 0;  ///< from the last evaluation of all bodies
    virtual DueBodies predict() = 0;                     ///< to the next time at which some are due
    virtual void correct() = 0;                          ///< these, with their new forces
    virtual void abandon_steps() = 0;                    ///< restores positions and velocities of begin_steps()
    /// Number of bodies with steps of dt, dt/2, dt/4 and so on, as they stand.
    virtual std::vector<std::size_t> ladder() const = 0;

protected:
    ~StepPower() = default;
};

/// Of systems that queue moves and forces, so that steps can be requested before those before them are done; kStepEnd
/// then looks for bodies that are lost.
class QueuePower {
public:
    virtual void begin_checks() = 0;                   ///< resets the result
    virtual std::optional<LostBody> first_lost() = 0;  ///< since begin_checks(); waits
    /// Queues, `times` over, an evaluation and moves[0], another one and moves[1], and so on: the work that
    /// begin_forces(), run_forces() and move() queued in this order just before, recorded once as a graph and then
    /// replayed. Returns how often it was replayed; the caller does the rest, which is all of it if recording does not
    /// pay off or the engine does not support it.
    virtual std::uint64_t repeat(const MoveCycle& moves, const Gravity& gravity, Potential potential,
                                 std::uint64_t times) = 0;

protected:
    ~QueuePower() = default;
};

/// Of systems whose bodies can be changed where they lie, without another system. Not within a step.
class EditPower {
public:
    virtual void change(const BodyChange& change) = 0;  ///< by Error{kEnvironment} alone refused, and then not begun
    virtual KeptBodies keep(KeptBodies old) const = 0;  ///< in the memory of `old`, where it fits
    /// Those bodies in place of its own, of which there may be others; of the precision of its state.
    virtual void put_back(const KeptBodies& bodies) = 0;
    /// After both: what comes has the bits that a system has which was made of these bodies. Memory is kept.
    virtual void begin_anew() = 0;

protected:
    ~EditPower() = default;
};

/// Of systems that find where bodies are between two snapshots in the memory where they lie.
class InterpolationPower {
public:
    /// As restore() of way.at(time, precision of the state).
    virtual void show(const Interpolation& way, double time) = 0;

protected:
    ~InterpolationPower() = default;
};

/// Times work where it runs: with events on a device, which exclude the round trip to the host.
class Stopwatch {
public:
    virtual void start() = 0;
    virtual void hold() = 0;
    virtual double seconds() = 0;  ///< between the two; waits until the work between them is complete
    double stop() { return hold(), seconds(); }

protected:
    ~Stopwatch() = default;
};

/// The bodies in one memory space and one precision, with their engine. Hides which space and precision, and in which
/// processes. What another one must have is the state, kicks and drifts, forces and frames; what is measured of them
/// has a generic default, from the state brought to the host.
class BodySystem {
public:
    BodySystem() = default;
    BodySystem(const BodySystem&) = delete;
    BodySystem& operator=(const BodySystem&) = delete;
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
    virtual Stopwatch& clock() = 0;

    // Null where a system lacks the power.
    virtual StepPower* steps() { return nullptr; }
    virtual QueuePower* step_queue() { return nullptr; }
    virtual EditPower* edits() { return nullptr; }
    virtual InterpolationPower* interpolation() { return nullptr; }
    virtual std::optional<BodyColumns> columns() const { return std::nullopt; }
    /// Those on the host, without accelerations: in place, or a copy of a device's that the next call overwrites.
    virtual std::optional<BodyColumns> host_columns() const { return std::nullopt; }

    virtual Bodies bodies() const = 0;         ///< the state, in double
    virtual const Bodies& labels() const = 0;  ///< only names, species and ids
    /// Of the last complete evaluation; w = potential if computed.
    virtual std::vector<Vec4d> accelerations() const = 0;
    /// Some of them, by index below count(), in the requested order.
    virtual std::vector<BodySample> sample(std::span<const std::uint32_t> which) const = 0;

    /// The whole state with its accelerations, bit for bit; and back. The accelerations are then those of the state.
    virtual BodyState save() const = 0;
    /// The same for another thread; a device first copies it to its own memory if there is room, and continues.
    virtual std::shared_ptr<const BodyCopy> copy() const { return std::make_shared<HostCopy>(save()); }
    virtual void restore(const BodyState& state) = 0;  ///< with the same number of bodies
    /// Sets places and velocities of some, by index; masses and accelerations stay.
    virtual void place(std::span<const std::uint32_t> which, std::span<const BodySample> rows);
    // See HistoryPower; nothing and 0 for engines without a history.
    virtual void restore_history(const Gravity& gravity, std::uint64_t key) = 0;
    virtual std::uint64_t history_key() const = 0;
    // See AcceptancePower; 0 and nothing for engines that do not approximate.
    virtual double accuracy_to_keep() const { return 0; }
    virtual void scale_acceptance(double) {}

    /// Fills the vertices (position, scalar) of `frame` and its extent; the frame's buffers are reused.
    virtual void fill(Frame& frame, const Coloring& coloring) const = 0;

    // Measurements.
    /// Against the force law of the engine. For triplets, with fewer samples than requested if they cost too much.
    virtual ForceError force_error(const Gravity& gravity, std::size_t samples) const;
    /// Accelerations of some bodies in double by the engine's force law, in the requested order: the reference of
    /// force_error().
    virtual std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const;
    /// Those that heavy_from() calls heavy, the heaviest first.
    virtual std::vector<std::uint32_t> heavy_bodies() const;
    Vec3d reference(const Gravity& gravity, std::size_t body) const {
        const auto which = static_cast<std::uint32_t>(body);
        return xyz(references(gravity, {&which, 1}).front());
    }
    virtual Vec3d mass_centre() const;  ///< Σ m x / Σ m, summed in double
    /// |Σ m·a| / Σ|m·a| over all bodies: the violation of Newton's third law.
    virtual double net_force() const;
    /// Index of a body whose state holds NaN or ∞, if any: the first such position, else the first such velocity, since
    /// one non-finite body makes the velocities of all others non-finite within a step.
    virtual std::optional<std::size_t> first_not_finite() const;

    virtual Law law() const = 0;
    /// Whether other ranks do a part of each evaluation, see Engine::share().
    virtual bool shared() const { return false; }

    // Of the engine, see Engine; they wait if necessary.
    virtual std::string engine_choice() const = 0;
    virtual EngineReport engine_report() const = 0;
    virtual std::vector<TreeCell> engine_cells(std::size_t most) const = 0;  ///< empty for engines without a tree

protected:
    /// force_error() of that many bodies, or fewer, so that the reference takes at most so many interactions.
    ForceError force_error_within(double interactions, const Gravity& gravity, std::size_t samples) const;

private:
    void move_once(const Move& only) { move({&only, 1}); }
};

/// Throws std::logic_error of a system whose engine can neither.
StepPower& with_steps(BodySystem& system);

/// Priority, if several systems share a device.
enum class Urgency {
    kUsual,
    kLow  ///< only what others leave over, as far as the device supports it
};

/// Loads `bodies` into the memory space of `config`. Throws as engine() does, and Error{kEnvironment} with the bytes
/// needed and free if memory does not suffice.
/// With `ranks` its evaluations are shared with theirs, as Engine::share() says; every rank has all bodies. All of them
/// make the same, and then the same calls; or the first alone does, while they follow it, see led_system.hpp.
std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies,
                                             Urgency urgency = Urgency::kUsual, Ranks* ranks = nullptr);

/// Throws Error{kUsage} naming the first body with a number that becomes infinite in the precision of a state: `rows`
/// has their indices, and is empty of all bodies there are.
void require_fit(const Bodies& bodies, Precision precision, std::span<const std::uint32_t> rows = {});

/// Evaluates every acceleration of `bodies` once. `ranks` as in make_body_system().
std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential = Potential::kSkip, Ranks* ranks = nullptr);

}  // namespace orrery
