// SPDX-License-Identifier: MIT
// Plays the bodies of a series in place of steps.
#include "core/base/error.hpp"
#include "core/live/simulation_worker.hpp"

namespace orrery {
namespace {

constexpr std::chrono::duration<double> kPatience{0.015};  // for reading; limits the wait of an action

}  // namespace

SimulationWorker::Seconds SimulationWorker::until_next_move() const {
    constexpr Seconds nothing{0.25};
    const SeriesPlayer& player = *both_.player;
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
    return shown_.moved == SeriesPlayer::Moved::kNot && both_.comparison_due();
}

/// Moves the bodies, then computes what their frame needs; in slices, like a step.
void SimulationWorker::play() {
    SeriesPlayer& player = *both_.player;
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
    if (pace_.per_frame == 0 && !status_.source.series.follows && both_.player->at_end(simulation_.now().time))
        status_.pace.paused = true;
    shown_.stepped = true;
    if (!compare_.due(simulation_)) show_step();
}

/// Collects new snapshots and remarks about the files.
void SimulationWorker::look_at_series() {
    const auto before = status_.source.series.times;
    const std::vector<std::string> remarks = both_.player->look();
    both_.player->report_to(status_.source.series);
    if (remarks.empty() && status_.source.series.times == before) return;
    status_.scene.notes.insert(status_.scene.notes.end(), remarks.begin(), remarks.end());
    if (!remarks.empty()) status_.report(remarks.back());
    publish_status();
}

/// At its end, starts the series again.
void SimulationWorker::play_again() {
    both_.player->set_backward(status_.pace.reversed);
    if (both_.player->at_end(simulation_.now().time)) both_.player->go_to_end(status_.pace.reversed);
}

void SimulationWorker::apply(const ShowTime& wish) {
    both_.apply(wish);
    status_.source.series.held = wish.hold;
    pace_.rate.restart();
    pace_.next = Clock::now();
}

void SimulationWorker::apply(const FollowSeries& wish) {
    if (!both_.player) usage_error("no series is played");
    both_.player->follow(wish.on);
}

void SimulationWorker::apply(const LeaveSeries& wish) {
    both_.apply(wish);
    status_.pace.reversed = false;
    adopt_bodies();
    show_now();
}

}  // namespace orrery
