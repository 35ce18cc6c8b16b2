// SPDX-License-Identifier: MIT
// The force of a kernel file in CUDA C++, compiled by NVRTC: core/kernels/cuda_kernel.hpp.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/base/error.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cuda/direct/tuning.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/examples.hpp"

namespace orrery {
namespace {

using namespace cuda;

template <class Real>
constexpr const char* kRealName = sizeof(Real) == 4 ? "float" : "double";

/// The argument of a launch but the bodies.
CudaWork work_of(const KernelFile& file) {
    CudaWork work;
    const std::vector<double> values = file.values();
    std::ranges::copy(values, work.parameters.begin());
    return work;
}

/// A force of a pair in tiles of shared memory. An item is a block of rows and a split of the columns; the last item
/// adds up the splits.
template <class Real>
class PairsOnDevice final : public Engine<Device, Real> {
public:
    explicit PairsOnDevice(const KernelFile& file)
        : module_{tried_cubin(file, kRealName<Real>)},
          work_{work_of(file)},
          title_{file.title},
          multiprocessors_{cuda_info().devices.front().multiprocessors} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device>) override {
        bodies_ = bodies;
        work_.count = static_cast<std::uint32_t>(bodies.count);
        work_.constant = gravity.constant;
        const auto softening = static_cast<Real>(gravity.softening);
        work_.softening2 = softening * softening;
        pulls_ = bodies.count > 8192 && potential == Potential::kSkip;
        rows_of_thread_ = pulls_ ? cuda_pull_rows(sizeof(Real) == 4) : bodies.count <= 2048 ? 1 : 2;
        const std::uint64_t blocks = (bodies.count + rows_of_block() - 1) / rows_of_block(),
                            wanted = static_cast<std::uint64_t>(multiprocessors_) * kBlocksOfTiles /
                                     std::max<std::uint64_t>(1, blocks),
                            tiles = (bodies.count + kCudaPairThreads - 1) / kCudaPairThreads,
                            memory = kMostPartialBytes / (bodies.count * sizeof(Vec4<Real>) + 1);
        work_.splits =
            static_cast<std::uint32_t>(std::max<std::uint64_t>(1, std::min({wanted, (tiles + 3) / 4, memory})));
        const std::size_t need = work_.splits * bodies.count;
        if (partial_.size() < need) partial_ = {}, partial_ = DeviceBuffer<Vec4<Real>>{need};
        return blocks * work_.splits;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        const char* const name = pulls_ ? "orrery_pulls" : rows_of_thread_ == 1 ? "orrery_pairs_1" : "orrery_pairs_2";
        CudaWork work = work_;
        work.bodies = bodies_.position_mass, work.out = partial_.data();
        work.first_item = static_cast<std::uint32_t>(first);
        module_.launch(name, static_cast<unsigned>(last - first), kCudaPairThreads, work, queue.stream);
        const std::uint64_t blocks = (bodies_.count + rows_of_block() - 1) / rows_of_block();
        if (last < blocks * work_.splits) return;
        work.bodies = partial_.data(), work.out = bodies_.acceleration;
        work.last_row = work_.count;
        module_.launch("orrery_add_splits", (work_.count + 31) / 32, 256, work, queue.stream);
    }

    bool replays() const override { return true; }
    std::string choice() const override {
        return fmt::format("{}, {} bodies per thread, {} column splits", title_, rows_of_thread_, work_.splits);
    }

private:
    static constexpr std::uint64_t kMostPartialBytes = 256 << 20;

    std::uint64_t rows_of_block() const { return std::uint64_t{kCudaPairThreads} * rows_of_thread_; }

