// SPDX-License-Identifier: MIT
// The map alone: every thread writes i + j to one address.
#include "core/lab/cuda/pairs.cuh"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

struct WriteSum {
    std::uint32_t* last;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { *last = i + j; }
};

/// What a check finds.
struct Tally {
    unsigned long long twice, met;
};

/// Marks every pair, and counts those that were marked before.
struct MarkPair {
    std::uint32_t* marks;
    Tally* tally;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
        const std::uint64_t pair = triangular(i) + j;
        const std::uint32_t bit = 1u << (pair % 32);
        if (atomicOr(marks + pair / 32, bit) & bit) atomicAdd(&tally->twice, 1ull);
    }
};

__global__ void count_marks(const std::uint32_t* marks, std::uint64_t words, Tally* tally) {
    std::uint32_t met = 0;
    for (std::uint64_t i = thread_index(); i < words; i += std::uint64_t{gridDim.x} * blockDim.x)
        met += static_cast<std::uint32_t>(__popc(marks[i]));
    add_of_warp(met, &tally->met);
}

class Dummy final : public CudaKernel {
public:
    explicit Dummy(LabSize size) : CudaKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies), words = (pairs + 31) / 32;
        if (d_marks_.size() == 0) d_marks_ = DeviceBuffer<std::uint32_t>{words};
        fill(d_marks_, 0);
        fill(d_tally_, 0);
        fill(d_last_, 0xff);
        launch_pairs<Forms::kAll>("mark_pairs", size_, rows_, stream_.get(), choice, table_of(choice),
                                  MarkPair{d_marks_.data(), d_tally_.data()});
        enqueue(choice);
        launch("count_marks", {dim3(1024), dim3(256)}, stream_.get(), count_marks, d_marks_.data(), words,
               d_tally_.data());
        const Tally found = read(d_tally_);
        return dummy_verdict(pairs, found.met, found.twice, read(d_last_), size_.bodies);
    }

private:
    void enqueue(FormChoice choice) override {
        launch_pairs<Forms::kAll>("dummy", size_, rows_, stream_.get(), choice, table_of(choice),
                                  WriteSum{d_last_.data()});
    }

    DeviceBuffer<std::uint32_t> d_last_{1};
    DeviceBuffer<std::uint32_t> d_marks_;  // a bit a pair, had at the first check
    DeviceBuffer<Tally> d_tally_{1};
};

}  // namespace

std::unique_ptr<LabKernel> cuda_dummy(LabSize size) { return std::make_unique<Dummy>(size); }

}  // namespace orrery
