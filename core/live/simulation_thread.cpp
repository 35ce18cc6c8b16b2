// SPDX-License-Identifier: MIT
#include "core/live/simulation_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/live/monitors.hpp"
#include "core/live/state_writers.hpp"
#include "core/live/world.hpp"
#include "core/ranks/ranks.hpp"
#include "core/selection/named_sets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/kept_state.hpp"

namespace orrery {
namespace {

constexpr std::chrono::duration<double> kSlice{0.015};          // an action waits at most about this long
constexpr std::chrono::duration<double> kDisk{0.005};           // wait for room in the queue of snapshots to write
constexpr std::chrono::duration<double> kPublishPeriod{0.007};  // faster than any display
constexpr std::chrono::duration<double> kIdle{0.25};            // wakes to collect finished results
constexpr std::chrono::duration<double> kLook{0.004};           // between checks for data that are being read
/// Analyses wait this long after an edit: the next edit of a stroke follows soon, and each analysis copies all bodies.
constexpr std::chrono::milliseconds kAfterEdit{250};
constexpr std::chrono::duration<double> kUnnoticed{0.5};  // acceptable wait for the end of a step

/// True if applying both has the same effect as applying only the later one.
bool overtakes(const Action& later, const Action& earlier) {
    if (std::holds_alternative<SetEngine>(later)) return std::holds_alternative<SetEngine>(earlier);
    const auto *scene = std::get_if<LoadScene>(&later), *before = std::get_if<LoadScene>(&earlier);
    return scene && before && (scene->engine || !before->engine) && (before->undoable || !scene->undoable);
}

}  // namespace

/// The implementation of SimulationThread. All members belong to its thread, except Mail, which its mutex guards;
/// send(), acknowledge() and status() use only Mail and are called from other threads. Frames pass through the
/// TripleBuffer.
class SimulationWorker {
public:
    SimulationWorker(TripleBuffer<Frame>& frames, const SceneRequest& request, const EngineConfig& engine, Ranks* ranks,
                     bool look_first)
        : frames_{frames}, world_{open_scene_or_series(request), engine, ranks, request} {
        adopt_scene();
        wait_for_start(look_first);
        publish_frame();
        publish_status();
        thread_ = std::jthread{[this](std::stop_token stop) { run(stop); }};
    }

    void send(Action action) {
        const std::lock_guard lock{mail_.mutex};
        mail_.inbox.push_back(std::move(action));
        mail_.wake.notify_one();
    }

    void acknowledge() {
        const std::lock_guard lock{mail_.mutex};
        mail_.acknowledged = true;
        mail_.wake.notify_one();
    }

    Status status() const {
        const std::lock_guard lock{mail_.mutex};
        return mail_.published;
    }

private:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    // The loop of the thread.

    void run(std::stop_token stop) {
        stop_ = stop;
        lower_thread_priority();
        while (!stop.stop_requested()) {
            take_mail();
            snapshots_.take(simulation_);
            if (SeriesPlayer* const player = world_.motion.player()) look_at(*player);
            const auto pause = until_next_step();
            if (pause > Seconds::zero()) {
                if (!world_.motion.cloud() && take_measurements()) show_now();
                publish_status();
                std::unique_lock lock{mail_.mutex};
                mail_.wake.wait_for(lock, stop, pause, [&] { return !mail_.inbox.empty() || mail_.acknowledged; });
            } else {
                guarded([&] { world_.motion.visit([this](auto& source) { work(source); }); });
            }
        }
    }

    void take_mail() {
        std::deque<Action> actions;
        {
            const std::lock_guard lock{mail_.mutex};
            actions.swap(mail_.inbox);
            if (mail_.acknowledged) shown_.waits_for_window = mail_.acknowledged = false;
        }
        for (std::size_t i = 0; i < actions.size() && !stop_.stop_requested(); ++i) {
            // Skip engines and scenes that are replaced within the same slice (a moved slider, a key held down). Not
            // while a session may be recorded, because a replay applies all: an engine in float rounds the state that
            // the next one continues from.
            const bool overtaken =
                pace_.per_frame == 0 && i + 1 < actions.size() && overtakes(actions[i + 1], actions[i]);
            if (!overtaken)
                guarded([&] {
                    world_.require_allowed(actions[i], pace_.per_frame > 0);
                    std::visit([&](const auto& wish) { apply(wish); }, actions[i]);
                });
            ++status_.actions_done;
        }
        if (!actions.empty()) publish_status();
    }

