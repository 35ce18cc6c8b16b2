// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/error.hpp"
#include "python/shared_simulation.hpp"

namespace orrery::python {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::duration<double> kSlice{0.02};  // interval at which signals and other threads are served
constexpr double kMostSteps = 1e15, kSame = 1e-9;      // in steps; rounding of a quotient must not add a step

/// Computes the number of steps to a time once, as `orrery run` does, and again only if the caller changes dt or
/// direction.
class Way {
public:
    explicit Way(const Goal& goal) : goal_{goal} {}

    /// Number of steps that may be taken at once; 0: the goal is reached.
    std::uint64_t left(const Simulation& simulation, std::uint64_t taken) {
        if (!goal_.until) return goal_.most - taken;
        const double ahead = (simulation.now().reversed ? -1 : 1) * (*goal_.until - simulation.now().time);
        if (simulation.scene().adaptive > 0) return ahead > 0 ? 1 : 0;
        if (!counted_ || dt_ != simulation.scene().dt || reversed_ != simulation.now().reversed ||
            at_ != simulation.now().steps) {
            const double exact = ahead / simulation.scene().dt;
            if (!(exact < kMostSteps))
                usage_error(fmt::format("time {:g}: {:.3g} steps of {:g} are too many", *goal_.until, exact,
                                        simulation.scene().dt));
            count_ = exact > 0 ? static_cast<std::uint64_t>(std::ceil(exact - kSame * std::max(1.0, exact))) : 0;
            counted_ = true, dt_ = simulation.scene().dt, reversed_ = simulation.now().reversed;
        }
        if (count_ > 1 && goal_.exact) return count_ - 1;
        return count_;
    }
    void took(const Simulation& simulation, std::uint64_t steps) {
        count_ -= std::min(steps, count_);
        at_ = simulation.now().steps;
    }
    /// The length of the last step, if it differs from dt.
    std::optional<double> last(const Simulation& simulation) const {
        if (!goal_.until || !goal_.exact) return std::nullopt;
        const double ahead = std::abs(*goal_.until - simulation.now().time);
        const bool near = simulation.scene().adaptive > 0 ? ahead < simulation.scene().dt : count_ == 1;
        const bool same = std::abs(ahead - simulation.scene().dt) <= kSame * simulation.scene().dt;
        return near && !same && ahead > 0 ? std::optional{std::min(ahead, simulation.scene().dt)} : std::nullopt;
    }

private:
    const Goal goal_;
    std::uint64_t count_ = 0;
    std::int64_t at_ = 0;
    double dt_ = 0;
    bool counted_ = false, reversed_ = false;
};

/// Restores dt after a shorter step, also after an exception.
class ShortStep {
public:
    ShortStep(Simulation& simulation, std::optional<double> dt)
        : simulation_{simulation}, standard_{simulation.scene().dt} {
        if (dt) simulation.set_dt(*dt);
    }
    ShortStep(const ShortStep&) = delete;
    ShortStep& operator=(const ShortStep&) = delete;
    ~ShortStep() { simulation_.set_dt(standard_); }

private:
    Simulation& simulation_;
    double standard_;
};

/// Takes the steps of one slice, at most `most`. Sets `done` if none are left.
std::uint64_t slice(Simulation& simulation, Way& way, std::uint64_t before, std::uint64_t most, bool& done) {
    const auto start = Clock::now();
    std::uint64_t taken = 0;
    while (taken < most && Clock::now() - start < kSlice) {
        const std::uint64_t left = way.left(simulation, before + taken);
        if (left == 0) {
            done = true;
            break;
        }
        const ShortStep shortened{simulation, way.last(simulation)};
        const std::uint64_t steps = simulation.take_steps(kSlice, std::min(left, most - taken));
        taken += steps;
        way.took(simulation, steps);
    }
    return taken;
}

void require_ahead(const Goal& goal, SharedSimulation& simulation) {
    if (!goal.until) return;
    if (!std::isfinite(*goal.until)) usage_error(fmt::format("time {}: must be a number", *goal.until));
    simulation.quickly([&](Simulation& own) {
        const double ahead = (own.now().reversed ? -1 : 1) * (*goal.until - own.now().time);
        if (ahead < -(1 + kSame) * own.scene().dt)
            usage_error(fmt::format("time {:g}: the simulation is at {:g} and runs {}", *goal.until, own.now().time,
                                    own.now().reversed ? "backward" : "forward"));
    });
}

}  // namespace

std::uint64_t run(const py::object& self, SharedSimulation& simulation, Goal goal, const py::object& callback,
                  std::uint64_t every) {
    const bool calls = !callback.is_none();
    if (calls && !PyCallable_Check(callback.ptr()))
        throw py::type_error{"callback: expected a function of the simulation"};
    if (every == 0) usage_error("every: must be 1 or more");
    require_ahead(goal, simulation);
    remember_start(simulation);
    Way way{goal};
    std::uint64_t taken = 0, next_call = every;
    for (bool done = goal.most == 0; !done;) {
        const std::uint64_t most = calls ? next_call - taken : ~std::uint64_t{0};
        taken += simulation.slowly([&](Simulation& own) { return slice(own, way, taken, most, done); });
        if (python_ends()) environment_error("Python is ending");
        if (PyErr_CheckSignals() != 0) throw py::error_already_set{};
        if (calls && taken == next_call) {
            next_call += every;
            if (const py::object answer = callback(self); answer.ptr() == Py_False) break;
        }
    }
    warn_of_drift(simulation, taken);
    return taken;
}

}  // namespace orrery::python
