// SPDX-License-Identifier: MIT
#include "core/lab/cuda/pairs.cuh"

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

}  // namespace orrery::lab
