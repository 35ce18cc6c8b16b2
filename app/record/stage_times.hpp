// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>

namespace orrery {

/// Where the time of a recording goes, in seconds, all pictures together or each. Stages overlap: `encode` is spent on
/// other threads, `copy` on the device where a GPU draws.
struct StageTimes {
    double frame = 0;   ///< from one picture to the next
    double step = 0;    ///< simulating
    double draw = 0;    ///< handing the bodies to OpenGL and drawing; where a GPU draws, telling it to
    double copy = 0;    ///< bringing pictures to the host
    double encode = 0;  ///< compressing and writing, of all threads together
    double wait = 0;    ///< for pictures on their way, and for room in the encoder's queue

    StageTimes over(std::uint64_t pictures) const {
        const double n = pictures > 0 ? static_cast<double>(pictures) : 1;
        return {frame / n, step / n, draw / n, copy / n, encode / n, wait / n};
    }
};

/// Adds the time that it lives to a stage.
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
