// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half.hpp"

#include <algorithm>
#include <bit>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cuda/half_matrix.cuh"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

using namespace cuda;

constexpr unsigned kMassThreads = 128;

/// The mass that all bodies of a tile have, or NaN where they differ or the tile is not full: padding has none.
template <class Real>
__global__ void tile_masses(const Vec4<Real>* bodies, std::uint64_t count, unsigned side, Real* masses) {
    const std::uint64_t first = std::uint64_t{blockIdx.x} * side;
    const Real mass = bodies[first].w;
    bool same = first + side <= count;
    for (unsigned i = threadIdx.x; same && i < side; i += kMassThreads) same = bodies[first + i].w == mass;
    const bool all = __syncthreads_and(same);
    if (threadIdx.x == 0) masses[blockIdx.x] = all ? mass : Real(NAN);
}

template <Softened kSoftened, class Real>
__global__ void add_copies(const Vec4<Real>* sums, unsigned copies, const Vec4<Real>* bodies, Vec4<Real>* acceleration,
                           std::uint64_t count, Real softening2, Real G) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    Vec4<Real> sum{};
#pragma unroll 4
    for (unsigned c = 0; c < copies; ++c) {
        const Vec4<Real> part = sums[c * count + i];
        sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
    }
    acceleration[i] = finished<kSoftened>(sum, bodies[i], softening2, G);
}

/// The sums take no more device memory than this, unless one copy does.
constexpr std::uint64_t kSumBytes = 256 << 20;
constexpr unsigned kMostCopies = 16;

/// An item is a block of the map's grid.
template <class Real>
class HalfMatrix final : public Engine<Device, Real> {
public:
    explicit HalfMatrix(const EngineConfig& config) : config_{config} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        bodies_ = bodies;
        gravity_ = gravity;
        softening2_ = static_cast<Real>(gravity.softening) * static_cast<Real>(gravity.softening);
        choose(potential == Potential::kCompute);
        tiles_ = static_cast<std::uint32_t>((bodies.count + rows_ - 1) / rows_);
        plan_map();
        if (sums_.size() < copies_ * bodies.count) sums_ = {}, sums_ = DeviceBuffer<Vec4<Real>>{copies_ * bodies.count};
        if (masses_.size() < tiles_) masses_ = DeviceBuffer<Real>{tiles_};
        check(cudaMemsetAsync(sums_.data(), 0, copies_ * bodies.count * sizeof(Vec4<Real>), queue.stream), "clearing");
        launch("tile_masses", {dim3(tiles_), dim3(kMassThreads)}, queue.stream, tile_masses<Real>, bodies.position_mass,
               bodies.count, static_cast<unsigned>(rows_), masses_.data());
        return grid_.count();
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        constexpr std::uint64_t most = 1u << 30;  // blocks of a launch
        const auto threads = static_cast<unsigned>(rows_ / variant_->k);
        for (std::uint64_t at = first; at < last; at += most) {
            const HalfArgs<Real> args{.bodies = bodies_.position_mass,
                                      .sums = sums_.data(),
                                      .tile_mass = masses_.data(),
                                      .count = bodies_.count,
                                      .map = map_,
                                      .grid = grid_,
                                      .first_item = at,
                                      .rows = tiles_,
                                      .copies = copies_,
                                      .softening2 = softening2_};
            launch("half_matrix",
                   {dim3(static_cast<unsigned>(std::min(most, last - at))), dim3(threads), rows_ * sizeof(Vec4<Real>)},
                   queue.stream, variant_->kernel, args);
        }
        if (last < grid_.count()) return;
        const auto add = variant_->softened ? add_copies<Softened::kYes, Real> : add_copies<Softened::kNo, Real>;
        launch("add_copies", linear(bodies_.count), queue.stream, add, sums_.data(), copies_, bodies_.position_mass,
               bodies_.acceleration, bodies_.count, softening2_, gravity_.constant);
    }

    std::string choice() const override {
        return variant_ == nullptr ? std::string{} : describe_half(config_, rows_, tiles_, copies_);
    }

private:
    struct Sides {
        int large, middle;
    };
    /// Large tiles have the least overhead per pair, but small N needs many blocks to fill the device. Figures:
    /// bench/results, `orrery bench --engines half --sweep tile`, on an H200.
    static int default_rows(std::uint64_t n, Sides best) {
        return n >= 40'000 ? best.large : n >= 10'000 ? best.middle : n >= 6'000 ? 128 : n >= 1'500 ? 64 : 32;
    }

    void choose(bool potential) {
        const std::uint64_t n = bodies_.count;
        constexpr bool single = std::is_same_v<Real, float>;
        rows_ = config_.rows ? config_.rows : single ? default_rows(n, {384, 256}) : default_rows(n, {512, 128});
        const int k = potential                    ? 1
                      : rows_ % 384 == 0           ? 12
                      : rows_ % 256 == 0 && single ? 8
                      : rows_ % 128 == 0           ? 4
                                                   : rows_ / 32;
        const auto variants = [] {
            if constexpr (single)
                return half_float();
            else
                return half_double();
        }();
        for (const HalfVariant<Real>& variant : variants)
            if (variant.k == k && variant.potential == potential && variant.softened == (softening2_ > kTouching<Real>))
                variant_ = &variant;
        const std::uint64_t fit = std::max<std::uint64_t>(1, kSumBytes / (n * sizeof(Vec4<Real>)));
        copies_ = static_cast<unsigned>(std::bit_floor(std::min<std::uint64_t>(fit, kMostCopies)));
    }

    void plan_map() {
        const MapEntry& entry = map(config_.map);
        const RootEntry& proposer = root(config_.root);
        require_exact(entry, proposer, tiles_);
        map_ = {entry.map, proposer.root, nullptr};
        grid_ = map_.grid(tiles_);
        if (map_.map != MapId::kLut) return;
        if (table_rows_ != tiles_) {
            const std::vector<Tile> table = lut_table(tiles_);
            table_ = DeviceBuffer<Tile>{table.size()};
            check(cudaMemcpy(table_.data(), table.data(), table.size() * sizeof(Tile), cudaMemcpyHostToDevice),
                  "map table");
            table_rows_ = tiles_;
        }
        map_.table = table_.data();
    }

    EngineConfig config_;
    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    Real softening2_{};
    int rows_ = 256;
    std::uint32_t tiles_ = 0, table_rows_ = 0;
    unsigned copies_ = 1;
    AnyMap map_{};
    Grid grid_{};
    const HalfVariant<Real>* variant_ = nullptr;
    DeviceBuffer<Vec4<Real>> sums_;
    DeviceBuffer<Real> masses_;
    DeviceBuffer<Tile> table_;
};

AnyEngine make(const EngineConfig& config) {
    check_rows(config.rows);
    map(config.map), root(config.root);  // unknown ids are refused here
    if (config.precision == Precision::kSingle) return std::make_unique<HalfMatrix<float>>(config);
    return std::make_unique<HalfMatrix<double>>(config);
}

}  // namespace

EngineEntry cuda_half_engine() {
    return {.id = "half",
            .label = "Half matrix (symmetric)",
            .doc =
                "Each pair once, for both bodies: tiles of the triangle, reached through a thread map; row bodies in "
                "registers, reactions round the warp by shuffle.",
            .backend = Backend::kCuda,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 4 << 20,
            .tile_knobs = false,
            .maps = true,
            .same_bits = false,
            .make = make};
}

}  // namespace orrery
