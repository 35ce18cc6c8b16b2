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

/// Marks every pair, and counts those that were marked before.
struct MarkPair {
    std::uint32_t* marks;
    unsigned long long* twice;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
        const std::uint64_t pair = triangular(i) + j;
        const std::uint32_t bit = 1u << (pair % 32);
        if (atomicOr(marks + pair / 32, bit) & bit) atomicAdd(twice, 1ull);
    }
};

class Dummy final : public CudaKernel {
public:
    explicit Dummy(LabSize size) : CudaKernel{size, size.rho}, d_last_{1} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies);
        const DeviceBuffer<std::uint32_t> d_marks{(pairs + 31) / 32};
        const DeviceBuffer<unsigned long long> d_twice{1};
        fill(d_marks, 0);
        fill(d_twice, 0);
        fill(d_last_, 0xff);
        launch_pairs<Forms::kAll>("mark_pairs", size_, rows_, stream_.get(), choice, table_of(choice),
                                  MarkPair{d_marks.data(), d_twice.data()});
        enqueue(choice);
        std::vector<std::uint32_t> marks(d_marks.size());
        download(d_marks, std::span{marks}, stream_.get());
        const std::uint64_t twice = read(d_twice), last = read(d_last_);
        std::uint64_t met = 0;
        for (std::uint64_t pair = 0; pair < pairs; ++pair) met += marks[pair / 32] >> (pair % 32) & 1;
        return dummy_verdict(pairs, met, twice, last, size_.bodies);
    }

private:
    void enqueue(FormChoice choice) override {
        launch_pairs<Forms::kAll>("dummy", size_, rows_, stream_.get(), choice, table_of(choice),
                                  WriteSum{d_last_.data()});
    }

    DeviceBuffer<std::uint32_t> d_last_;
};

}  // namespace

std::unique_ptr<LabKernel> cuda_dummy(LabSize size) { return std::make_unique<Dummy>(size); }

}  // namespace orrery
