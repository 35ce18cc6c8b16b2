// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/hermite_steps.hpp"

#include "core/cuda/launch.cuh"

namespace orrery::cuda {
namespace {

/// Bodies at the beginning of an interval, with their initial levels.
template <class Real>
__global__ void gather_bodies(typename HermiteSteps<Real>::State now, double dt, double eta, HermiteBody<Real>* bodies,
                              std::uint8_t* level) {
    const std::uint64_t i = thread_index();
    if (i >= now.count) return;
    const HermiteBody<Real> body{now.position[i], now.velocity[i], now.acceleration[i], now.jerk[i]};
    bodies[i] = body;
    level[i] = eta > 0 ? static_cast<std::uint8_t>(level_of(first_step(eta, body.acceleration, body.jerk), dt)) : 0;
}

template <class Real>
__global__ void predict_all(const HermiteBody<Real>* bodies, const std::uint64_t* time, std::uint64_t until, double dt,
                            typename HermiteSteps<Real>::State now) {
    const std::uint64_t i = thread_index();
    if (i >= now.count) return;
    const HermiteBody<Real> there = predicted(bodies[i], static_cast<Real>(length_of(until - time[i], dt)));
    now.position[i] = there.position, now.velocity[i] = there.velocity;
}

template <class Real>
__global__ void correct_due(const std::uint32_t* due, std::size_t due_count, std::uint64_t until, double dt, double eta,
                            HermiteBody<Real>* bodies, std::uint64_t* time, std::uint8_t* level,
                            typename HermiteSteps<Real>::State now) {
    const std::uint64_t k = thread_index();
    if (k >= due_count) return;
    const std::uint32_t i = due[k];
    const double h = length_of(until - time[i], dt);
    const HermiteBody<Real> before = bodies[i];
    const HermiteBody<Real> after = corrected(before, static_cast<Real>(h), now.acceleration[i], now.jerk[i]);
    bodies[i] = after;
    now.position[i] = after.position, now.velocity[i] = after.velocity;
    time[i] = until;
    if (eta > 0)
        level[i] =
            static_cast<std::uint8_t>(next_level(level[i], level_of(next_step(eta, h, before, after), dt), until));
}

}  // namespace

template <class Real>
void HermiteSteps<Real>::reserve(std::size_t count) {
    if (bodies_.size() == count) return;
    *this = HermiteSteps<Real>{};
    bodies_ = DeviceBuffer<HermiteBody<Real>>{count};
    time_ = DeviceBuffer<std::uint64_t>{count};
    level_ = DeviceBuffer<std::uint8_t>{count};
}

template <class Real>
void HermiteSteps<Real>::begin(double dt, double eta, const State& now, cudaStream_t stream) {
    reserve(now.count);
    all_bodies(now.count, stream);
    dt_ = dt;
    eta_ = eta;
    now_ = 0;
    check(cudaMemsetAsync(time_.data(), 0, now.count * sizeof(std::uint64_t), stream), "clearing");
    launch("gather_bodies", linear(now.count), stream, gather_bodies<Real>, now, dt, eta, bodies_.data(),
           level_.data());
}

template <class Real>
void HermiteSteps<Real>::predict(const State& now, cudaStream_t stream) {
    now_ = eta_ > 0 ? due_.find(time_.data(), level_.data(), now.count, stream) : kWholeInterval;
    launch("predict", linear(now.count), stream, predict_all<Real>, bodies_.data(), time_.data(), now_, dt_, now);
}

template <class Real>
void HermiteSteps<Real>::correct(const State& now, cudaStream_t stream) {
    const DueView<Device> rows = due();
    launch("correct", linear(rows.count), stream, correct_due<Real>, rows.rows, rows.count, now_, dt_, eta_,
           bodies_.data(), time_.data(), level_.data(), now);
}

template class HermiteSteps<float>;
template class HermiteSteps<double>;

}  // namespace orrery::cuda
