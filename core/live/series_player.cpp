// SPDX-License-Identifier: MIT
#include "core/live/series_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/error.hpp"
#include "core/live/status.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

SeriesPlayer::SeriesPlayer(std::unique_ptr<Series> series) : series_{std::move(series)}, times_{series_->times()} {
    const double length = times_->back() - times_->front();
    if (length > 0) rate_ = length / kDefaultSteps;
}

void SeriesPlayer::set_rate(double rate) {
    if (!(rate > 0) || !std::isfinite(rate)) usage_error(fmt::format("time per step {}: must be positive", rate));
    rate_ = rate;
}

void SeriesPlayer::go_to(double time) {
    if (!std::isfinite(time)) usage_error(fmt::format("time {}: must be finite", time));
    aim_ = Aim{std::clamp(time, times_->front(), times_->back()), 0};
}

void SeriesPlayer::go_by(double from, int snapshots) {
    if (aim_) from = aim_->time;
    const auto after = std::ranges::upper_bound(*times_, from) - times_->begin();
    const auto at = std::ranges::lower_bound(*times_, from) - times_->begin();
    const std::ptrdiff_t wanted = snapshots > 0 ? after + snapshots - 1 : at + snapshots;
    go_to((*times_)[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, std::ssize(*times_) - 1))]);
}

void SeriesPlayer::go_to_end(bool last) { go_to(last ? times_->back() : times_->front()); }

void SeriesPlayer::go_to_nearest(double time) {
    const auto after = std::ranges::lower_bound(*times_, time);
    if (after == times_->end()) return go_to_end(true);
    if (*after == time) return;
    const bool before = after != times_->begin() && time - *std::prev(after) < *after - time;
    go_to(before ? *std::prev(after) : *after);
}

void SeriesPlayer::follow(bool on) {
    follows_ = on;
    series_->follow(on);
    if (on) go_to_end(true);
}

SeriesPlayer::Moved SeriesPlayer::move(Simulation& simulation, Series::Seconds patience) {
    const double step = backward_ ? -rate_ : rate_;
    if (!aim_)
        aim_ = Aim{std::clamp(simulation.now().time + step, times_->front(), times_->back()), backward_ ? -1 : 1};
    const Aim done = *aim_;
    const auto way = [&] {
        try {
            return series_->at(done.time, backward_, patience);
        } catch (...) {
            aim_.reset();  // no snapshot is left; it would only fail again
            throw;
        }
    }();
    if (!way) return Moved::kNot;
    aim_.reset();
    const double before = simulation.now().time;
    if (done.steps < 0 && way->to()->time <= before)
        reached_ = way->to();
    else if (!reached_ || done.steps == 0 || (done.steps > 0 && way->from()->time >= before))
        reached_ = way->from();
    simulation.show(*way, done.time, done.steps);
    return done.steps == 0 ? Moved::kJumped : Moved::kStepped;
}

bool SeriesPlayer::at_end(double time) const { return backward_ ? time <= times_->front() : time >= times_->back(); }

std::vector<std::string> SeriesPlayer::look() {
    if (const auto now = series_->times(); now != times_) {
        const bool more = now->back() > times_->back();
        times_ = now;
        if (follows_ && more) go_to_end(true);
    }
    return series_->remarks();
}

void SeriesPlayer::report_to(SeriesStatus& status) const {
    status.on = true;
    status.times = times_;
    status.rate = rate_;
    status.follows = follows_;
    status.reading = aim_.has_value();
}

}  // namespace orrery
