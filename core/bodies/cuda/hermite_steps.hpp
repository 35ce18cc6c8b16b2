// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bodies/cuda/due_bodies.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/physics/hermite.hpp"

namespace orrery::cuda {

/// Device version of core/bodies/hermite.hpp. All work is enqueued on `stream`; only predict() waits, once, with
/// individual steps.
template <class Real>
class HermiteSteps {
public:
    /// The state of the body system: positions (w = mass), velocities, and accelerations and jerks there; `count` of
    /// each.
    struct State {
        Vec4<Real>*position, *velocity;
        const Vec4<Real>*acceleration, *jerk;
        std::size_t count;
    };

    /// Begins an interval of `dt` (negative: backward). η 0: one step for all bodies; otherwise individual steps by the
    /// Aarseth criterion.
    void begin(double dt, double eta, const State& now, cudaStream_t stream);
    /// Predicts all bodies to the next time at which some are due; due() returns these.
    void predict(const State& now, cudaStream_t stream);
    /// Completes the steps of the due bodies, using accelerations and jerks at their predicted positions.
    void correct(const State& now, cudaStream_t stream);

    bool arrived() const { return now_ == kWholeInterval; }
    DueView<Device> due() const { return eta_ > 0 ? due_.rows() : all_; }
    DueView<Device> all_bodies(std::size_t count, cudaStream_t stream) { return all_ = due_.all_bodies(count, stream); }
    const DeviceBuffer<std::uint8_t>& levels() const { return level_; }

private:
    void reserve(std::size_t count);

    double dt_ = 0, eta_ = 0;
    std::uint64_t now_ = kWholeInterval;      // ticks since the beginning
    DeviceBuffer<HermiteBody<Real>> bodies_;  // each body at its own time
    DeviceBuffer<std::uint64_t> time_;        // ticks
    DeviceBuffer<std::uint8_t> level_;        // steps are dt/2^level
    DueBodiesSearch due_;
    DueView<Device> all_{};
};

}  // namespace orrery::cuda
