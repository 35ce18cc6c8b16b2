// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/backend.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_change.hpp"
#include "core/bodies/body_state.hpp"
#include "core/bodies/frame.hpp"
#include "core/engines/config.hpp"
#include "core/engines/report.hpp"
#include "core/physics/block_steps.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"

namespace orrery {

/// Operations on each body between two force evaluations.
struct Move {
    enum class Op {
        kKick,    ///< v += dt·a
        kDrift,   ///< x += dt·v
        kStepEnd  ///< end of a step: if many steps are queued, the state is checked for non-finite values
    } op;
    double dt = 0;
    friend bool operator==(const Move&, const Move&) = default;
};

/// The moves after each of several consecutive evaluations.
using MoveCycle = std::vector<std::vector<Move>>;

/// The first body that became non-finite.
struct LostBody {
    std::uint64_t ends = 0;  ///< number of completed steps before the one that lost it
    std::size_t body = 0;
};

struct BodyErrors;    // core/bodies/body_errors.hpp
class Interpolation;  // core/bodies/interpolation.hpp
class Ranks;

/// Error of accelerations against the double-precision reference, over sampled bodies.
struct ForceError {
    double rms = 0;     ///< √(Σ|a − r|² / Σ|r|²)
    double median = 0;  ///< of |a − r| / |r| per body, as p99 and max
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
    bool forces = false;    ///< forces are available, with potentials (Potential::kCompute) if `by` needs them
    bool may_reuse = true;  ///< expensive quantities may be slightly older than the frame
    Vec3d along{0, 0, 1};   ///< unit vector away from the eye, for kSightLine
    std::shared_ptr<const BodyErrors> errors = {};         ///< for kError; null: not measured
    std::shared_ptr<const std::vector<float>> field = {};  ///< for kField, kStarlight, one per body; null: none
};

/// The arrays of a body system, for access in place: Vec4 in kSingle or kDouble, on the host or on the device. Valid as
/// long as the system lives and its number of bodies does not change (see EditPower); their content changes with each
/// call.
struct BodyColumns {
    Backend backend;
    Precision precision;
    std::size_t count;
    const void* position_mass;  ///< w = mass
    const void* velocity;       ///< w: internal
    const void* acceleration;   ///< of the last evaluation, complete or not; w = potential if computed
};

/// State after predict().
struct DueBodies {
    std::size_t count;  ///< number of due bodies
    bool at_end;        ///< all bodies have reached the end of the interval
    int finest;         ///< level of the shortest step
};

/// Individual time steps, see core/bodies/hermite.hpp and block_leapfrog.hpp. For engines that compute jerks or
/// evaluate only the due bodies.
class StepPower {
public:
    /// Begins an evaluation of acceleration, potential and jerk of all or only the due bodies; continue as after
    /// BodySystem::begin_forces(). Throws std::logic_error if the engine does not compute jerks.
    virtual std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) = 0;
    /// Same without jerks, for the due bodies; the others keep their accelerations.
    virtual std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) = 0;
    virtual void begin_steps(const StepRule& rule) = 0;  ///< uses the last evaluation of all bodies
    virtual DueBodies predict() = 0;                     ///< to the next time at which some bodies are due
    virtual void correct() = 0;                          ///< the due bodies, using their new forces
    virtual void abandon_steps() = 0;                    ///< restores positions and velocities of begin_steps()
    /// Current number of bodies with steps of dt, dt/2, dt/4 and so on.
    virtual std::vector<std::size_t> ladder() const = 0;

protected:
    ~StepPower() = default;
};

/// Queued moves and forces: steps can be requested before earlier ones are done. kStepEnd then checks for non-finite
/// bodies.
class QueuePower {
public:
    virtual void begin_checks() = 0;                   ///< resets the result
    virtual std::optional<LostBody> first_lost() = 0;  ///< since begin_checks(); waits
    /// Queues `times` repetitions of an evaluation, moves[0], another evaluation, moves[1], and so on: the work that
    /// begin_forces(), run_forces() and move() have just queued in this order, recorded once as a graph and replayed.
    /// Returns the number of replays; the caller must do the rest, which is everything if recording does not pay off or
    /// the engine does not support it.
    virtual std::uint64_t repeat(const MoveCycle& moves, const Gravity& gravity, Potential potential,
                                 std::uint64_t times) = 0;

protected:
    ~QueuePower() = default;
};