    /// Reports a failed action, which leaves everything unchanged, as a message.
    template <class Body>
    void guarded(const Body& body) {
        try {
            body();
        } catch (const std::exception& error) {
            status_.report(error.what());
            status_.scene.loading = false;
            publish_status();
        }
    }

    /// Time without work.
    Seconds until_next_step() const {
        if (shown_.waits_for_window) return kIdle;
        return world_.motion.visit([this](const auto& source) { return until_next(source); });
    }

    // Steps of computed bodies.

    Seconds until_next(const MotionSource::Computed&) const {
        if (compare_.due(simulation_) || compare_.waits_for(simulation_)) return Seconds::zero();
        if (status_.timeline.held) return kIdle;
        if (snapshots_.waits(simulation_)) return kDisk;
        if (status_.pace.paused && pace_.single == 0) return forces_.wanted(simulation_) ? Seconds::zero() : kIdle;
        if (pace_.per_frame > 0 || status_.pace.speed_limit == 0 || pace_.single > 0) return Seconds::zero();
        return pace_.next - Clock::now();
    }

    void work(const MotionSource::Computed&) {
        if (compare_.due(simulation_)) return follow();
        std::uint64_t steps = 0;
        try {
            const bool still = status_.pace.paused && pace_.single == 0 && !compare_.waits_for(simulation_);
            if (still && !simulation_.within_step()) return evaluate_for_picture();  // otherwise finish the step first
            choose_direction();
            rewind_.begins(simulation_);
            if (!simulation_.within_step()) kept_.keep(simulation_);
            steps = simulation_.advance(kSlice, steps_at_once());
        } catch (const DeviceLost& lost) {
            return go_on_after(lost);
        } catch (...) {
            status_.pace.paused = true;  // it would only fail again
            forces_.want_cells(0);
            simulation_.set_color_by(ColorBy::kSpeed);
            compare_.set_color_by(ColorBy::kSpeed);
            throw;
        }
        if (simulation_.knows_lost()) stop_if_lost();
        if (steps == 0) return publish_status();
        finish_steps(steps);
        if (keeper_.wanted() && !simulation_.within_step()) keeper_.take(simulation_);
        take_measurements();
        compare_.a_stepped(simulation_);
        shown_.stepped = true;
        if (!compare_.due(simulation_)) show_step();
    }

    /// Restores the state that was kept last; stops if that fails.
    void go_on_after(const DeviceLost& lost) {
        try {
            status_.report(kept_.restore(simulation_, lost));
        } catch (const Error&) {
            status_.pace.paused = true;
            throw;
        }
        kept_.forget();
        show_rewound();
    }

    /// A single step may have its own direction; a step in progress keeps its direction.
    void choose_direction() {
        if (!simulation_.within_step())
            simulation_.set_reversed(pace_.single > 0 ? pace_.single_back : status_.pace.reversed);
    }

    /// Queue several steps unless each must be displayed; a speed limit or a due frame ends the batch.
    std::uint64_t steps_at_once() const {
        if (pace_.single > 0 || compare_.on() || compare_.waits_for(simulation_)) return 1;
        constexpr std::uint64_t many = std::uint64_t{1} << 20;
        std::uint64_t steps = many;
        if (pace_.per_frame > 0) {
            steps = static_cast<std::uint64_t>(pace_.per_frame - pace_.paced % pace_.per_frame);
        } else if (status_.pace.speed_limit > 0) {
            const double due = status_.pace.speed_limit * Seconds{Clock::now() - pace_.next}.count();
            steps = 1 + static_cast<std::uint64_t>(std::clamp(due, 0.0, static_cast<double>(many)));
        }
        // Only devices take several steps at once.
        if (trails_.on(simulation_))
            steps = std::min(steps, pace_.per_frame > 0 ? 1 : static_cast<std::uint64_t>(trails_.every()));
        return std::min(steps, snapshots_.steps_left(simulation_));
    }

