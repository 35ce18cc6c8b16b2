// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/bodies/cuda/block_leapfrog.hpp"
#include "core/bodies/cuda/hermite_steps.hpp"

namespace orrery::cuda {

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
