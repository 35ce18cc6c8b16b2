// SPDX-License-Identifier: MIT
#include "core/live/simulation_worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

constexpr std::chrono::duration<double> kSlice{0.015};              // an action waits at most about this long
constexpr std::chrono::duration<double> kDisk{0.005};               // wait for room in the queue of snapshots to write
constexpr std::chrono::duration<double> kPublishPeriod{0.007};      // faster than any display
constexpr std::chrono::duration<double> kLook{0.004}, kIdle{0.25};  // between checks for data that have been read
constexpr std::chrono::duration<double> kPatience{0.015};           // for reading; limits the wait of an action

/// True if applying both has the same effect as applying only the later one.
bool overtakes(const Action& later, const Action& earlier) {
    if (std::holds_alternative<SetEngine>(later)) return std::holds_alternative<SetEngine>(earlier);
    const auto *scene = std::get_if<LoadScene>(&later), *before = std::get_if<LoadScene>(&earlier);
    return scene && before && (scene->engine || !before->engine) && (before->undoable || !scene->undoable);
}

}  // namespace

SimulationWorker::SimulationWorker(TripleBuffer<Frame>& frames, const SceneRequest& request, const EngineConfig& engine,
                                   Ranks* ranks, bool look_first)
    : frames_{frames}, world_{open_scene_or_series(request), engine, ranks, request} {
    adopt_scene();
    wait_for_start(look_first);
    publish_frame();
    publish_status();
    thread_ = std::jthread{[this](std::stop_token stop) { run(stop); }};
}

void SimulationWorker::send(Action action) {
    const std::lock_guard lock{mail_.mutex};
    mail_.inbox.push_back(std::move(action));
    mail_.wake.notify_one();
}

void SimulationWorker::acknowledge() {
    const std::lock_guard lock{mail_.mutex};
    mail_.acknowledged = true;
    mail_.wake.notify_one();
}

Status SimulationWorker::status() const {
    const std::lock_guard lock{mail_.mutex};
    return mail_.published;
}

void SimulationWorker::run(std::stop_token stop) {
    stop_ = stop;
    lower_thread_priority();
    while (!stop.stop_requested()) {
        take_mail();
        snapshots_.take(simulation_);
        if (world_.player) look_at_series();
        const auto pause = until_next_step();
        if (pause > Seconds::zero()) {
            if (!world_.cloud) take_measurements();
            publish_status();
            std::unique_lock lock{mail_.mutex};
            mail_.wake.wait_for(lock, stop, pause, [&] { return !mail_.inbox.empty() || mail_.acknowledged; });
        } else {
            guarded([&] { work(); });
        }
    }
}

void SimulationWorker::take_mail() {
    std::deque<Action> actions;
    {
        const std::lock_guard lock{mail_.mutex};
        actions.swap(mail_.inbox);
        if (mail_.acknowledged) shown_.waits_for_window = mail_.acknowledged = false;
    }
    for (std::size_t i = 0; i < actions.size() && !stop_.stop_requested(); ++i) {
        // Skip engines and scenes that are replaced within the same slice (a moved slider, a key held down). Not while
        // a session may be recorded, because a replay applies all: an engine in float rounds the state that the next
        // one continues from.
        const bool overtaken = pace_.per_frame == 0 && i + 1 < actions.size() && overtakes(actions[i + 1], actions[i]);
        if (!overtaken)
            guarded([&] {
                if (world_.cloud) require_moving(actions[i]);
                std::visit([&](const auto& wish) { apply(wish); }, actions[i]);
            });
        ++status_.actions_done;
    }
    if (!actions.empty()) publish_status();
}

/// Reports a failed action, which leaves everything unchanged, as a message.
template <class Body>
void SimulationWorker::guarded(const Body& body) {
    try {
        body();
    } catch (const std::exception& error) {
        status_.report(error.what());
        status_.scene.loading = false;
        publish_status();
    }
}