    void finish_steps(std::uint64_t steps) {
        shown_.steps = static_cast<int>(steps);
        follow_bodies();
        forces_.evaluated(simulation_);
        pace_.rate.add(steps);
        rewind_.stepped(simulation_, steps);
        if (pace_.single > 0) --pace_.single;
        trails_.stepped(simulation_, pace_.per_frame > 0);
        inspection_.take(simulation_, status_.inspection, status_.pace.paused);
        wait_for_next_step(steps);
        forces_.take(simulation_, status_);
    }

    /// Updates indices after an encounter or a rewind.
    void follow_bodies() {
        if (simulation_.encounters().bodies_serial() == bodies_serial_) return;
        bodies_serial_ = simulation_.encounters().bodies_serial();
        inspection_.follow(simulation_);
    }

    /// Call after these steps.
    void wait_for_next_step(std::uint64_t steps) {
        if (status_.pace.speed_limit == 0) return;
        const auto period =
            std::chrono::duration_cast<Clock::duration>(Seconds{static_cast<double>(steps) / status_.pace.speed_limit});
        // Late steps are caught up for by at most a twentieth of a second.
        pace_.next = std::max(pace_.next + period, Clock::now() - std::chrono::milliseconds{50});
    }

    /// True if the current step ends so soon that waiting for it goes unnoticed.
    bool ends_within_patience() const {
        const double left = 1 - simulation_.forces().progress();
        return left * simulation_.forces().last_seconds() < kUnnoticed.count();
    }

    /// Completes the current step, so that positions and velocities belong to the same time. Gives up after `at_most`.
    /// Throws Error{kEnvironment} if the window is closed meanwhile.
    void end_step(Seconds at_most = Seconds::max()) {
        constexpr Seconds kPart{1};
        const auto start = Clock::now();
        while (simulation_.within_step()) {
            if (stop_.stop_requested()) environment_error("cancelled: the window was closed before the step ended");
            const Seconds left = at_most - (Clock::now() - start);
            if (left.count() <= 0) return;
            const std::uint64_t steps = simulation_.advance(std::min(left, kPart), 1);
            if (steps == 0) continue;
            finish_steps(steps);
            compare_.a_stepped(simulation_);
        }
    }

    void evaluate_for_picture() {
        if (simulation_.evaluate(kSlice)) {
            forces_.evaluated(simulation_);
            forces_.take_report(simulation_, status_);
            forces_.take_cells_next();
            publish_frame();
        }
        publish_status();
    }

    void stop_if_lost() {
        const auto lost = simulation_.lost();
        if (!lost) return;
        status_.pace.paused = true;
        environment_error(
            fmt::format("body {} is no longer finite after step {}: stopped; a smaller dt or a larger "
                        "softening may help",
                        lost->body, lost->step));
    }

    /// Returns whether the colours of the present bodies have changed.
    bool take_measurements() {
        monitors_.take(simulation_, world_.motion.snapshot(), status_);
        if (pace_.per_frame > 0) return false;  // each frame gets the errors of its own bodies
        const bool of_a = errors_.take(simulation_), of_b = compare_.take_errors();
        return of_a || of_b;
    }

    // The second simulation of a comparison.

    /// Lets the second simulation of a comparison catch up.
    void follow() {
        try {
            if (!compare_.work(simulation_, kSlice)) return publish_status();
        } catch (...) {
            show_step();  // show A, which continues alone
            throw;
        }
        show_step();
    }

    /// Waits for the second simulation of a comparison.
    void catch_up() {
        while (compare_.due(simulation_) && !compare_.work(simulation_, kSlice)) {
        }
    }

