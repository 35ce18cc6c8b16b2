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
#include "core/bodies/body_state.hpp"
#include "core/bodies/frame.hpp"
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
    virtual void drift(double dt) = 0;  ///< x += dt·v
    virtual void kick(double dt) = 0;   ///< v += dt·a

    /// One evaluation of the forces in slices, as Engine says. run_forces() may return before the work is done.
    virtual std::uint64_t begin_forces(const Gravity& gravity, Potential potential) = 0;
    virtual void run_forces(std::uint64_t first, std::uint64_t last) = 0;
    virtual void wait() = 0;  ///< until all that was asked for is done

    // Of Hermite's scheme, see core/bodies/hermite.hpp; only where the engine gives jerks, else they throw.
    /// Begins an evaluation of acceleration, potential and jerk: of all, or of those that are due; then as above.
    virtual std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due);
    virtual void begin_hermite(double dt, double eta);  ///< from where the last evaluation of all was
    virtual std::size_t predict();                      ///< returns how many are due
    virtual bool correct();                             ///< returns whether all have arrived
    virtual void abandon_hermite();                     ///< all is as it was at begin_hermite()

    /// What is asked for between the two calls is timed where it runs: by events on a device, which leaves out the way
    /// there and back. stop_clock() waits, and returns seconds.
    virtual void start_clock() = 0;
    virtual double stop_clock() = 0;

    virtual Bodies bodies() const = 0;                     ///< the state, in double
    virtual const Bodies& labels() const = 0;              ///< names, species and ids alone
    virtual std::vector<Vec4d> accelerations() const = 0;  ///< of the last whole evaluation; w = potential if computed
    /// Some of them, by index below count(), in the order asked for.
    virtual std::vector<BodySample> sample(std::span<const std::uint32_t> which) const = 0;
    virtual Vec3d mass_centre() const = 0;  ///< Σ m x / Σ m, summed in double

    /// All of the state with its accelerations, to the bit; and back. The accelerations are then those of the state.
    virtual BodyState save() const = 0;
    virtual void restore(const BodyState& state) = 0;  ///< of as many bodies
    /// The engine made these accelerations under `gravity`, as Engine::recall() says; and its memory().
    virtual void recall(const Gravity& gravity, std::uint64_t memory) = 0;
    virtual std::uint64_t engine_memory() const = 0;

    /// Against the law that the engine computes. Of triplets, fewer samples than asked for where they cost too much.
    virtual ForceError force_error(const Gravity& gravity, std::size_t samples) const = 0;
    /// Acceleration of one body in double, by the law that the engine computes: what force_error() compares with.
    virtual Vec3d reference(const Gravity& gravity, std::size_t body) const = 0;

    /// Index of a body whose state holds NaN or ∞, if any: the first such position, else the first such velocity, since
    /// one lost body spoils the velocities of all others within a step.
    virtual std::optional<std::size_t> first_not_finite() const = 0;
    /// Fills the vertices (position, scalar) of `frame` and its extent; the frame's buffers are reused.
    virtual void fill(Frame& frame, const Coloring& coloring) const = 0;
    // Of the engine, as Engine says; they wait where need be.
    virtual std::string engine_choice() const = 0;
    virtual EngineReport engine_report() const = 0;
    virtual std::vector<TreeCell> engine_cells(std::size_t most) const = 0;
};

/// Puts `bodies` where `config` says. Throws as engine() does, and Error{kEnvironment} when memory does not suffice,
/// saying how many bytes are needed and free.
std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies);

/// Evaluates every acceleration of `bodies` once.
std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential = Potential::kSkip);

}  // namespace orrery
