// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace orrery {

inline double seconds_of(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

/// Limits the rate of frames to one viewer, from its acknowledgements. If they come later than the fastest ones did,
/// frames are queued somewhere, and fewer may be in flight; otherwise more may (delay-based congestion control: Brakmo
/// & Peterson 1995). The bit rate is reduced as well if it fills the link: worse frames do not help a browser that
/// decodes slowly. The data in flight never exceeds that of a round trip and a tenth of a second.
class Pacing {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kFps = 25;  ///< frames per second for which a bit rate is chosen
    static constexpr double kSlowest = 100'000, kFirst = 30'000'000, kFastest = 400'000'000;  ///< bits per second

    /// `limit` in bits per second; 0: none.
    explicit Pacing(double limit = 0);

    bool may_send(Clock::time_point now);
    void sent(std::uint32_t serial, std::size_t bytes, Clock::time_point now);
    /// This frame and all before it have been displayed.
    void shown(std::uint32_t serial, Clock::time_point now);

    double rate() const { return rate_; }  ///< bits per second for frames
    /// Of the last acknowledgement; 0 before the first.
    double round_trip() const { return round_trip_; }  ///< seconds
    std::size_t in_flight() const { return sent_.size(); }
    /// When the oldest frame in flight was sent; `now` if there is none.
    Clock::time_point waiting_since(Clock::time_point now) const { return sent_.empty() ? now : sent_.front().at; }

private:
    struct Sent {
        std::uint32_t serial;
        std::size_t bytes;
        Clock::time_point at;
    };
    void adapt(Clock::time_point now);
    void refill(Clock::time_point now);

    double limit_, rate_;
    double budget_ = 0;  // bits left of the limit
    double round_trip_ = 0, quickest_ = 1e9;
    double delivered_ = 0;    // bits since measured_
    int pictures_ = 0;        // frames since measured_
    std::size_t bytes_ = 0;   // in flight
    std::size_t window_ = 4;  // maximum number of frames in flight
    std::deque<Sent> sent_;
    Clock::time_point filled_, measured_, quickest_at_;
};

}  // namespace orrery