    /// Call when both simulations have caught up.
    void show_step() {
        const auto now = Clock::now();
        compare_.measure(simulation_, pace_.per_frame > 0 || status_.pace.paused);
        if (!std::exchange(shown_.stepped, false)) return show_now();  // B has just started
        if (pace_.per_frame > 0) {
            pace_.paced += shown_.steps;
            if (pace_.paced % pace_.per_frame == 0) publish_paced_frame();
        } else if (status_.pace.paused || (now - shown_.frame_at >= kPublishPeriod && frames_.taken())) {
            publish_frame();
        } else if (now - std::max(shown_.frame_at, shown_.lost_at) >= kPublishPeriod) {
            shown_.lost_at = now;
            stop_if_lost();  // independent of whether frames are taken
        }
        if (now - shown_.status_at >= kPublishPeriod || status_.pace.paused) publish_status();
    }

    // A series of snapshots is played in place of steps.

    Seconds until_next(const SeriesPlayer& player) const {
        if (follows_series()) return Seconds::zero();
        if (player.under_way() || shown_.moved != SeriesPlayer::Moved::kNot) return Seconds::zero();
        if (status_.source.series.held) return kIdle;
        if (status_.pace.paused && pace_.single == 0) return forces_.wanted(simulation_) ? Seconds::zero() : kIdle;
        if (pace_.per_frame > 0 || pace_.single > 0) return Seconds::zero();
        if (player.at_end(simulation_.now().time)) return kIdle;
        return status_.pace.speed_limit == 0 ? Seconds::zero() : pace_.next - Clock::now();
    }

    /// Moves the bodies, then computes what their frame needs; in slices, like a step.
    void work(SeriesPlayer& player) {
        if (follows_series()) return follow();
        if (shown_.moved == SeriesPlayer::Moved::kNot) {
            if (status_.pace.paused && pace_.single == 0 && !player.under_way()) return evaluate_for_picture();
            player.set_backward(pace_.single > 0 ? pace_.single_back : status_.pace.reversed);
            try {
                shown_.moved = player.move(simulation_, kSlice);
            } catch (...) {
                status_.pace.paused = true;
                pace_.single = 0;
                throw;
            }
            if (shown_.moved == SeriesPlayer::Moved::kNot) return publish_status();
            if (shown_.moved == SeriesPlayer::Moved::kStepped) compare_.a_played(simulation_);
        }
        if (forces_.due(simulation_)) {
            if (!simulation_.evaluate(kSlice)) return publish_status();
            forces_.evaluated(simulation_);
            forces_.take(simulation_, status_);
        }
        finish_move(player);
    }

    /// True if B must catch up with the displayed bodies.
    bool follows_series() const { return shown_.moved == SeriesPlayer::Moved::kNot && world_.comparison_due(); }

    void finish_move(const SeriesPlayer& player) {
        const bool stepped = std::exchange(shown_.moved, SeriesPlayer::Moved::kNot) == SeriesPlayer::Moved::kStepped;
        take_measurements();
        inspection_.take(simulation_, status_.inspection, status_.pace.paused);
        if (!stepped) {
            if (pace_.per_frame == 0) show_now();
            return publish_status();
        }
        shown_.steps = 1;
        pace_.rate.add(1);
        if (pace_.single > 0) --pace_.single;
        wait_for_next_step(1);
        if (pace_.per_frame == 0 && !status_.source.series.follows && player.at_end(simulation_.now().time))
            status_.pace.paused = true;
        shown_.stepped = true;
        if (!compare_.due(simulation_)) show_step();
    }

    /// Collects new snapshots and remarks about the files.
    void look_at(SeriesPlayer& player) {
        const auto before = status_.source.series.times;
        const std::vector<std::string> remarks = player.look();
        player.report_to(status_.source.series);
        if (remarks.empty() && status_.source.series.times == before) return;
        status_.scene.notes.insert(status_.scene.notes.end(), remarks.begin(), remarks.end());
        if (!remarks.empty()) status_.report(remarks.back());
        publish_status();
    }

    /// If a series is at its end, starts the series again.
    void play_again() {
        SeriesPlayer* const player = world_.motion.player();
        if (!player) return;
        player->set_backward(status_.pace.reversed);
        if (player->at_end(simulation_.now().time)) player->go_to_end(status_.pace.reversed);
    }