/// Editing in place, without creating another system. Not within a step.
class EditPower {
public:
    virtual void change(
        const BodyChange& change) = 0;  ///< throws only Error{kEnvironment}, before anything has changed
    virtual BodyBackup backup(BodyBackup old) const = 0;  ///< reuses the memory of `old` if it fits
    /// Replaces all bodies; their number may differ, the precision must be that of the state.
    virtual void restore(const BodyBackup& bodies) = 0;
    /// Call after change() or restore(): later results are bitwise those of a new system created from these bodies.
    /// Keeps its memory.
    virtual void restart() = 0;

protected:
    ~EditPower() = default;
};

/// Interpolation between two snapshots directly in the memory of the system.
class InterpolationPower {
public:
    /// Equivalent to restore(way.at(time, precision of the state)).
    virtual void show(const Interpolation& way, double time) = 0;

protected:
    ~InterpolationPower() = default;
};

class BodyStretches;

/// A system of which each rank holds only its own bodies; see make_owned_system(). save() and restore() then refer to
/// these, and count(), indices and measurements to the bodies of all ranks, in the order of ranks.
class PartPower {
public:
    virtual Ranks& ranks() const = 0;
    virtual std::size_t own_count() const = 0;
    virtual Bodies own_bodies() const = 0;  ///< with ids
    /// Calls use() on rank 0 with all bodies by ascending id, in double, without ids if these are the indices. The
    /// other ranks send bodies when it reads them. Collective; an Error of use() is thrown on all ranks.
    virtual void in_stretches(const std::function<void(const BodyStretches& all)>& use) const = 0;
    /// Moves bodies to the ranks that own them now; evaluations do that themselves from time to time. Collective.
    virtual void redistribute() = 0;
    /// Potential energy of all bodies, from the engine's potentials. Collective. Keeps the accelerations.
    virtual double potential_energy(const Gravity& gravity) = 0;

protected:
    ~PartPower() = default;
};

/// Times work where it runs; on a device with events, which exclude the round trip to the host.
class Stopwatch {
public:
    virtual void start() = 0;
    virtual void hold() = 0;
    virtual double seconds() = 0;  ///< between start() and hold(); waits until the work in between is complete
    double stop() { return hold(), seconds(); }

protected:
    ~Stopwatch() = default;
};

