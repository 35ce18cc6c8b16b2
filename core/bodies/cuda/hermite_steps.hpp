// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/cuda/device_buffer.hpp"
#include "core/physics/hermite.hpp"

namespace orrery::cuda {

/// The device counterpart of core/bodies/hermite.hpp. Everything is enqueued on `stream`; only predict() waits, once,
/// with individual steps.
template <class Real>
class HermiteSteps {
public:
    /// The state that a system holds: positions (w = mass), velocities, and accelerations and jerks there; `count` of
    /// each.
    struct State {
        Vec4<Real>*position, *velocity;
        const Vec4<Real>*acceleration, *jerk;
        std::size_t count;
    };
    struct Rows {
        const std::uint32_t* rows;
        std::size_t count;
    };

    /// Begins an interval of `dt` (negative: backward). η 0: one step for all; otherwise individual steps by the
    /// Aarseth criterion.
    void begin(double dt, double eta, const State& now, cudaStream_t stream);
    /// Predicts all bodies at the next time at which some are due; due() then gives which these are. Returns their
    /// number.
    std::size_t predict(const State& now, cudaStream_t stream);
    /// Completes the steps of those that are due, with the accelerations and jerks at their predicted positions.
    void correct(const State& now, cudaStream_t stream);
    /// The bodies as they were at the beginning.
    void abandon(const State& now, cudaStream_t stream) const;

    bool arrived() const { return now_ == kWholeInterval; }
    Rows due() const { return eta_ > 0 ? Rows{due_.data(), due_count_} : Rows{everybody_.data(), everybody_.size()}; }
    /// 0, 1, … count − 1.
    Rows everybody(std::size_t count, cudaStream_t stream);

private:
    void reserve(std::size_t count, cudaStream_t stream);
    void find_due(std::size_t count, cudaStream_t stream);

    double dt_ = 0, eta_ = 0;
    std::uint64_t now_ = kWholeInterval;  // ticks since the beginning
    std::size_t due_count_ = 0;
    DeviceBuffer<Vec4<Real>> start_position_, start_velocity_;
    DeviceBuffer<HermiteBody<Real>> bodies_;  // each body at its own time
    DeviceBuffer<std::uint64_t> time_;        // ticks
    DeviceBuffer<std::uint8_t> level_;        // steps are dt/2^level
    DeviceBuffer<std::uint32_t> everybody_, due_;
    DeviceBuffer<unsigned long long> found_;  // the next time, and how many are due then
    DeviceBuffer<std::byte> scratch_;
};

}  // namespace orrery::cuda