    // A cloud is displayed in place of steps.

    Seconds until_next(const CloudStream& cloud) const {
        if (cloud.changed()) return Seconds::zero();
        return cloud.busy() ? kLook : kIdle;
    }

    /// Publishes new data as fast as frames are taken.
    void work(CloudStream& cloud) {
        if (const std::string remark = cloud.remark(); !remark.empty()) environment_error(remark);
        if (frames_.taken()) {
            publish_frame();
        } else {
            std::this_thread::sleep_for(kLook);
        }
        publish_status();
    }

    // Other bodies.

    void adopt_scene() {
        const Scene& scene = simulation_.scene();
        snapshots_.end();
        ++status_.scene.serial;
        status_.scene.id = scene.id;
        status_.scene.label = scene.label;
        status_.scene.notes = scene.notes;
        status_.scene.facts = world_.facts, status_.scene.waits_for_start = false;
        status_.scene.days_per_time = scene.days_per_time, status_.scene.cosmology = scene.cosmology;
        status_.scene.length_unit = scene.length_unit, status_.scene.mass_unit = scene.mass_unit;
        status_.scene.steps_per_frame = scene.steps_per_frame;
        status_.pace.speed_limit = 60.0 * scene.steps_per_frame;
        status_.scene.loading = false;
        status_.message.text.clear();
        status_.edits.time.reset();
        adopt_bodies();
        rewind_.begins(simulation_);
        world_.history.make_room(simulation_);
        inspection_.set(simulation_, nullptr);
        inspection_.take(simulation_, status_.inspection, true);
        status_.pace.reversed = false;
    }

    void wait_for_start(bool look_first) {
        status_.scene.waits_for_start = look_first && world_.facts.suggests();
        if (status_.scene.waits_for_start) status_.pace.paused = true;
    }

    /// For other bodies of the same scene; dependent work restarts a little later.
    void adopt_bodies() {
        forces_.forget(status_);
        errors_.restart();
        pace_.rate.restart();
        pace_.next = Clock::now();
        theta_.clear();
        snapshots_.adopt_bodies(simulation_);
        bodies_serial_ = simulation_.encounters().bodies_serial();
        monitors_.restart(simulation_, status_);
        rewind_.restart_later();
        kept_.forget();
        trails_.forget();
        status_.timeline.held = false;
        status_.source.series = {};
        if (world_.motion.cloud()) status_.pace.paused = true;
        shown_.moved = SeriesPlayer::Moved::kNot;
        pace_.single = 0;
        shown_.stepped = false;
    }

    // Publishing.

    /// Keeps the last good frame and stops if the state is no longer finite.
    void publish_frame(bool paced = false) {
        stop_if_lost();
        const bool taken = frames_.taken();
        Frame& frame = frames_.back();
        const bool one_by_one = pace_.per_frame > 0 || status_.pace.paused;  // frames are viewed one by one
        world_.fill(frame, !one_by_one);
        frame.cells = forces_.cells(simulation_, one_by_one);
        inspection_.fill(simulation_, frame);
        trails_.fill(frame, taken);
        frame.paced = paced;
        frames_.publish();
        shown_.frame_at = Clock::now();
    }

    /// Shows the present state after a user's change; never in place of a frame that a recording waits for.
    void show_now() {
        if (!shown_.waits_for_window && !compare_.due(simulation_)) publish_frame();
    }

    void publish_paced_frame() {
        shown_.waits_for_window = true;
        {
            const std::lock_guard lock{mail_.mutex};
            mail_.acknowledged = false;
        }
        while (forces_.due(simulation_)) {  // every frame, including the first, needs its tree
            if (!simulation_.evaluate(kSlice)) continue;
            forces_.evaluated(simulation_);
            forces_.take_cells_next();
        }
        if (!simulation_.within_step()) complete_colors(simulation_);
        compare_.complete_colors();
        publish_frame(true);
    }

