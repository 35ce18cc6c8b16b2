// SPDX-License-Identifier: MIT
// Direct summation on the GPU by the tiled kernel of GPU Gems 3, ch. 31: choice of its parameters, panels and splits of
// the columns, and the deterministic reduction of the splits.
#include "core/engines/cuda/direct/tiled.cuh"

#include <algorithm>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cuda/direct/jerk_rows.hpp"
#include "core/engines/cuda/direct/tuning.hpp"
#include "core/engines/cuda/settings.hpp"
#include "core/engines/cuda/share.hpp"
#include "core/engines/cuda/strengths.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/mixed.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

using namespace cuda;

template <class Real>
std::span<const TiledVariant<Real>> variants(PairLaw law, bool softened, bool split) {
    if (law != PairLaw::kGravity) return tiled_of_law<Real>(law);
    if constexpr (std::is_same_v<Real, float>)
        if (split) return tiled_family<float, Softened::kNo, Split::kYes>();
    return softened ? tiled_family<Real, Softened::kYes, Split::kNo>()
                    : tiled_family<Real, Softened::kNo, Split::kNo>();
}

/// Adds up the splits of a panel, for bodies [begin, end): kSplitGroups threads per body each take every eighth split,
/// and one of them adds their sums, always in the same order, so that the result does not depend on the order of
/// blocks. In double: this costs nothing beside reading the splits. Block: 32 × kSplitGroups.
template <class Real, class Finish>
__global__ void add_splits(const Vec4<Real>* partial, unsigned splits, Vec4<Real>* acceleration, std::uint64_t count,
                           std::uint64_t begin, std::uint64_t end, bool first_panel, bool last_panel, Finish finish) {
    __shared__ Vec4d sums[kSplitGroups][32];
    const std::uint64_t i = begin + std::uint64_t{blockIdx.x} * 32 + threadIdx.x;
    Vec4d sum{};
    if (i < end)
        for (unsigned s = threadIdx.y; s < splits; s += kSplitGroups)
            add_to_sum(sum, convert<double>(partial[s * count + i]));
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || i >= end) return;
    for (unsigned group = 1; group < kSplitGroups; ++group) add_to_sum(sum, sums[group][threadIdx.x]);
    if (!first_panel) add_to_sum(sum, convert<double>(acceleration[i]));
    const auto total = convert<Real>(sum);
    acceleration[i] = last_panel ? finish(total, i) : total;
}

/// Upper bound of the memory for partial sums.
constexpr std::uint64_t kPartialBytes = 256 << 20;

/// Direct summation through shared memory. Items are ordered by panel, then row block, then split of the columns. Ranks
/// share the row blocks; a last item exchanges their results.
template <class Real>
class Tiled final : public Engine<Device, Real>, public JerkPower<Device, Real> {
public:
    explicit Tiled(const TileConfig& tile)
        : tile_{tile}, multiprocessors_{cuda_info().devices.front().multiprocessors} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        with_jerk_ = false;
        bodies_ = bodies;
        gravity_ = gravity;
        softening2_ = static_cast<Real>(gravity.softening) * static_cast<Real>(gravity.softening);
        strengths_ = strength_memory_.of(bodies, gravity.law, queue.stream);
        choose(potential == Potential::kCompute);
        part_ = part_of(row_blocks(), ranks_);
        const std::uint64_t need = splits_ * bodies.count;
        if (partial_.size() < need) partial_ = {}, partial_ = DeviceBuffer<Vec4<Real>>{need};
        return own_items() + (ranks_ ? 1 : 0);
    }

    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        return true;
    }

    JerkPower<Device, Real>* jerks() override { return this; }
    std::uint64_t begin_with_jerk(BodyView<Device, Real> bodies, JerkView<Device, Real> motion, const Gravity& gravity,
                                  Queue<Device>) override {
        with_jerk_ = true;
        return jerk_rows_.begin(bodies, motion, gravity);
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        if (with_jerk_) return jerk_rows_.run(first, last, queue.stream);
        const std::uint64_t own = std::min(last, own_items());
        while (first < own) {
            const std::uint64_t panel = first / panel_items(), start = panel * panel_items();
            const std::uint64_t end = std::min(own, start + panel_items());
            run_panel(panel, first - start, end - start, queue);
            first = end;
        }
        if (last > own_items())
            gather_accelerations(*ranks_, bodies_.acceleration, bodies_.count, row_blocks(), rows_of_block(),
                                 queue.stream);
    }

    bool replays() const override { return !with_jerk_ && !ranks_; }

    std::string choice() const override {
        if (with_jerk_) return jerk_rows_.choice();
        if (variant_ == nullptr) return {};
        return describe_tile({p_, variant_->u, q_, variant_->k}, splits_);
    }

