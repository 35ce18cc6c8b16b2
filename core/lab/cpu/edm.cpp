// SPDX-License-Identifier: MIT
// The Euclidean distance matrix: √Σ(a − b)² over 1 … 4 features, written to the lower triangle of an N × N matrix.
#include <atomic>
#include <limits>

#include "core/base/memory.hpp"
#include "core/lab/cpu/walk.hpp"
#include "core/lab/pairs.hpp"

namespace orrery {
namespace {

using namespace lab;

constexpr float kEdmSpoilt = std::numeric_limits<float>::quiet_NaN();
constexpr double kTolerance = 1e-6;  // relative, against double: float rounds a sum of four squares and its root

template <int F>
class Edm final : public CpuKernel {
public:
    explicit Edm(LabSize size) : CpuKernel{size, size.rho} {
        const std::uint64_t elements = std::uint64_t{size.bodies} * size.bodies;
        require_memory("edm", elements * sizeof(float));
        matrix_.reset(new float[elements]);  // not initialized: half of it is never touched
        for (const Vec4f& body : bodies_) features_.push_back(Features<F>::of(body));
    }

    LabCheck check(FormChoice choice) override {
        std::fill_n(matrix_.get(), std::uint64_t{size_.bodies} * size_.bodies, kEdmSpoilt);
        run(choice, table_of(choice));
        std::atomic<std::uint64_t> wrong = 0, outside = 0;
        pool_.parallel_for(0, size_.bodies, [&](std::uint64_t i) {
            for (std::uint64_t j = 0; j < size_.bodies; ++j) {
                const float found = matrix_[i * size_.bodies + j];
                if (j > i)
                    outside += !std::isnan(found);
                else
                    wrong += !right(found, bodies_[i], bodies_[j]);
            }
        });
        return edm_verdict(wrong, outside);
    }

private:
    static bool right(float found, Vec4f a, Vec4f b) {
        const std::array<double, 4> apart{double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z, double{a.w} - b.w};
        double sum = 0;
        for (int f = 0; f < F; ++f) sum += apart[static_cast<std::size_t>(f)] * apart[static_cast<std::size_t>(f)];
        return std::abs(found - std::sqrt(sum)) <= kTolerance * std::sqrt(sum);
    }

    void write(std::uint64_t i, std::uint64_t j) {
        matrix_[i * size_.bodies + j] = std::sqrt(distance2(features_[i], features_[j]));
    }
    /// Not inlined, so that all forms run the same code for a tile.
    [[gnu::noinline]] void interact(Tile tile) {
        const std::uint32_t first = tile.row * side_, left = tile.col * side_;
        for (std::uint32_t i = first; i < end(first); ++i)
            for (std::uint32_t j = left; j < left + side_ && j <= i; ++j) write(i, j);
    }

    void run(FormChoice choice, const Tile* table) override {
        with_form(choice, table, [&](auto form) {
            if constexpr (form.in_threads)
                walk_threads(pool_, form, size_.bodies, [&] { return [&](auto i, auto j) { write(i, j); }; });
            else
                walk_blocks(pool_, form, rows_, [&] { return [&](Tile tile) { interact(tile); }; });
        });
    }

    std::vector<Features<F>> features_;
    std::unique_ptr<float[]> matrix_;
};

}  // namespace

std::unique_ptr<LabKernel> cpu_edm(LabSize size) {
    switch (size.dimensions) {
        case 1:
            return std::make_unique<Edm<1>>(size);
        case 2:
            return std::make_unique<Edm<2>>(size);
        case 3:
            return std::make_unique<Edm<3>>(size);
        default:
            return std::make_unique<Edm<4>>(size);
    }
}

}  // namespace orrery
