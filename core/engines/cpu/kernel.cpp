// SPDX-License-Identifier: MIT
// The force of a kernel file in C++: core/kernels. Its rows are computed on all cores.
#include "core/engines/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/engines/engine.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/examples.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kKernelRows = 32;  // bodies per item
/// Accelerations that no body has, before and after those of the bodies: a kernel that changes them is stopped.
constexpr std::size_t kKernelMargin = 64;

template <class Real>
class KernelOnHost final : public Engine<Host, Real> {
    using Work = std::conditional_t<sizeof(Real) == 4, orrery_work_float, orrery_work_double>;

public:
    KernelOnHost(const EngineConfig& config, const KernelFile& file)
        : pool_{config.threads, config.background},
          library_{kernel_library(file)},
          values_{file.values()},
          title_{file.title} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential, Queue<Host>) override {
        bodies_ = bodies;
        out_.resize(bodies.count + 2 * kKernelMargin);
        std::memset(static_cast<void*>(out_.data()), kKernelPattern, out_.size() * sizeof(Vec4<Real>));
        const auto softening = static_cast<Real>(gravity.softening);
        work_ = {&bodies.position_mass->x,
                 &out_[kKernelMargin].x,
                 bodies.count,
                 softening * softening,
                 static_cast<Real>(gravity.constant),
                 values_.data()};
        return (bodies.count + kKernelRows - 1) / kKernelRows;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        pool_.parallel_for(first, last, [&](std::uint64_t item) {
            const std::size_t begin = item * kKernelRows, end = std::min(begin + kKernelRows, bodies_.count);
            if constexpr (sizeof(Real) == 4)
                library_->rows_float(&work_, begin, end);
            else
                library_->rows_double(&work_, begin, end);
            std::copy(out_.begin() + static_cast<std::ptrdiff_t>(kKernelMargin + begin),
                      out_.begin() + static_cast<std::ptrdiff_t>(kKernelMargin + end), bodies_.acceleration + begin);
        });
        require_margins();
    }

    std::string choice() const override { return title_; }

private:
    static constexpr int kKernelPattern = 0x5a;

    void require_margins() const {
        const auto changed = [](std::span<const Vec4<Real>> margin) {
            return std::ranges::any_of(std::as_bytes(margin),
                                       [](std::byte b) { return b != std::byte{kKernelPattern}; });
        };
        const std::span<const Vec4<Real>> all{out_};
        if (changed(all.first(kKernelMargin)) || changed(all.last(kKernelMargin)))
            usage_error(fmt::format("kernel {}: writes outside of the accelerations", title_));
    }

    Pool pool_;
    std::shared_ptr<const KernelLibrary> library_;
    std::vector<double> values_;
    std::string title_;
    BodyView<Host, Real> bodies_{};
    std::vector<Vec4<Real>> out_;
    Work work_{};
};

AnyEngine make_kernel(const EngineConfig& config) {
    const KernelFile file = force_kernel(config.kernel, config.backend);
    if (config.precision == Precision::kDouble) return std::make_unique<KernelOnHost<double>>(config, file);
    return std::make_unique<KernelOnHost<float>>(config, file);
}

}  // namespace

EngineEntry kernel_engine() {
    return {.id = "kernel",
            .label = "Kernel file",
            .doc =
                "The force of a kernel file, written by the user: a pair force or a whole loop, in C++ on all cores; "
                "without a file, Newton's force as an example.",
            .backend = Backend::kCpu,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .capabilities = {Capability::kKernel},
            .make = make_kernel};
}

}  // namespace orrery
