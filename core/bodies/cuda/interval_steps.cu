// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/interval_steps.hpp"

#include <cub/device/device_select.cuh>

#include <array>

#include "core/bodies/cuda/body_kernels.cuh"
#include "core/cuda/launch.cuh"
#include "core/physics/block_steps.hpp"

namespace orrery::cuda {
namespace {

__global__ void number(std::uint32_t* out, std::size_t count) {
    const std::uint64_t i = thread_index();
    if (i < count) out[i] = static_cast<std::uint32_t>(i);
}

/// found[0]: the earliest end of a step, initially the largest number; found[2]: the highest level, initially 0.
__global__ void find_next(const std::uint64_t* time, const std::uint8_t* level, std::size_t count,
                          unsigned long long* found) {
    const std::uint64_t i = thread_index();
    unsigned long long end = i < count ? time[i] + ticks_of(level[i]) : kWholeInterval;
    unsigned finest = i < count ? level[i] : 0;
    for (int away = 16; away > 0; away /= 2) {
        end = min(end, __shfl_xor_sync(~0u, end, away));
        finest = max(finest, __shfl_xor_sync(~0u, finest, away));
    }
    if (threadIdx.x % 32 != 0) return;
    atomicMin(found, end);
    atomicMax(found + 2, static_cast<unsigned long long>(finest));
}

struct IsDue {
    const std::uint64_t* time;
    const std::uint8_t* level;
    const unsigned long long* next;
    __device__ bool operator()(std::uint32_t i) const { return time[i] + ticks_of(level[i]) == *next; }
};

}  // namespace

DueView<Device> DueBodiesSearch::all_bodies(std::size_t count, cudaStream_t stream) {
    if (all_bodies_.size() != count) {
        all_bodies_ = {}, due_ = {};
        all_bodies_ = DeviceBuffer<std::uint32_t>{count};
        due_ = DeviceBuffer<std::uint32_t>{count};
        found_ = DeviceBuffer<unsigned long long>{3};
        launch("number", linear(count), stream, number, all_bodies_.data(), count);
    }
    return {all_bodies_.data(), count};
}

std::uint64_t DueBodiesSearch::find(const std::uint64_t* time, const std::uint8_t* level, std::size_t count,
                                    cudaStream_t stream) {
    all_bodies(count, stream);
    check(cudaMemsetAsync(found_.data(), 0xff, sizeof(unsigned long long), stream), "clearing");
    check(cudaMemsetAsync(found_.data() + 2, 0, sizeof(unsigned long long), stream), "clearing");
    launch("find_next", linear(count), stream, find_next, time, level, count, found_.data());
    const auto select = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceSelect::If(memory, bytes, all_bodies_.data(), due_.data(), found_.data() + 1,
                                    static_cast<std::int64_t>(count), IsDue{time, level, found_.data()}, stream),
              "finding the bodies that are due next");
    };
    std::size_t bytes = 0;
    select(nullptr, bytes);
    if (scratch_.size() < bytes) scratch_ = DeviceBuffer<std::byte>{bytes};
    select(scratch_.data(), bytes);
    std::array<unsigned long long, 3> found{};
    download<unsigned long long>(found_, found, stream);
    check(cudaStreamSynchronize(stream), "waiting for the bodies that are due next");
    count_ = found[1];
    finest_ = static_cast<int>(found[2]);
    return found[0];
}

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