    void publish_status() {
        status_.bodies = simulation_.system().count();
        status_.scene.request = world_.request;
        status_.edits.undos = world_.history.undos(), status_.edits.redos = world_.history.redos();
        status_.edits.dropped = world_.history.dropped();
        status_.engine.config = simulation_.engine_config();
        status_.engine.used = simulation_.used_engine();
        status_.engine.choice = simulation_.engine_choice();
        status_.engine.ranks = simulation_.forces().ranks() ? simulation_.forces().ranks()->count() : 1;
        status_.engine.shared = simulation_.system().shared();
        status_.force.accuracy_to_keep = simulation_.system().accuracy_to_keep();
        status_.force.acceptance = simulation_.forces().acceptance();
        status_.dynamics.gravity = simulation_.scene().gravity;
        status_.encounters.rule = simulation_.scene().encounters;
        status_.encounters.ledger = simulation_.encounters().log().ledger;
        const auto& last = simulation_.encounters().log().last;
        status_.encounters.last.assign(
            last.rbegin(), last.rbegin() + std::min<std::ptrdiff_t>(std::ssize(last), EncounterStatus::kMostShown));
        status_.encounters.mean_mass = simulation_.encounters().metadata().mean_mass;
        status_.dynamics.dt = simulation_.scene().dt;
        status_.dynamics.integrator = simulation_.scene().integrator;
        status_.dynamics.adaptive = simulation_.scene().adaptive;
        status_.dynamics.ladder = ladder(simulation_);
        status_.time = simulation_.now().time, status_.scene.scale_factor = simulation_.scene().scale_factor;
        status_.scene.expansion = expansion_of(simulation_.scene());
        status_.step = simulation_.now().steps;
        status_.force.progress = simulation_.forces().progress();
        status_.force.timing = forces_.timing();
        status_.pace.steps_per_second = status_.pace.paused ? 0 : pace_.rate.rate();
        const auto n = static_cast<double>(status_.bodies);
        status_.force.pairs_per_second = status_.force.timing.median > 0 ? n * n / status_.force.timing.median : 0;
        status_.force.body_forces = simulation_.forces().body_forces();
        rewind_.report_to(simulation_, status_.timeline);
        world_.motion.report_to(status_);
        if (auto sweep = theta_.take()) status_.force.theta_sweep = std::move(*sweep);
        compare_.report(simulation_, status_);
        keeper_.report_to(status_);
        snapshots_.report_to(status_);
        shown_.status_at = Clock::now();
        const std::lock_guard lock{mail_.mutex};
        mail_.published = status_;
    }

    // Actions, applied between two slices. Each overload adds what an action changes on this thread to its effect on
    // the world.

    template <class Other>
    void apply(const Other& wish) {
        world_.apply(wish);
        if constexpr (ShownAction<Other>) show_now();
    }

    void apply(const SetTrails& wish) { trails_.want(wish.every); }
    void apply(const SetRewindBudget& wish) { rewind_.set_budget(simulation_, wish.bytes); }
    void apply(const WatchAnalysis& wish) { monitors_.want_analysis(wish.settings, status_); }
    void apply(const FollowSeries& wish) { world_.motion.player()->follow(wish.on); }

    void apply(const LoadScene& wish) {
        status_.scene.loading = true;
        publish_status();
        if (wish.undoable && ends_within_patience()) end_step(kUnnoticed);  // the estimate may belong to another engine
        world_.apply(wish);
        adopt_scene();
        wait_for_start(wish.look_first);
        if (wish.speed) status_.pace.speed_limit = *wish.speed;
        publish_frame();
    }

    void apply(const SaveState& wish) {
        if (wish.by == SaveState::By::kItself) {
            keeper_.ask(world_.motion.player() ? std::string{} : wish.path);
            if (keeper_.wanted() && !simulation_.within_step()) keeper_.take(simulation_);
            return;
        }
        end_step();
        if (wish.path.ends_with(".orrery"))
            write_checkpoint(
                checkpoint_of(simulation_, {.steps = static_cast<std::uint64_t>(std::abs(simulation_.now().steps))}),
                wish.path);
        else
            write_snapshot(chosen_scene(wish), wish.path);
        status_.saving.path = wish.path;
        ++status_.saving.serial;
    }