/// Times the work of the calling thread, which computes before it returns.
class HostStopwatch final : public Stopwatch {
public:
    void start() override { start_ = Clock::now(); }
    void hold() override { held_ = Clock::now(); }
    double seconds() override { return std::chrono::duration<double>(held_ - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_{}, held_{};
};

/// The bodies in one memory space and precision, with their engine. Hides space, precision and distribution over
/// processes. Subclasses must implement state, kicks and drifts, forces and frames; measurements have default
/// implementations that copy the state to the host. A simulation shares its system with users of columns().
class BodySystem : public std::enable_shared_from_this<BodySystem> {
public:
    BodySystem() = default;
    BodySystem(const BodySystem&) = delete;
    BodySystem& operator=(const BodySystem&) = delete;
    virtual ~BodySystem() = default;

    virtual std::size_t count() const = 0;
    /// Applies all moves in order to each body; bitwise identical in one pass or several.
    virtual void move(std::span<const Move> moves) = 0;
    void drift(double dt) { move_once({Move::Op::kDrift, dt}); }  ///< x += dt·v
    void kick(double dt) { move_once({Move::Op::kKick, dt}); }    ///< v += dt·a

    /// One evaluation of the forces in slices, see Engine. run_forces() may return before the work is done.
    virtual std::uint64_t begin_forces(const Gravity& gravity, Potential potential) = 0;
    virtual void run_forces(std::uint64_t first, std::uint64_t last) = 0;
    virtual void wait() = 0;  ///< until all requested work is done
    virtual Stopwatch& clock() = 0;

    // Null if the system does not support it.
    virtual StepPower* steps() { return nullptr; }
    virtual QueuePower* step_queue() { return nullptr; }
    virtual EditPower* edits() { return nullptr; }
    virtual InterpolationPower* interpolation() { return nullptr; }
    virtual PartPower* part() { return nullptr; }
    virtual std::optional<BodyColumns> columns() const { return std::nullopt; }
    /// Columns on the host, without accelerations: in place, or a copy of the device's that the next call overwrites.
    virtual std::optional<BodyColumns> host_columns() const { return std::nullopt; }

    virtual Bodies bodies() const = 0;         ///< the state, in double
    virtual const Bodies& labels() const = 0;  ///< without positions, masses and velocities
    /// Replaces the fields of the labels; each has one value per body.
    virtual void set_fields(std::vector<BodyField> fields) = 0;
    /// Accelerations of the last complete evaluation; w = potential if computed.
    virtual std::vector<Vec4d> accelerations() const = 0;
    /// Samples of some bodies, by index, in the requested order.
    virtual std::vector<BodySample> sample(std::span<const std::uint32_t> which) const = 0;

    /// The complete state with accelerations, bit for bit. Use restore() to set it, with its accelerations.
    virtual BodyState save() const = 0;
    /// The same for another thread. A device copies it to device memory first if there is room, and continues.
    virtual std::shared_ptr<const BodyCopy> copy() const { return std::make_shared<HostCopy>(save()); }
    virtual void restore(const BodyState& state) = 0;  ///< with the same number of bodies
    /// Sets positions and velocities of some bodies, by index; masses and accelerations stay.
    virtual void place(std::span<const std::uint32_t> which, std::span<const BodySample> rows);
    // See HistoryPower; no-ops and 0 for engines without history.
    virtual void restore_history(const Gravity& gravity, std::uint64_t key) = 0;
    virtual void forget_history() = 0;
    virtual std::uint64_t history_key() const = 0;
    // See AcceptancePower; 0 and a no-op for engines that do not approximate.
    virtual double accuracy_to_keep() const { return 0; }
    virtual void scale_acceptance(double) {}

    /// Fills the vertices (position, scalar) and the extent of `frame`, reusing its buffers.
    virtual void fill(Frame& frame, const Coloring& coloring) const = 0;

    // Measurements.
    /// Error against the engine's force law. For triplets, with fewer samples than requested if they cost too much.
    virtual ForceError force_error(const Gravity& gravity, std::size_t samples) const;
    /// Accelerations of some bodies in double by the engine's force law, in the requested order: the reference of
    /// force_error().
    virtual std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const;
    /// Heavy bodies by heavy_from(), the heaviest first.
    virtual std::vector<std::uint32_t> heavy_bodies() const;
    Vec3d reference(const Gravity& gravity, std::size_t body) const {
        const auto which = static_cast<std::uint32_t>(body);
        return xyz(references(gravity, {&which, 1}).front());
    }
    virtual Vec3d centre_of_mass() const;  ///< Σ m x / Σ m, summed in double
    /// |Σ m·a| / Σ|m·a| over all bodies: the violation of Newton's third law.
    virtual double net_force() const;
    /// Index of a body whose state contains NaN or ∞, if any: the first such position, otherwise the first such
    /// velocity, because one non-finite body makes the velocities of all others non-finite within a step.
    virtual std::optional<std::size_t> first_not_finite() const;

    /// Replaces the engine by one of another configuration with the same backend, precision and sums; bodies keep their
    /// memory, accelerations are those of the old engine. The new engine has no history and an unscaled criterion.
    /// Returns false, without changes, if the system cannot. Throws as engine() does, and Error{kEnvironment} if memory
    /// is insufficient; the old engine is then lost, so another one must follow. Not during an evaluation.
    virtual bool exchange_engine(const EngineConfig&) { return false; }
    virtual Law law() const = 0;
    /// True if other ranks do part of each evaluation, see Engine::share().
    virtual bool shared() const { return false; }

    // Forwarded to the engine; these wait if necessary.
    virtual std::string engine_choice() const = 0;
    virtual EngineReport engine_report() const = 0;
    virtual std::vector<TreeCell> engine_cells(std::size_t most) const = 0;  ///< empty for engines without a tree

protected:
    /// force_error() of at most `samples` bodies, so that the reference takes at most `interactions`.
    ForceError force_error_within(double interactions, const Gravity& gravity, std::size_t samples) const;

private:
    void move_once(const Move& only) { move({&only, 1}); }
};

/// The system's StepPower. Throws std::logic_error if it has none.
StepPower& require_steps(BodySystem& system);

/// Priority if several systems share a device.
enum class Urgency {
    kNormal,
    kLow  ///< uses only idle time of the device, as far as it supports that
};

/// Loads `bodies` into the memory space of `config`. Throws as engine() does, and Error{kEnvironment} with the needed
/// and free bytes if memory is insufficient. With `ranks`, evaluations are distributed (see Engine::share()); every
/// rank has all bodies, unless Ranks::own_bodies is set: then `bodies` are a part of all bodies, any part, and the
/// system moves them to the ranks that own them. Either all ranks create the same system and make the same calls, or
/// rank 0 does while the others follow, see distributed_body_system.hpp.
std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies,
                                             Urgency urgency = Urgency::kNormal, Ranks* ranks = nullptr);

/// Throws Error{kUsage} naming the first body with a value that overflows the precision of the state. `rows` has the
/// indices of `bodies` for the message; empty if they are all bodies.
void require_fit(const Bodies& bodies, Precision precision, std::span<const std::uint32_t> rows = {});

/// Evaluates every acceleration of `bodies` once. `ranks` as in make_body_system().
std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential = Potential::kSkip, Ranks* ranks = nullptr);

}  // namespace orrery