SimulationWorker::Seconds SimulationWorker::until_next_step() const {
    constexpr Seconds nothing{0.25};  // wakes occasionally to collect finished energies
    if (shown_.waits_for_window) return nothing;
    if (world_.player) return until_next_move();
    if (world_.cloud) return until_next_look();
    if (compare_.due(simulation_) || compare_.waits_for(simulation_)) return Seconds::zero();
    if (status_.timeline.held) return nothing;
    if (snapshots_.waits(simulation_)) return kDisk;
    if (status_.pace.paused && pace_.single == 0) return forces_.wanted(simulation_) ? Seconds::zero() : nothing;
    if (pace_.per_frame > 0 || status_.pace.speed_limit == 0 || pace_.single > 0) return Seconds::zero();
    return pace_.next - Clock::now();
}

void SimulationWorker::work() {
    if (world_.player) return play();
    if (world_.cloud) return look_at_cloud();
    if (compare_.due(simulation_)) return follow();
    std::uint64_t steps = 0;
    try {
        const bool still = status_.pace.paused && pace_.single == 0 && !compare_.waits_for(simulation_);
        if (still && !simulation_.within_step()) return evaluate_for_picture();  // otherwise finish the step first
        choose_direction();
        rewind_.begins(simulation_);
        steps = simulation_.advance(kSlice, steps_at_once());
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

void SimulationWorker::take_measurements() {
    monitors_.take(simulation_, world_.player ? world_.player->reached() : nullptr, status_);
}

void SimulationWorker::follow() {
    try {
        if (!compare_.work(simulation_, kSlice)) return publish_status();
    } catch (...) {
        show_step();  // show A, which continues alone
        throw;
    }
    show_step();
}

void SimulationWorker::catch_up() {
    while (compare_.due(simulation_) && !compare_.work(simulation_, kSlice)) {
    }
}

void SimulationWorker::show_step() {
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

void SimulationWorker::finish_steps(std::uint64_t steps) {
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

void SimulationWorker::wait_for_next_step(std::uint64_t steps) {
    if (status_.pace.speed_limit == 0) return;
    const auto period =
        std::chrono::duration_cast<Clock::duration>(Seconds{static_cast<double>(steps) / status_.pace.speed_limit});
    // Late steps are caught up for by at most a twentieth of a second.
    pace_.next = std::max(pace_.next + period, Clock::now() - std::chrono::milliseconds{50});
}

/// Queue several steps unless each must be displayed; a speed limit or a due frame ends the batch.
std::uint64_t SimulationWorker::steps_at_once() const {
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

/// A single step may have its own direction; a step in progress keeps its direction.
void SimulationWorker::choose_direction() {
    if (!simulation_.within_step())
        simulation_.set_reversed(pace_.single > 0 ? pace_.single_back : status_.pace.reversed);
}

void SimulationWorker::evaluate_for_picture() {
    if (simulation_.evaluate(kSlice)) {
        forces_.evaluated(simulation_);
        forces_.take_report(simulation_, status_);
        forces_.take_cells_next();
        publish_frame();
    }
    publish_status();
}

void SimulationWorker::adopt_scene() {
    const Scene& scene = simulation_.scene();
    snapshots_.end();
    ++status_.scene.serial;
    status_.scene.id = scene.id;
    status_.scene.label = scene.label;
    status_.scene.notes = scene.notes;
    status_.scene.facts = world_.facts, status_.scene.waits_for_start = false;
    status_.scene.days_per_time = scene.days_per_time;
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

void SimulationWorker::adopt_bodies() {
    forces_.forget(status_);
    pace_.rate.restart();
    pace_.next = Clock::now();
    theta_.clear();
    snapshots_.adopt_bodies(simulation_);
    bodies_serial_ = simulation_.encounters().bodies_serial();
    monitors_.restart(simulation_, status_);
    rewind_.restart_later();
    trails_.forget();
    status_.timeline.held = false;
    status_.source.series = {};
    if (world_.cloud) status_.pace.paused = true;
    shown_.moved = SeriesPlayer::Moved::kNot;
    pace_.single = 0;
    shown_.stepped = false;
}

void SimulationWorker::follow_bodies() {
    if (simulation_.encounters().bodies_serial() == bodies_serial_) return;
    bodies_serial_ = simulation_.encounters().bodies_serial();
    inspection_.follow(simulation_);
}

void SimulationWorker::stop_if_lost() {
    const auto lost = simulation_.lost();
    if (!lost) return;
    status_.pace.paused = true;
    environment_error(
        fmt::format("body {} is no longer finite after step {}: stopped; a smaller dt or a larger "
                    "softening may help",
                    lost->body, lost->step));
}

/// Keeps the last good frame and stops if the state is no longer finite.
void SimulationWorker::publish_frame(bool paced) {
    stop_if_lost();
    const bool taken = frames_.taken();
    Frame& frame = frames_.back();
    const bool one_by_one = pace_.per_frame > 0 || status_.pace.paused;  // frames are viewed one by one
    simulation_.fill(frame, !one_by_one);
    compare_.fill(simulation_, frame, !one_by_one);
    frame.cells = forces_.cells(simulation_, one_by_one);
    inspection_.fill(simulation_, frame);
    trails_.fill(frame, taken);
    if (world_.cloud) world_.cloud->fill(frame);
    frame.paced = paced;
    frames_.publish();
    shown_.frame_at = Clock::now();
}

/// Shows the present state after a user's change; never in place of a frame that a recording waits for.
void SimulationWorker::show_now() {
    if (!shown_.waits_for_window && !compare_.due(simulation_)) publish_frame();
}

void SimulationWorker::publish_paced_frame() {
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
    compare_.complete_colors();
    publish_frame(true);
}

void SimulationWorker::publish_status() {
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
    status_.step = simulation_.now().steps;
    status_.force.progress = simulation_.forces().progress();
    status_.force.timing = forces_.timing();
    status_.pace.steps_per_second = status_.pace.paused ? 0 : pace_.rate.rate();
    const auto n = static_cast<double>(status_.bodies);
    status_.force.pairs_per_second = status_.force.timing.median > 0 ? n * n / status_.force.timing.median : 0;
    rewind_.report_to(simulation_, status_.timeline);
    if (world_.player) world_.player->report_to(status_.source.series);
    status_.source.cloud = world_.cloud ? world_.cloud->status() : CloudStatus{};
    if (world_.cloud) status_.bodies = static_cast<std::size_t>(status_.source.cloud.bodies);
    if (auto sweep = theta_.take()) status_.force.theta_sweep = std::move(*sweep);
    compare_.report(simulation_, status_);
    keeper_.report_to(status_);
    snapshots_.report_to(status_);
    shown_.status_at = Clock::now();
    const std::lock_guard lock{mail_.mutex};
    mail_.published = status_;
}

// A series of snapshots is played in place of steps.

SimulationWorker::Seconds SimulationWorker::until_next_move() const {
    constexpr Seconds nothing{0.25};
    const SeriesPlayer& player = *world_.player;
    if (follows_series()) return Seconds::zero();
    if (player.under_way() || shown_.moved != SeriesPlayer::Moved::kNot) return Seconds::zero();
    if (status_.source.series.held) return nothing;
    if (status_.pace.paused && pace_.single == 0) return forces_.wanted(simulation_) ? Seconds::zero() : nothing;
    if (pace_.per_frame > 0 || pace_.single > 0) return Seconds::zero();
    if (player.at_end(simulation_.now().time)) return nothing;
    return status_.pace.speed_limit == 0 ? Seconds::zero() : pace_.next - Clock::now();
}

/// True if B must catch up with the displayed bodies.
bool SimulationWorker::follows_series() const {
    return shown_.moved == SeriesPlayer::Moved::kNot && world_.comparison_due();
}

/// Moves the bodies, then computes what their frame needs; in slices, like a step.
void SimulationWorker::play() {
    SeriesPlayer& player = *world_.player;
    if (follows_series()) return follow();
    if (shown_.moved == SeriesPlayer::Moved::kNot) {
        if (status_.pace.paused && pace_.single == 0 && !player.under_way()) return evaluate_for_picture();
        player.set_backward(pace_.single > 0 ? pace_.single_back : status_.pace.reversed);
        try {
            shown_.moved = player.move(simulation_, kPatience);
        } catch (...) {
            status_.pace.paused = true;
            pace_.single = 0;
            throw;
        }
        if (shown_.moved == SeriesPlayer::Moved::kNot) return publish_status();
        if (shown_.moved == SeriesPlayer::Moved::kStepped) compare_.a_played(simulation_);
    }
    if (forces_.due(simulation_)) {
        if (!simulation_.evaluate(kPatience)) return publish_status();
        forces_.evaluated(simulation_);
        forces_.take(simulation_, status_);
    }
    finish_move();
}

void SimulationWorker::finish_move() {
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
    if (pace_.per_frame == 0 && !status_.source.series.follows && world_.player->at_end(simulation_.now().time))
        status_.pace.paused = true;
    shown_.stepped = true;
    if (!compare_.due(simulation_)) show_step();
}

/// Collects new snapshots and remarks about the files.
void SimulationWorker::look_at_series() {
    const auto before = status_.source.series.times;
    const std::vector<std::string> remarks = world_.player->look();
    world_.player->report_to(status_.source.series);
    if (remarks.empty() && status_.source.series.times == before) return;
    status_.scene.notes.insert(status_.scene.notes.end(), remarks.begin(), remarks.end());
    if (!remarks.empty()) status_.report(remarks.back());
    publish_status();
}

/// At its end, starts the series again.
void SimulationWorker::play_again() {
    world_.player->set_backward(status_.pace.reversed);
    if (world_.player->at_end(simulation_.now().time)) world_.player->go_to_end(status_.pace.reversed);
}

void SimulationWorker::apply(const ShowTime& wish) {
    world_.apply(wish);
    status_.source.series.held = wish.hold;
    pace_.rate.restart();
    pace_.next = Clock::now();
}

void SimulationWorker::apply(const FollowSeries& wish) {
    if (!world_.player) usage_error("no series is played");
    world_.player->follow(wish.on);
}

void SimulationWorker::apply(const LeaveSeries& wish) {
    world_.apply(wish);
    status_.pace.reversed = false;
    adopt_bodies();
    show_now();
}

// A cloud is displayed in place of steps.

void SimulationWorker::require_moving(const Action& wish) const {
    if (needs_moving(wish)) usage_error(std::string{kCloudIsStill});
}

SimulationWorker::Seconds SimulationWorker::until_next_look() const {
    if (world_.cloud->changed()) return Seconds::zero();
    return world_.cloud->busy() ? kLook : kIdle;
}

/// Publishes new data as fast as frames are taken.
void SimulationWorker::look_at_cloud() {
    if (const std::string remark = world_.cloud->remark(); !remark.empty()) environment_error(remark);
    if (frames_.taken()) {
        publish_frame();
    } else {
        std::this_thread::sleep_for(kLook);
    }
    publish_status();
}

SimulationThread::SimulationThread(const SceneRequest& request, const EngineConfig& engine, Ranks* ranks,
                                   bool look_first)
    : worker_{std::make_unique<SimulationWorker>(frames_, request, engine, ranks, look_first)} {}
SimulationThread::~SimulationThread() = default;
void SimulationThread::send(Action action) { worker_->send(std::move(action)); }
void SimulationThread::acknowledge_frame() { worker_->acknowledge(); }
Status SimulationThread::status() const { return worker_->status(); }

}  // namespace orrery