    Scene chosen_scene(const SaveState& wish) const {
        Scene scene = present_scene(simulation_);
        std::erase_if(scene.bodies.fields, [](const BodyField& field) { return field.name == kFilterField; });
        return wish.only ? scene_of(BodySet::of_rows(scene.bodies.size(), *wish.only), scene) : scene;
    }

    void apply(const RecordSnapshots& wish) {
        if (wish.pattern.empty()) return snapshots_.end();
        snapshots_.begin(simulation_, wish);
    }

    void apply(const EditBodies& wish) { edit(wish); }
    void apply(const Undo& wish) { edit(wish); }
    void apply(const Redo& wish) { edit(wish); }

    /// A rejected edit changes nothing, except that the current step has ended.
    template <class Wish>
    void edit(const Wish& wish) {
        end_step();
        const SceneRequest request = world_.request;
        const std::size_t bodies = simulation_.system().count();
        world_.apply(wish);
        if (world_.request != request) {
            adopt_scene();
        } else {
            adopt_bodies();
            monitors_.rest_until(Clock::now() + kAfterEdit), errors_.rest_until(Clock::now() + kAfterEdit);
            status_.edits.time = simulation_.now().time;
            if (simulation_.system().count() != bodies) inspection_.set(simulation_, nullptr);
            inspection_.take(simulation_, status_.inspection, true);
        }
        show_now();
    }

    void apply(const SetEngine& wish) {
        const auto energies_of = [](const EngineConfig& config) {
            return std::pair{law_of(config), has_own_law(config)};
        };
        const auto before = energies_of(simulation_.engine_config());
        world_.apply(wish);
        if (energies_of(simulation_.engine_config()) != before) monitors_.restart_energy(simulation_, status_);
        forces_.forget(status_);
        errors_.restart();
        if (status_.pace.paused) show_now();
    }

    void apply(const SetGlDevice& wish) {
        end_step();
        world_.apply(wish);
        kept_.forget();
        forces_.forget(status_);
        show_now();
    }

    void apply(const SetPaused& wish) {
        status_.pace.paused = wish.paused;
        if (!wish.paused) status_.scene.waits_for_start = false;
        if (!wish.paused && pace_.per_frame == 0) play_again();
        pace_.rate.restart();
        pace_.next = Clock::now();
        if (!wish.paused) return;
        inspection_.take(simulation_, status_.inspection, true);
        show_now();
    }

    void apply(const SingleStep& wish) {
        status_.pace.paused = true;
        pace_.single_back = wish.back;
        pace_.single = wish.back && simulation_.within_step() ? 2 : 1;  // finish the current step first
    }

    void apply(const SetReversed& wish) {
        status_.pace.reversed = wish.reversed;
        pace_.next = Clock::now();
    }

    void apply(const SetSoftening& wish) { change_law(wish); }
    void apply(const SetLaw& wish) { change_law(wish); }
    void change_law(const Action& wish) {
        world_.apply(wish);
        monitors_.restart_energy(simulation_, status_);
        errors_.restart();
        forces_.measure_soon();
    }

    void apply(const SetEncounters& wish) {
        end_step();
        world_.apply(wish);
        follow_bodies();
        show_now();
    }

    void apply(const SetSpeed& wish) {
        if (!(wish.steps_per_second >= 0))
            usage_error(fmt::format("speed {}: must be 0 or more", wish.steps_per_second));
        status_.pace.speed_limit = wish.steps_per_second;
        pace_.next = Clock::now();
    }

