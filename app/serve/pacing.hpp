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

/// How fast pictures may go to one viewer, found from its acknowledgements. When these come later than the quickest
/// ones did, pictures wait somewhere, and fewer may be under way; while they do not, more may (as delay-based
/// congestion control does: Brakmo & Peterson 1995). The rate is cut as well if it is what fills the way: a browser
/// that decodes slowly is not helped by worse pictures. Never more is under way than a round trip and a tenth of a
/// second hold.
class Pacing {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kFps = 25;  ///< pictures per second that a rate is to give
    static constexpr double kSlowest = 100'000, kFirst = 30'000'000, kFastest = 400'000'000;  ///< bits per second

    /// `limit` in bits per second; 0: none.
    explicit Pacing(double limit = 0);

    bool may_send(Clock::time_point now);
    void sent(std::uint32_t serial, std::size_t bytes, Clock::time_point now);
    /// This picture and all before it have been shown.
    void shown(std::uint32_t serial, Clock::time_point now);

    double rate() const { return rate_; }  ///< bits per second that pictures may take
    /// Of the last acknowledgement; 0 before it.
    double round_trip() const { return round_trip_; }  ///< seconds
    std::size_t under_way() const { return sent_.size(); }
    /// Since when the oldest picture has waited for its acknowledgement; `now` if none does.
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
    double budget_ = 0;  // bits, of the limit
    double round_trip_ = 0, quickest_ = 1e9;
    double delivered_ = 0;    // bits since measured_
    int pictures_ = 0;        // likewise
    std::size_t bytes_ = 0;   // under way
    std::size_t window_ = 4;  // pictures that may be under way
    std::deque<Sent> sent_;
    Clock::time_point filled_, measured_, quickest_at_;
};

}  // namespace orrery
