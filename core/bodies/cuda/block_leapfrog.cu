// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/block_leapfrog.hpp"

#include "core/bodies/cuda/body_kernels.cuh"
#include "core/cuda/launch.cuh"

namespace orrery::cuda {
namespace {

template <class Real>
using State = typename LeapfrogSteps<Real>::State;

template <class Real>
__global__ void first_levels(StepRule rule, State<Real> now, std::uint64_t* time, std::uint8_t* level) {
    const std::uint64_t i = thread_index();
    if (i >= now.count) return;
    time[i] = 0;
    level[i] = static_cast<std::uint8_t>(first_leapfrog_level(rule, now.acceleration[i], now.velocity[i]));
}

template <class Real>
__global__ void kick_and_drift(StepRule rule, std::uint64_t from, std::uint64_t until, const std::uint64_t* time,
                               const std::uint8_t* level, Vec4<Real>* before, State<Real> now) {
    const std::uint64_t i = thread_index();
    if (i >= now.count) return;
    Vec4<Real> x = now.position[i], v = now.velocity[i];
    if (time[i] == from) {
        const Vec4<Real> a = now.acceleration[i];
        before[i] = a;
        add_rate(v, a, static_cast<Real>(0.5 * length_of(ticks_of(level[i]), rule.dt)));
        now.velocity[i] = v;
    }
    add_rate(x, v, static_cast<Real>(length_of(until - from, rule.dt)));
    now.position[i] = x;
}

template <class Real>
__global__ void kick_due(StepRule rule, std::uint64_t until, DueView<Device> due, std::uint64_t* time,
                         std::uint8_t* level, const Vec4<Real>* before, State<Real> now) {
    const std::uint64_t k = thread_index();
    if (k >= due.count) return;
    const std::uint32_t i = due.rows[k];
    const double h = length_of(ticks_of(level[i]), rule.dt);
    const Vec4<Real> a = now.acceleration[i];
    Vec4<Real> v = now.velocity[i];
    add_rate(v, a, static_cast<Real>(0.5 * h));
    const double wanted = next_leapfrog(rule, h, before[i], a, v);
    now.velocity[i] = v;
    time[i] = until;
    level[i] = static_cast<std::uint8_t>(next_level(level[i], level_of(wanted, rule.dt), until));
}

}  // namespace

template <class Real>
void LeapfrogSteps<Real>::begin(const StepRule& rule, const State& now, cudaStream_t stream) {
    rule_ = rule;
    now_ = 0;
    if (time_.size() != now.count) {
        time_ = {}, level_ = {}, before_ = {};
        time_ = DeviceBuffer<std::uint64_t>{now.count};
        level_ = DeviceBuffer<std::uint8_t>{now.count};
        before_ = DeviceBuffer<Vec4<Real>>{now.count};
    }
    launch("first_levels", linear(now.count), stream, first_levels<Real>, rule, now, time_.data(), level_.data());
}

template <class Real>
void LeapfrogSteps<Real>::predict(const State& now, cudaStream_t stream) {
    const std::uint64_t from = now_;
    now_ = due_.find(time_.data(), level_.data(), now.count, stream);
    launch("kick_and_drift", linear(now.count), stream, kick_and_drift<Real>, rule_, from, now_, time_.data(),
           level_.data(), before_.data(), now);
}

template <class Real>
void LeapfrogSteps<Real>::correct(const State& now, cudaStream_t stream) {
    launch("kick_due", linear(due().count), stream, kick_due<Real>, rule_, now_, due(), time_.data(), level_.data(),
           before_.data(), now);
}

template class LeapfrogSteps<float>;
template class LeapfrogSteps<double>;

}  // namespace orrery::cuda
