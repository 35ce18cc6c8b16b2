// SPDX-License-Identifier: MIT
// Individual time steps of bodies on a device, by the Hermite scheme or by leapfrogs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/engines/views.hpp"
#include "core/physics/block_steps.hpp"

namespace orrery::cuda {

/// Finds the bodies with individual steps that are due next.
class DueBodiesSearch {
public:
    /// Finds the earliest end of a step among `count` bodies, which began their steps at `time` with lengths by
    /// `level`, and the bodies due then. Waits. Returns that time.
    std::uint64_t find(const std::uint64_t* time, const std::uint8_t* level, std::size_t count, cudaStream_t stream);

    DueView<Device> rows() const { return {due_.data(), count_}; }  ///< ascending
    int finest() const { return finest_; }                          ///< the highest level
    /// The rows 0, 1, … count − 1.
    DueView<Device> all_bodies(std::size_t count, cudaStream_t stream);

private:
    std::size_t count_ = 0;
    int finest_ = 0;
    DeviceBuffer<std::uint32_t> all_bodies_, due_;
    DeviceBuffer<unsigned long long> found_;  // the next time, the number of bodies due then, and the highest level
    DeviceBuffer<std::byte> scratch_;
};

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

/// The steps of an interval by either scheme, and its initial state for abandoning them.
template <class Real>
class IntervalSteps {
public:
    using State = typename HermiteSteps<Real>::State;

    void begin(const StepRule& rule, const State& now, cudaStream_t stream) {
        by_hermite_ = rule.hermite;
        if (start_.size() != 2 * now.count) start_ = {}, start_ = DeviceBuffer<Vec4<Real>>{2 * now.count};
        copy(now.position, start_.data(), now.count, stream);
        copy(now.velocity, start_.data() + now.count, now.count, stream);
        if (by_hermite_) return hermite_.begin(rule.dt, rule.eta, now, stream);
        leapfrog_.begin(rule, of_leapfrog(now), stream);
    }
    DueBodies predict(const State& now, cudaStream_t stream) {
        if (by_hermite_) {
            hermite_.predict(now, stream);
            return {due().count, hermite_.arrived(), 0};
        }
        leapfrog_.predict(of_leapfrog(now), stream);
        return {due().count, leapfrog_.arrived(), leapfrog_.finest()};
    }
    void correct(const State& now, cudaStream_t stream) {
        if (by_hermite_) return hermite_.correct(now, stream);
        leapfrog_.correct(of_leapfrog(now), stream);
    }
    void abandon(const State& now, cudaStream_t stream) const {
        copy(start_.data(), now.position, now.count, stream);
        copy(start_.data() + now.count, now.velocity, now.count, stream);
    }

    DueView<Device> due() const { return by_hermite_ ? hermite_.due() : leapfrog_.due(); }
    DueView<Device> all_bodies(std::size_t count, cudaStream_t stream) { return hermite_.all_bodies(count, stream); }
    std::vector<std::size_t> ladder(cudaStream_t stream) const {
        const DeviceBuffer<std::uint8_t>& levels = by_hermite_ ? hermite_.levels() : leapfrog_.levels();
        std::vector<std::uint8_t> found(levels.size());
        download<std::uint8_t>(levels, found, stream);
        check(cudaStreamSynchronize(stream), "waiting for the levels of steps");
        return ladder_of(found);
    }

private:
    static typename LeapfrogSteps<Real>::State of_leapfrog(const State& now) {
        return {now.position, now.velocity, now.acceleration, now.count};
    }
    static void copy(const Vec4<Real>* from, Vec4<Real>* to, std::size_t count, cudaStream_t stream) {
        check(cudaMemcpyAsync(to, from, count * sizeof(Vec4<Real>), cudaMemcpyDeviceToDevice, stream),
              "copying bodies");
    }

    HermiteSteps<Real> hermite_;
    LeapfrogSteps<Real> leapfrog_;
    bool by_hermite_ = false;         // scheme of the current steps
    DeviceBuffer<Vec4<Real>> start_;  // initial positions and velocities
};

}  // namespace orrery::cuda
