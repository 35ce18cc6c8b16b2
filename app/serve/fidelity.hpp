// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include "app/serve/pacing.hpp"

namespace orrery {

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
