// SPDX-License-Identifier: MIT
// The map alone: every thread writes i + j to one address.
#include "core/lab/cuda/pairs.cuh"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

class Dummy final : public CudaKernel {
public:
    explicit Dummy(LabSize size) : CudaKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies);
        launch_pairs("mark_pairs", size_, rows_, stream_.get(), choice, table_of(choice),
                     MarkPair{marks_.clear(pairs, stream_.get())});
        fill(d_last_, 0xff);
        enqueue(choice);
        const Marks::Found found = marks_.count(stream_.get());
        return dummy_verdict(pairs, found.visited, found.twice, read(d_last_), size_.bodies);
    }

private:
    void enqueue(FormChoice choice) override {
        launch_pairs<Compiled::kForSixteenToo>("dummy", size_, rows_, stream_.get(), choice, table_of(choice),
                                               WriteSum{d_last_.data()});
    }

    DeviceBuffer<std::uint32_t> d_last_{1};
    Marks marks_;
};

}  // namespace

std::unique_ptr<LabKernel> cuda_dummy(LabSize size) { return std::make_unique<Dummy>(size); }

}  // namespace orrery