    CudaModule module_;
    CudaWork work_;
    std::string title_;
    int multiprocessors_;
    unsigned rows_of_thread_ = 1;
    bool pulls_ = false;  // without the potential
    BodyView<Device, Real> bodies_{};
    DeviceBuffer<Vec4<Real>> partial_;
};

/// A kernel of kind forces. An item is a block. It writes into memory with margins, which are checked before the next
/// evaluation.
template <class Real>
class ForcesOnDevice final : public Engine<Device, Real> {
public:
    explicit ForcesOnDevice(const KernelFile& file)
        : file_{file}, module_{tried_cubin(file, kRealName<Real>)}, work_{work_of(file)} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential,
                        Queue<Device> queue) override {
        if (out_.size() != 0) require_margins(queue);
        bodies_ = bodies;
        if (out_.size() != bodies.count + 2 * kForcesMargin) {
            out_ = {}, out_ = DeviceBuffer<Vec4<Real>>{bodies.count + 2 * kForcesMargin};
            check(cudaMemsetAsync(out_.data(), kForcesPattern, out_.size() * sizeof(Vec4<Real>), queue.stream),
                  "margins");
        }
        const auto softening = static_cast<Real>(gravity.softening);
        work_.softening2 = softening * softening, work_.constant = gravity.constant;
        work_.count = static_cast<std::uint32_t>(bodies.count);
        work_.bodies = bodies.position_mass, work_.out = out_.data() + kForcesMargin;
        return items();
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        work_.first_item = static_cast<std::uint32_t>(first);
        module_.launch("orrery_forces", static_cast<unsigned>(last - first), static_cast<unsigned>(file_.threads),
                       work_, queue.stream);
        if (last < items()) return;
        check(cudaMemcpyAsync(bodies_.acceleration, out_.data() + kForcesMargin, bodies_.count * sizeof(Vec4<Real>),
                              cudaMemcpyDeviceToDevice, queue.stream),
              "accelerations");
    }

    std::string choice() const override {
        return fmt::format("{}, {} threads for {} bodies", file_.title, file_.threads, file_.rows);
    }

private:
    static constexpr std::size_t kForcesMargin = 256;
    static constexpr int kForcesPattern = 0x5a;

    std::uint64_t items() const {
        const auto rows = static_cast<std::uint64_t>(file_.rows);
        return (bodies_.count + rows - 1) / rows;
    }

    void require_margins(Queue<Device> queue) const {
        std::array<Vec4<Real>, 2 * kForcesMargin> margins;
        const std::size_t bytes = kForcesMargin * sizeof(Vec4<Real>);
        check(cudaMemcpyAsync(margins.data(), out_.data(), bytes, cudaMemcpyDeviceToHost, queue.stream), "margins");
        check(cudaMemcpyAsync(margins.data() + kForcesMargin, out_.data() + out_.size() - kForcesMargin, bytes,
                              cudaMemcpyDeviceToHost, queue.stream),
              "margins");
        check(cudaStreamSynchronize(queue.stream), "margins");
        if (std::ranges::any_of(std::as_bytes(std::span{margins}),
                                [](std::byte b) { return b != std::byte{kForcesPattern}; }))
            usage_error(fmt::format("kernel {}: writes outside of the accelerations", file_.title));
    }

    KernelFile file_;
    CudaModule module_;
    CudaWork work_;
    BodyView<Device, Real> bodies_{};
    DeviceBuffer<Vec4<Real>> out_;
};

template <template <class> class Made>
AnyEngine in_precision(const EngineConfig& config, const KernelFile& file) {
    if (config.precision == Precision::kDouble) return std::make_unique<Made<double>>(file);
    return std::make_unique<Made<float>>(file);
}

AnyEngine make_cuda_kernel(const EngineConfig& config) {
    const KernelFile file = force_kernel(config.kernel, config.backend);
    return file.kind == KernelKind::kPair ? in_precision<PairsOnDevice>(config, file)
                                          : in_precision<ForcesOnDevice>(config, file);
}

}  // namespace

EngineEntry cuda_kernel_engine() {
    return {.id = "kernel",
            .label = "Kernel file",
            .doc =
                "The force of a kernel file in CUDA C++, written by the user and compiled by NVRTC: a pair force in "
                "tiles of shared memory, or a whole kernel; without a file, Newton's force as an example.",
            .backend = Backend::kCuda,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .capabilities = {Capability::kKernel},
            .make = make_cuda_kernel};
}

}  // namespace orrery
