// SPDX-License-Identifier: MIT
#include "core/lab/cuda/pairs.cuh"

#include <array>

namespace orrery::lab {

using namespace cuda;

constexpr int kWarmUps = 3;

__global__ void count_cycles(double* mhz) {
    constexpr unsigned long long kNanoseconds = 200000;
    unsigned long long begin = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const long long first = clock64();
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < kNanoseconds);
    *mhz = 1e3 * static_cast<double>(clock64() - first) / static_cast<double>(now - begin);
}

std::vector<double> CudaKernel::seconds(FormChoice choice, int repeat, const Stop& stop) {
    std::vector<Event> starts(static_cast<std::size_t>(repeat)), ends(static_cast<std::size_t>(repeat));
    for (int i = 0; i < kWarmUps; ++i) enqueue(choice);
    std::size_t runs = 0;
    for (; runs < starts.size() && !(stop && stop()); ++runs) {
        starts[runs].record(stream_.get());
        enqueue(choice);
        ends[runs].record(stream_.get());
    }
    std::vector<double> times;
    for (std::size_t i = 0; i < runs; ++i) times.push_back(ends[i].seconds_since(starts[i]));
    return times;
}

double CudaKernel::clock_mhz() {
    launch("count_cycles", {dim3(1), dim3(1)}, stream_.get(), count_cycles, d_mhz_.data());
    return read(d_mhz_);
}

const Tile* CudaKernel::table_of(FormChoice choice) {
    if (reads_lut_table(choice) && d_table_.size() == 0) {
        const std::vector<Tile> table = lut_table(rows_);
        d_table_ = DeviceBuffer<Tile>{table.size()};
        upload(std::span<const Tile>{table}, d_table_, stream_.get());
        stream_.wait();
    }
    return d_table_.data();
}

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