    void apply(const SetPacing& wish) {
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

    void apply(const SetCells& wish) {
        forces_.want_cells(wish.most);
        show_now();
    }

    void apply(const MeasureTheta& wish) {
        if (!wish.on) return theta_.stop();
        const EngineConfig& config = simulation_.engine_config();
        if (!engine(config.engine, config.backend).has_tree())
            usage_error(fmt::format("engine '{}' on {} has no tree", config.engine, name(config.backend)));
        theta_.start(simulation_.system().bodies(), simulation_.scene().gravity, config);
    }

    void show_rewound() {
        pace_.single = 0;
        follow_bodies();
        forces_.measure_soon();
        pace_.rate.restart();
        pace_.next = Clock::now();
        inspection_.take(simulation_, status_.inspection, true);
        show_now();
    }

    void apply(const Rewind& wish) {
        status_.timeline.held = false;
        rewind_.go_to(simulation_, wish.moment);
        status_.timeline.held = wish.hold;
        show_rewound();
    }

    void apply(const RewindBy& wish) {
        status_.pace.paused = true;
        if (SeriesPlayer* const player = world_.motion.player())
            return player->go_by(simulation_.now().time, wish.snapshots);
        rewind_.go_by(simulation_, wish.snapshots);
        show_rewound();
    }

    void apply(const ShowTime& wish) {
        world_.apply(wish);
        status_.source.series.held = wish.hold;
        pace_.rate.restart();
        pace_.next = Clock::now();
    }

    void apply(const LeaveSeries& wish) {
        world_.apply(wish);
        status_.pace.reversed = false;
        adopt_bodies();
        show_now();
    }

    void apply(const Inspect& wish) {
        inspection_.set(simulation_, wish.bodies);
        inspection_.take(simulation_, status_.inspection, true);
        show_now();
    }

    void apply(const CopyBodies&) {
        const std::uint64_t serial = status_.taken ? status_.taken->serial + 1 : 1;
        status_.taken = std::make_shared<const TakenBodies>(
            TakenBodies{serial, status_.scene.id, simulation_.system().bodies(), simulation_.scene().gravity});
    }

    void apply(const WatchCentreOfMass& wish) {
        inspection_.watch_mass_centre(wish.on);
        show_now();
    }

    void apply(const SetDifferences& wish) {
        world_.apply(wish);
        if (status_.pace.paused) show_now();
    }

    TripleBuffer<Frame>& frames_;
    std::stop_token stop_;  // of the thread
    World world_;
    Simulation& simulation_ = world_.simulation;
    StateMonitors monitors_;
    ForceMonitor forces_;
    BodyErrorMonitor errors_;
    RewindMonitor rewind_;
    KeptState kept_;
    TrailMonitor trails_;
    CheckpointWriter keeper_;
    SnapshotRecorder snapshots_;
    InspectionMonitor inspection_;
    BackgroundThetaSweep theta_;
    Comparison& compare_ = world_.comparison;
    Status status_;
    /// When steps are taken.
    struct Pace {
        RateMeter rate;
        Clock::time_point next{};
        int single = 0;            // steps to take although the simulation is paused
        bool single_back = false;  // their direction
        int per_frame = 0;         // SetPacing
        int paced = 0;             // steps since SetPacing
    };
    /// Published frames and status.
    struct Shown {
        Clock::time_point frame_at{}, lost_at{}, status_at{};  // lost_at: the last search for lost bodies
        bool waits_for_window = false;
        bool stepped = false;                                   // a step has not been shown yet
        int steps = 0;                                          // number of steps completed together
        SeriesPlayer::Moved moved = SeriesPlayer::Moved::kNot;  // move along a series that has not been shown yet
    };
    struct Mail {
        mutable std::mutex mutex;  // guards the members below
        std::condition_variable_any wake;
        std::deque<Action> inbox;
        bool acknowledged = false;
        Status published;
    };
    Pace pace_;
    Shown shown_;
    std::uint64_t bodies_serial_ = 0;  // last followed serial
    Mail mail_;

    std::jthread thread_;  // last member: it uses all of the above and is destroyed first
};

SimulationThread::SimulationThread(const SceneRequest& request, const EngineConfig& engine, Ranks* ranks,
                                   bool look_first)
    : worker_{std::make_unique<SimulationWorker>(frames_, request, engine, ranks, look_first)} {}
SimulationThread::~SimulationThread() = default;
void SimulationThread::send(Action action) { worker_->send(std::move(action)); }
void SimulationThread::acknowledge_frame() { worker_->acknowledge(); }
Status SimulationThread::status() const { return worker_->status(); }

}  // namespace orrery