private:
    std::uint64_t panels() const { return (bodies_.count + panel_columns_ - 1) / panel_columns_; }
    std::uint64_t rows_of_block() const { return static_cast<std::uint64_t>(p_ * variant_->k); }
    std::uint64_t row_blocks() const { return (bodies_.count + rows_of_block() - 1) / rows_of_block(); }
    std::uint64_t panel_items() const { return part_.count() * splits_; }
    std::uint64_t own_items() const { return panels() * panel_items(); }

    /// Chooses by N the parameters that are not set.
    void choose(bool potential) {
        const TileConfig fitted = fitted_tile(bodies_.count, std::is_same_v<Real, float>, bodies_.low != nullptr);
        const bool few = potential || gravity_.law != PairLaw::kGravity;  // only a few kernels are compiled
        const int k = few ? 2 : tile_.k ? tile_.k : fitted.k;
        const int u = few ? 4 : tile_.u ? tile_.u : fitted.u;
        q_ = tile_.q ? tile_.q : fitted.q;
        p_ = tile_.p ? tile_.p : fitted.p;
        for (const TiledVariant<Real>& variant :
             variants<Real>(gravity_.law, softening2_ > kTouching<Real>, bodies_.low != nullptr))
            if (variant.k == k && variant.u == u && variant.potential == potential) variant_ = &variant;
        fit_block();
        split_columns();
    }

    /// A kernel that uses many registers allows fewer threads per block.
    void fit_block() {
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, variant_->kernel), "attributes of the tiled kernel");
        if (p_ * q_ > attributes.maxThreadsPerBlock)
            refuse_block({p_, variant_->u, q_, variant_->k}, attributes.maxThreadsPerBlock);
    }

    /// Makes enough blocks for several full waves, so that the last, partial one costs little; but a split has at least
    /// a tile and, if there are enough bodies to fill the device, kLeastColumns, and at most kSplitColumns. Columns
    /// beyond all splits form further panels. A given number of splits covers all columns in one panel.
    void split_columns() {
        const std::uint64_t n = bodies_.count, tile = static_cast<std::uint64_t>(p_ * q_);
        if (tile_.s > 0) {
            splits_ = static_cast<unsigned>(tile_.s), panel_columns_ = std::max(n, tile);
            return;
        }
        const std::uint64_t blocks = static_cast<std::uint64_t>(multiprocessors_) * kBlocksOfTiles;
        const std::uint64_t least = std::max(tile, n > 8192 ? kLeastColumns : 1);
        const std::uint64_t wanted = std::max<std::uint64_t>(1, blocks / row_blocks());
        const std::uint64_t columns = std::clamp(n / wanted, least, kSplitColumns);
        const std::uint64_t memory = std::max<std::uint64_t>(1, kPartialBytes / (n * sizeof(Vec4<Real>)));
        splits_ = static_cast<unsigned>(std::min((n + columns - 1) / columns, memory));
        panel_columns_ = std::max<std::uint64_t>(columns * splits_, tile);
    }

    /// The first panel has the last columns, see tiled().
    void run_panel(std::uint64_t panel, std::uint64_t first, std::uint64_t last, Queue<Device> queue) {
        const std::uint64_t first_column = (panels() - 1 - panel) * panel_columns_;
        const TiledArgs<Real> args{.bodies = strengths_,
                                   .low = bodies_.low,
                                   .partial = partial_.data(),
                                   .count = bodies_.count,
                                   .first_item = part_.first * splits_ + first,
                                   .first_column = first_column,
                                   .last_column = std::min<std::uint64_t>(first_column + panel_columns_, bodies_.count),
                                   .splits = splits_,
                                   .softening2 = softening2_,
                                   .law = pair_constants<Real>(gravity_)};
        const auto threads = static_cast<unsigned>(p_ * q_);
        const std::size_t body =
            bodies_.low ? sizeof(PointMass<Real, Split::kYes>) : sizeof(PointMass<Real, Split::kNo>);
        launch("tiled", {dim3(static_cast<unsigned>(last - first)), dim3(p_, q_), threads * body}, queue.stream,
               variant_->kernel, args);
        if (last < panel_items()) return;
        const std::uint64_t begin = part_.first * rows_of_block(),
                            end = std::min<std::uint64_t>(part_.last * rows_of_block(), bodies_.count);
        with_finish(gravity_, bodies_.position_mass, [&]<class Finish>(const Finish& finish) {
            launch("add_splits", {dim3(static_cast<unsigned>((end - begin + 31) / 32)), dim3(32, kSplitGroups)},
                   queue.stream, add_splits<Real, Finish>, partial_.data(), splits_, bodies_.acceleration,
                   bodies_.count, begin, end, panel == 0, panel + 1 == panels(), finish);
        });
    }

    TileConfig tile_;
    int multiprocessors_;
    Ranks* ranks_ = nullptr;
    RankPart part_;  // this rank's part of the row blocks
    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    Strengths<Real> strength_memory_;
    const Vec4<Real>* strengths_ = nullptr;
    Real softening2_{};
    int p_ = 128, q_ = 1;
    unsigned splits_ = 1;
    std::uint64_t panel_columns_ = kSplitColumns;
    const TiledVariant<Real>* variant_ = nullptr;
    DeviceBuffer<Vec4<Real>> partial_;
    bool with_jerk_ = false;
    JerkRows<Real> jerk_rows_;
};

AnyEngine make(const EngineConfig& config) {
    check_tile(config.tile);
    return make_in_precision<Tiled>(config, config.tile);
}

}  // namespace

EngineEntry cuda_direct_engine() {
    return {
        .id = "direct",
        .label = "Direct (all pairs)",
        .doc =
            "All pairs in tiles of shared memory (GPU Gems 3, ch. 31): p threads a block, inner loop unrolled u times, "
            "q threads per body, k bodies per thread in registers, columns split over s blocks.",
        .backend = Backend::kCuda,
        .tolerance_single = 5e-6,
        .tolerance_double = 1e-13,
        .max_bodies = 16 << 20,
        .pair_laws = every_pair_law(),
        .capabilities = {Capability::kTileShape, Capability::kJerk, Capability::kMixed},
        .make = make};
}

}  // namespace orrery
