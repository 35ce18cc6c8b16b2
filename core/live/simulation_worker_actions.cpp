// SPDX-License-Identifier: MIT
// User actions, applied between two slices.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/live/simulation_worker.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {

namespace {

/// Analyses wait this long after an edit: the next edit of a stroke follows soon, and each analysis copies all bodies.
constexpr std::chrono::milliseconds kAfterEdit{250};
constexpr std::chrono::duration<double> kUnnoticed{0.5};  // acceptable wait for the end of a step

}  // namespace

void SimulationWorker::apply(const LoadScene& wish) {
    status_.scene.loading = true;
    publish_status();
    if (wish.undoable && ends_within_patience()) end_step(kUnnoticed);  // the estimate may belong to another engine
    world_.apply(wish);
    adopt_scene();
    wait_for_start(wish.look_first);
    if (wish.speed) status_.pace.speed_limit = *wish.speed;
    publish_frame();
}

void SimulationWorker::wait_for_start(bool look_first) {
    status_.scene.waits_for_start = look_first && world_.facts.suggests();
    if (status_.scene.waits_for_start) status_.pace.paused = true;
}

/// True if the current step ends so soon that waiting for it goes unnoticed.
bool SimulationWorker::ends_within_patience() const {
    const double left = 1 - simulation_.forces().progress();
    return left * simulation_.forces().last_seconds() < kUnnoticed.count();
}

/// Completes the current step, so that positions and velocities belong to the same time. Gives up after `at_most`.
/// Throws Error{kEnvironment} if the window is closed meanwhile.
void SimulationWorker::end_step(std::chrono::duration<double> at_most) {
    const auto start = std::chrono::steady_clock::now();
    constexpr std::chrono::duration<double> kLook{1};
    while (simulation_.within_step()) {
        if (stop_.stop_requested()) environment_error("cancelled: the window was closed before the step ended");
        const std::chrono::duration<double> left = at_most - (std::chrono::steady_clock::now() - start);
        if (left.count() <= 0) return;
        const std::uint64_t steps = simulation_.advance(std::min(left, kLook), 1);
        if (steps == 0) continue;
        finish_steps(steps);
        compare_.a_stepped(simulation_);
    }
}

void SimulationWorker::apply(const SaveState& wish) {
    if (wish.by == SaveState::By::kItself) {
        keeper_.ask(world_.player ? std::string{} : wish.path);
        if (keeper_.wanted() && !simulation_.within_step()) keeper_.take(simulation_);
        return;
    }
    if (world_.player) usage_error("a series is played: its states are already in files");
    end_step();
    if (wish.path.ends_with(".orrery"))
        write_checkpoint(
            checkpoint_of(simulation_, {.steps = static_cast<std::uint64_t>(std::abs(simulation_.now().steps))}),
            wish.path);
    else
        write_snapshot(present_scene(simulation_), wish.path);
    status_.saving.path = wish.path;
    ++status_.saving.serial;
}

void SimulationWorker::apply(const RecordSnapshots& wish) {
    if (wish.pattern.empty()) return snapshots_.end();
    if (world_.player) usage_error("a series is played: its states are already in files");
    snapshots_.begin(simulation_, wish);
}

void SimulationWorker::apply(const EditBodies& wish) { edit(wish); }
void SimulationWorker::apply(const Undo& wish) { edit(wish); }
void SimulationWorker::apply(const Redo& wish) { edit(wish); }

/// A rejected edit changes nothing, except that the current step has ended.
template <class Wish>
void SimulationWorker::edit(const Wish& wish) {
    end_step();
    const SceneRequest request = world_.request;
    const std::size_t bodies = simulation_.system().count();
    world_.apply(wish);
    if (world_.request != request) {
        adopt_scene();
    } else {
        adopt_bodies();
        monitors_.rest_until(Clock::now() + kAfterEdit);
        status_.edits.time = simulation_.now().time;
        if (simulation_.system().count() != bodies) inspection_.set(simulation_, nullptr);
        inspection_.take(simulation_, status_.inspection, true);
    }
    show_now();
}

void SimulationWorker::apply(const SetEngine& wish) {
    const Law before = law_of(simulation_.engine_config());
    world_.apply(wish);
    if (law_of(wish.config) != before) monitors_.restart_energy(simulation_, status_);
    forces_.forget(status_);
    if (status_.pace.paused) show_now();
}

void SimulationWorker::apply(const SetPaused& wish) {
    status_.pace.paused = wish.paused;
    if (!wish.paused) status_.scene.waits_for_start = false;
    if (world_.player && !wish.paused && pace_.per_frame == 0) play_again();
    pace_.rate.restart();
    pace_.next = Clock::now();
    if (!wish.paused) return;
    inspection_.take(simulation_, status_.inspection, true);
    show_now();
}

