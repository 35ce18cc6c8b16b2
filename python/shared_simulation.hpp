// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "core/bodies/bodies.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/conservation.hpp"
#include "core/simulation/simulation.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// View and camera of a frame.
struct Look {
    ViewSettings view;
    CameraSettings camera{.yaw = 34, .pitch = 29};  // as in `orrery record`
};

/// `orrery.Scene`: bodies, and the recommendations of the preset or scene file. The number of bodies is fixed, so views
/// of them remain valid.
struct SceneValue {
    /// pybind11 calls this for an object of Scene.__new__() without __init__(); all others are made by make_shared().
    static void* operator new(std::size_t) { throw py::type_error{"Scene.__init__() has not been called"}; }

    Scene scene;
    EngineConfig engine = default_engine_config();
    bool engine_given = false;  ///< by a scene file, whose backend is then used
    Look look;
};
using SharedScene = std::shared_ptr<SceneValue>;

/// Throws UsageError if numbers of the scene are invalid; they may have been written in place.
void require_sound(const Scene& scene);

// pickles.cpp
py::dict state_of(const SceneValue& value);
SceneValue scene_of_state(const py::dict& state);

/// Throws UsageError if the last step failed halfway.
void require_between_steps(const Simulation& simulation);

/// `orrery.Simulation`: a simulation for callers on any thread. Calls from several threads are serialised, without
/// holding the GIL while waiting. A closed one rejects all calls.
class SharedSimulation {
public:
    /// As SceneValue::operator new.
    static void* operator new(std::size_t) { throw py::type_error{"Simulation.__init__() has not been called"}; }

    SharedSimulation(Simulation simulation, Look look) : look_{std::move(look)}, simulation_{std::move(simulation)} {
        publish();
    }

    /// For longer work, without the GIL: `work` must not use Python objects.
    template <class Work>
    auto slowly(Work work) {
        require_own_threads();
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        return within(std::move(work));
    }
    /// The same for work that needs a state between two steps. Throws UsageError if the last step failed halfway.
    template <class Work>
    auto between_steps(Work work) {
        return slowly([&](Simulation& own) {
            require_between_steps(own);
            return work(own);
        });
    }
    /// For short work: with the GIL, unless another thread is using the simulation.
    template <class Work>
    auto quickly(Work work) {
        if (std::unique_lock lock{mutex_, std::try_to_lock}; lock) return within(std::move(work));
        return slowly(std::move(work));
    }

    // Values after the last completed call; do not wait for one in progress.
    double time() const { return time_; }
    std::int64_t steps() const { return steps_; }
    std::size_t count() const { return count_; }

    void close() {
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        simulation_.reset();
        closed_ = true;
    }
    bool closed() const { return closed_; }
    const Look& look() const { return look_; }

    /// The state to which conserved quantities are compared; accessed only within slowly().
    struct Start {
        Diagnostics energies;
        EncounterLedger met;
        Gravity gravity;
        Law law;
        std::size_t count;
    };
    std::optional<Start> start;

    py::object views[4];  ///< cache of view_of(), for this system:
    const void* viewed = nullptr;

private:
    template <class Work>
    auto within(Work work) {
        require_open();
        struct Publish {
            SharedSimulation& self;
            ~Publish() { self.publish(); }
        } const publish{*this};
        return work(*simulation_);
    }
    void require_open() const;
    void publish() {
        if (!simulation_) return;
        time_ = simulation_->now().time, steps_ = simulation_->now().steps, count_ = simulation_->system().count();
    }

    const Look look_;
    std::mutex mutex_;
    std::optional<Simulation> simulation_;
    std::atomic<double> time_{0};
    std::atomic<std::int64_t> steps_{0};
    std::atomic<std::size_t> count_{0};
    std::atomic<bool> closed_{false};
};
using SimulationHandle = std::shared_ptr<SharedSimulation>;

/// Evaluates accelerations that do not belong to the current positions; does not move bodies.
void evaluate_all(Simulation& simulation);
/// Computes the energies before the first step if there are few bodies and no energies yet.
void remember_start(SharedSimulation& simulation);
/// Errors of energy and momentum since the first step, or, with many bodies, since the first call.
Conservation conservation_of(SharedSimulation& simulation);
/// Raises a Python RuntimeWarning if these steps of a few bodies have lost energy.
void warn_of_drift(SharedSimulation& simulation, std::uint64_t steps);
py::object drift(SharedSimulation& simulation);

enum class View { kPositions, kVelocities, kMasses, kAccelerations };
/// A NumPy array, or on CUDA a DeviceArray, of the bodies' own memory.
py::object view_of(SharedSimulation& simulation, View which);

// run.cpp
/// A number of whole steps, or steps until a time.
struct Goal {
    std::uint64_t most = ~std::uint64_t{0};
    std::optional<double> until = {};
    bool exact = false;  ///< the last step is shortened to end at `until`
};
/// Calls `callback`, if given, with `self` after every `every` steps, and handles signals between slices. Returns the
/// number of steps.
std::uint64_t run(const py::object& self, SharedSimulation& simulation, Goal goal, const py::object& callback,
                  std::uint64_t every);

// pickles.cpp
py::dict state_of(SharedSimulation& simulation);
SimulationHandle simulation_of_state(const py::dict& state);

// edits.cpp
void bind_edits(py::class_<SharedSimulation, SimulationHandle>& type);

}  // namespace orrery::python
