// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bodies/cuda/due_bodies.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/physics/block_steps.hpp"

namespace orrery::cuda {

/// Device version of core/bodies/block_leapfrog.hpp. All work is enqueued on `stream`; only predict() waits, once.
template <class Real>
class LeapfrogSteps {
public:
    /// The state of the body system: `count` elements each.
    struct State {
        Vec4<Real>*position, *velocity;
        const Vec4<Real>* acceleration;
        std::size_t count;
    };

    void begin(const StepRule& rule, const State& now, cudaStream_t stream);
    /// Kicks the bodies whose steps begin, and drifts all to the next time at which some are due.
    void predict(const State& now, cudaStream_t stream);
    /// Completes the steps of the due bodies, with the accelerations at their positions.
    void correct(const State& now, cudaStream_t stream);

    bool arrived() const { return now_ == kWholeInterval; }
    int finest() const { return due_.finest(); }
    DueView<Device> due() const { return due_.rows(); }
    const DeviceBuffer<std::uint8_t>& levels() const { return level_; }

private:
    StepRule rule_{};
    std::uint64_t now_ = kWholeInterval;  // ticks since the beginning
    DueBodiesSearch due_;
    DeviceBuffer<std::uint64_t> time_;  // ticks, beginning of each body's step
    DeviceBuffer<std::uint8_t> level_;  // steps are dt/2^level
    DeviceBuffer<Vec4<Real>> before_;   // accelerations at the beginning of each step
};

}  // namespace orrery::cuda
