// SPDX-License-Identifier: MIT
#include "app/serve/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLeastWindow = 2, kMostWindow = 16;
constexpr double kBurst = 0.25;          // seconds of the limit that may be saved up
constexpr double kWaits = 0.08;          // seconds above the shortest round trip: frames are queued somewhere
constexpr double kFlows = 0.03;          // seconds above it: no frames are queued
constexpr double kBetweenChanges = 0.2;  // s
constexpr auto kQuickestHolds = 30s;     // afterwards, the route may have changed

}  // namespace

Pacing::Pacing(double limit)
    : limit_{limit}, rate_{limit > 0 ? std::min(limit, kFirst) : kFirst}, budget_{limit * kBurst} {
    filled_ = measured_ = quickest_at_ = Clock::now();
}

void Pacing::refill(Clock::time_point now) {
    budget_ = std::min(budget_ + limit_ * seconds_of(now - filled_), limit_ * kBurst);
    filled_ = now;
}

bool Pacing::may_send(Clock::time_point now) {
    if (sent_.size() >= window_) return false;
    if (limit_ > 0) {
        refill(now);
        if (budget_ < 0) return false;
    }
    const double hold = rate_ / 8 * (std::min(quickest_, 1.0) + 0.1);
    return sent_.empty() || static_cast<double>(bytes_) < hold;
}

void Pacing::sent(std::uint32_t serial, std::size_t bytes, Clock::time_point now) {
    sent_.push_back({serial, bytes, now});
    bytes_ += bytes;
    if (limit_ > 0) budget_ -= 8 * static_cast<double>(bytes);
}

void Pacing::shown(std::uint32_t serial, Clock::time_point now) {
    bool any = false;
    // Serials are consecutive and may wrap around.
    while (!sent_.empty() && static_cast<std::int32_t>(serial - sent_.front().serial) >= 0) {
        round_trip_ = seconds_of(now - sent_.front().at);
        bytes_ -= sent_.front().bytes;
        delivered_ += 8 * static_cast<double>(sent_.front().bytes);
        sent_.pop_front();
        ++pictures_;
        any = true;
    }
    if (any) adapt(now);
}

void Pacing::adapt(Clock::time_point now) {
    if (round_trip_ < quickest_ || now - quickest_at_ > kQuickestHolds) quickest_ = round_trip_, quickest_at_ = now;
    const double since = seconds_of(now - measured_), waits = round_trip_ - quickest_;
    if (since < kBetweenChanges || (waits >= kFlows && waits <= kWaits)) return;
    // Change the rate only if it determines the size of frames.
    const bool used = delivered_ / pictures_ * kFps > 0.4 * rate_;
    if (waits > kWaits) {
        const double came = delivered_ / since;
        if (used || window_ == kLeastWindow)
            rate_ = std::max(kSlowest, std::clamp(0.85 * came, rate_ / 2, 0.85 * rate_));
        window_ = std::max(kLeastWindow, window_ - 1);
    } else {
        window_ = std::min(kMostWindow, window_ + 1);
        if (used) rate_ = std::min(limit_ > 0 ? std::min(limit_, kFastest) : kFastest, 1.1 * rate_);
    }
    measured_ = now, delivered_ = 0, pictures_ = 0;
}

}  // namespace orrery
