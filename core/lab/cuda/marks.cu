// SPDX-License-Identifier: MIT
#include "core/lab/cuda/marks.cuh"

#include <array>

#include "core/lab/cuda/pairs.cuh"

namespace orrery::lab {
namespace {

using namespace cuda;

__global__ void count_bits(const std::uint32_t* bits, std::uint64_t words, unsigned long long* visited) {
    std::uint32_t here = 0;
    for (std::uint64_t i = thread_index(); i < words; i += std::uint64_t{gridDim.x} * blockDim.x)
        here += static_cast<std::uint32_t>(__popc(bits[i]));
    add_of_warp(here, visited);
}

}  // namespace

MarkSink Marks::clear(std::uint64_t items, cudaStream_t stream) {
    const std::uint64_t words = (items + 31) / 32;
    if (d_bits_.size() != words) d_bits_ = {}, d_bits_ = DeviceBuffer<std::uint32_t>{words};
    check(cudaMemsetAsync(d_bits_.data(), 0, words * sizeof(std::uint32_t), stream), "clearing marks");
    check(cudaMemsetAsync(d_counts_.data(), 0, 2 * sizeof(unsigned long long), stream), "clearing marks");
    return {d_bits_.data(), d_counts_.data()};
}

Marks::Found Marks::count(cudaStream_t stream) {
    launch("count_bits", {dim3(1024), dim3(256)}, stream, count_bits, d_bits_.data(), d_bits_.size(),
           d_counts_.data() + 1);
    std::array<unsigned long long, 2> counts{};
    download(d_counts_, std::span<unsigned long long>{counts}, stream);
    check(cudaStreamSynchronize(stream), "count_bits");
    return {counts[0], counts[1]};
}

}  // namespace orrery::lab
