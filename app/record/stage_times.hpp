// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>

namespace orrery {

/// Time spent in the stages of a recording, in seconds, in total or per frame. Stages overlap: `encode` runs on other
/// threads, `copy` on the device if a GPU draws.
struct StageTimes {
    double frame = 0;   ///< from one frame to the next
    double step = 0;    ///< taking steps
    double draw = 0;    ///< passing the bodies to OpenGL and drawing; if a GPU draws, issuing the commands
    double copy = 0;    ///< copying frames to the host
    double encode = 0;  ///< compressing and writing, on all threads together
    double wait = 0;    ///< for frames in flight, and for room in the encoder's queue

    StageTimes over(std::uint64_t pictures) const {
        const double n = pictures > 0 ? static_cast<double>(pictures) : 1;
        return {frame / n, step / n, draw / n, copy / n, encode / n, wait / n};
    }
};

/// Adds its lifetime to a stage.
class StageClock {
public:
    explicit StageClock(double& stage) : stage_{stage} {}
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;
    ~StageClock() { stage_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& stage_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace orrery
