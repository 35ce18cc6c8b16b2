// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
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

/// Chooses the quality of frames for a rate: first the JPEG quality is reduced, then the frame size; they are raised in
/// reverse order. H.264 keeps a rate by itself, so only the size is chosen.
class Fidelity {
public:
    static constexpr int kBest = 85, kWorst = 35;  ///< JPEG quality

    int quality() const { return quality_; }
    double scale() const { return scale_; }  ///< of width and height: 1, 3/4 or 1/2

    /// Call after a JPEG of this many bytes; `rate` in bits per second.
    void made_jpeg(std::size_t bytes, double rate) {
        const double part = 8 * static_cast<double>(bytes) * Pacing::kFps / rate;
        if (part > 1) {
            if (quality_ > kWorst)
                quality_ = std::max(kWorst, quality_ - 10);
            else if (scale_ > kSmallest)
                smaller(), quality_ = kMiddle;
        } else if (part < 0.6) {
            if (scale_ < 1 && quality_ >= kMiddle + 10)
                larger(), quality_ = kMiddle - 10;
            else
                quality_ = std::min(kBest, quality_ + 2);
        }
    }

    /// Call before an H.264 frame of this size; `rate` in bits per second.
    void take_rate(double rate, int width, int height) {
        const double bits = rate / (Pacing::kFps * static_cast<double>(width) * height);  // per transmitted pixel
        if (bits < kFewBits && scale_ > kSmallest) smaller();
        // Going up multiplies the number of pixels by 16/9 or 9/4.
        if (bits > 4 * kFewBits && scale_ < 1) larger();
    }

private:
    static constexpr double kSmallest = 0.5;
    static constexpr double kFewBits = 0.02;  // of H.264 per pixel, below which a smaller frame looks better
    static constexpr int kMiddle = 60;
    void smaller() { scale_ -= 0.25; }
    void larger() { scale_ += 0.25; }

    int quality_ = kBest;
    double scale_ = 1;
};

}  // namespace orrery
