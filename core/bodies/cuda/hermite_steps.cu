// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/hermite_steps.hpp"

#include <array>
#include <cub/device/device_select.cuh>

#include "core/cuda/launch.cuh"

namespace orrery::cuda {
namespace {

__global__ void number(std::uint32_t* out, std::size_t count) {
    const std::uint64_t i = thread_index();
    if (i < count) out[i] = static_cast<std::uint32_t>(i);
}

/// Bodies as they stand at the beginning of an interval, with their first levels.
template <class Real>
__global__ void gather_bodies(typename HermiteSteps<Real>::State now, double dt, double eta, HermiteBody<Real>* bodies,
                              std::uint8_t* level) {
    const std::uint64_t i = thread_index();
    if (i >= now.count) return;
    const HermiteBody<Real> body{now.position[i], now.velocity[i], now.acceleration[i], now.jerk[i]};
    bodies[i] = body;
    level[i] = eta > 0 ? static_cast<std::uint8_t>(level_of(first_step(eta, body.acceleration, body.jerk), dt)) : 0;
}

/// next[0]: the earliest end of a step. It must be the largest number before.
__global__ void find_next(const std::uint64_t* time, const std::uint8_t* level, std::size_t count,
                          unsigned long long* next) {
    const std::uint64_t i = thread_index();
    unsigned long long end = i < count ? time[i] + ticks_of(level[i]) : kWholeInterval;
    for (int away = 16; away > 0; away /= 2) end = min(end, __shfl_xor_sync(~0u, end, away));
    if (threadIdx.x % 32 == 0) atomicMin(next, end);
}

struct IsDue {
    const std::uint64_t* time;
    const std::uint8_t* level;
    const unsigned long long* next;
    __device__ bool operator()(std::uint32_t i) const { return time[i] + ticks_of(level[i]) == *next; }
};

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

template <class T>
void copy(const T* from, T* to, std::size_t count, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream), "copying bodies");
}

}  // namespace

template <class Real>
void HermiteSteps<Real>::reserve(std::size_t count, cudaStream_t stream) {
    if (bodies_.size() == count) return;
    *this = HermiteSteps<Real>{};
    start_position_ = DeviceBuffer<Vec4<Real>>{count};
    start_velocity_ = DeviceBuffer<Vec4<Real>>{count};
    bodies_ = DeviceBuffer<HermiteBody<Real>>{count};
    time_ = DeviceBuffer<std::uint64_t>{count};
    level_ = DeviceBuffer<std::uint8_t>{count};
    everybody_ = DeviceBuffer<std::uint32_t>{count};
    due_ = DeviceBuffer<std::uint32_t>{count};
    found_ = DeviceBuffer<unsigned long long>{2};
    launch("number", linear(count), stream, number, everybody_.data(), count);
}

template <class Real>
typename HermiteSteps<Real>::Rows HermiteSteps<Real>::everybody(std::size_t count, cudaStream_t stream) {
    reserve(count, stream);
    return {everybody_.data(), count};
}

template <class Real>
void HermiteSteps<Real>::begin(double dt, double eta, const State& now, cudaStream_t stream) {
    reserve(now.count, stream);
    dt_ = dt;
    eta_ = eta;
    now_ = 0;
    copy<Vec4<Real>>(now.position, start_position_.data(), now.count, stream);
    copy<Vec4<Real>>(now.velocity, start_velocity_.data(), now.count, stream);
    check(cudaMemsetAsync(time_.data(), 0, now.count * sizeof(std::uint64_t), stream), "clearing");
    launch("gather_bodies", linear(now.count), stream, gather_bodies<Real>, now, dt, eta, bodies_.data(),
           level_.data());
}

template <class Real>
void HermiteSteps<Real>::find_due(std::size_t count, cudaStream_t stream) {
    check(cudaMemsetAsync(found_.data(), 0xff, sizeof(unsigned long long), stream), "clearing");
    launch("find_next", linear(count), stream, find_next, time_.data(), level_.data(), count, found_.data());
    const IsDue is_due{time_.data(), level_.data(), found_.data()};
    const auto select = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceSelect::If(memory, bytes, everybody_.data(), due_.data(), found_.data() + 1,
                                    static_cast<std::int64_t>(count), is_due, stream),
              "finding the bodies that are due next");
    };
    std::size_t bytes = 0;
    select(nullptr, bytes);
    if (scratch_.size() < bytes) scratch_ = DeviceBuffer<std::byte>{bytes};
    select(scratch_.data(), bytes);
    std::array<unsigned long long, 2> found{};
    download<unsigned long long>(found_, found, stream);
    check(cudaStreamSynchronize(stream), "waiting for the bodies that are due next");
    now_ = found[0];
    due_count_ = found[1];
}

template <class Real>
std::size_t HermiteSteps<Real>::predict(const State& now, cudaStream_t stream) {
    if (eta_ > 0)
        find_due(now.count, stream);
    else
        now_ = kWholeInterval;
    launch("predict", linear(now.count), stream, predict_all<Real>, bodies_.data(), time_.data(), now_, dt_, now);
    return due().count;
}

template <class Real>
void HermiteSteps<Real>::correct(const State& now, cudaStream_t stream) {
    const Rows rows = due();
    launch("correct", linear(rows.count), stream, correct_due<Real>, rows.rows, rows.count, now_, dt_, eta_,
           bodies_.data(), time_.data(), level_.data(), now);
}

template <class Real>
void HermiteSteps<Real>::abandon(const State& now, cudaStream_t stream) const {
    copy<Vec4<Real>>(start_position_.data(), now.position, now.count, stream);
    copy<Vec4<Real>>(start_velocity_.data(), now.velocity, now.count, stream);
}

template class HermiteSteps<float>;
template class HermiteSteps<double>;

}  // namespace orrery::cuda
