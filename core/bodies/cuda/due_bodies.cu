// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/due_bodies.hpp"

#include <array>
#include <cub/device/device_select.cuh>

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

}  // namespace orrery::cuda