void SimulationWorker::apply(const SingleStep& wish) {
    status_.pace.paused = true;
    pace_.single_back = wish.back;
    pace_.single = wish.back && simulation_.within_step() ? 2 : 1;  // finish the current step first
}

void SimulationWorker::apply(const SetReversed& wish) {
    status_.pace.reversed = wish.reversed;
    pace_.next = Clock::now();
}

void SimulationWorker::apply(const SetSoftening& wish) { change_law(wish); }
void SimulationWorker::apply(const SetLaw& wish) { change_law(wish); }

void SimulationWorker::apply(const SetEncounters& wish) {
    end_step();
    world_.apply(wish);
    follow_bodies();
    show_now();
}

void SimulationWorker::change_law(const Action& wish) {
    world_.apply(wish);
    monitors_.restart_energy(simulation_, status_);
    forces_.measure_soon();
}

void SimulationWorker::apply(const SetSpeed& wish) {
    if (!(wish.steps_per_second >= 0)) usage_error(fmt::format("speed {}: must be 0 or more", wish.steps_per_second));
    status_.pace.speed_limit = wish.steps_per_second;
    pace_.next = Clock::now();
}

void SimulationWorker::apply(const SetPacing& wish) {
    if (wish.steps_per_frame < 0)
        usage_error(fmt::format("{} steps per frame: must be 0 or more", wish.steps_per_frame));
    pace_.per_frame = wish.steps_per_frame;
    world_.allow_tuning(pace_.per_frame == 0);  // a session must repeat
    pace_.paced = 0;
    shown_.waits_for_window = shown_.stepped = false;
    pace_.next = Clock::now();
    if (pace_.per_frame == 0) return;
    try {
        catch_up();  // the first frame shows both simulations
    } catch (...) {
        publish_paced_frame();  // show A, which continues alone
        throw;
    }
    publish_paced_frame();
}

void SimulationWorker::apply(const SetCells& wish) {
    forces_.want_cells(wish.most);
    show_now();
}

void SimulationWorker::apply(const SetColorBy& wish) {
    world_.apply(wish);
    show_now();
}

void SimulationWorker::apply(const SetSightLine& wish) {
    world_.apply(wish);
    show_now();
}

void SimulationWorker::apply(const SetTrails& wish) { trails_.want(wish.every); }

void SimulationWorker::apply(const MeasureTheta& wish) {
    if (!wish.on) return theta_.stop();
    const EngineConfig& config = simulation_.engine_config();
    if (!engine(config.engine, config.backend).has_tree())
        usage_error(fmt::format("engine '{}' on {} has no tree", config.engine, name(config.backend)));
    theta_.start(simulation_.system().bodies(), simulation_.scene().gravity, config);
}

void SimulationWorker::require_no_recording() const {
    if (pace_.per_frame > 0) usage_error("time cannot jump during a recording");
}

void SimulationWorker::show_rewound() {
    pace_.single = 0;
    follow_bodies();
    forces_.measure_soon();
    pace_.rate.restart();
    pace_.next = Clock::now();
    inspection_.take(simulation_, status_.inspection, true);
    show_now();
}

void SimulationWorker::apply(const Rewind& wish) {
    require_no_recording();
    if (world_.player) usage_error("a series is played: go to a time of the series instead");
    status_.timeline.held = false;
    rewind_.go_to(simulation_, wish.moment);
    status_.timeline.held = wish.hold;
    show_rewound();
}

void SimulationWorker::apply(const RewindBy& wish) {
    require_no_recording();
    status_.pace.paused = true;
    if (world_.player) return world_.player->go_by(simulation_.now().time, wish.snapshots);
    rewind_.go_by(simulation_, wish.snapshots);
    show_rewound();
}

void SimulationWorker::apply(const SetRewindBudget& wish) { rewind_.set_budget(simulation_, wish.bytes); }

void SimulationWorker::apply(const Inspect& wish) {
    inspection_.set(simulation_, wish.bodies);
    inspection_.take(simulation_, status_.inspection, true);
    show_now();
}

void SimulationWorker::apply(const WatchAnalysis& wish) { monitors_.want_analysis(wish.settings, status_); }

void SimulationWorker::apply(const WatchCentreOfMass& wish) {
    inspection_.watch_mass_centre(wish.on);
    show_now();
}

void SimulationWorker::apply(const StopCompare& wish) {
    world_.apply(wish);
    show_now();
}

void SimulationWorker::apply(const SetDifferences& wish) {
    world_.apply(wish);
    if (status_.pace.paused) show_now();
}

}  // namespace orrery
