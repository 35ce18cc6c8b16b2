// SPDX-License-Identifier: MIT
// Three-body forces on the CPU: a thread map assigns triples of tiles of the tetrahedron i ≤ j ≤ k, each evaluated once
// for all three tiles; the SIMD loop is in simd.cpp.
#include "core/engines/entries.hpp"

#include <fmt/format.h>
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/pool.hpp"
#include "core/engines/cpu/triplet/simd.hpp"
#include "core/engines/cpu/tuning.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/maps/maps.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// Number of stripes over which blocks are distributed, each with its own sums. It must not depend on the number of
/// threads, which would change the bits.
constexpr std::uint64_t kStripes = 24;

/// Each triplet is computed once, for its three bodies. An item is a block of the map's grid; stripes as in `half`:
/// there are no races, and the bits do not depend on the threads.
template <class Real>
class Triplet final : public Engine<Host, Real> {
public:
    Triplet(const EngineConfig& config, const Map3Entry& map, const RootEntry& root)
        : pool_{config.threads, config.background},
          map_{map},
          root_{root},
          wanted_side_{static_cast<std::size_t>(config.tile_size)} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        potential_ = potential;
        side_ = wanted_side_ ? wanted_side_ : cpu::fitted_triplet_tile(bodies.count);
        const std::size_t tiles = (bodies.count + side_ - 1) / side_;
        if (tiles > kMostLayers)
            usage_error(
                fmt::format("engine triplet supports up to {} bodies, not {}", kMostLayers * side_, bodies.count));
        tiles_ = static_cast<std::uint32_t>(tiles);
        packed_planes_ = bodies.low ? 7 : 4;
        reserve();
        pool_.parallel_for(0, tiles, [this](std::uint64_t tile) { pack(tile); });
        grid_ = any().grid(tiles_);
        return grid_.count();
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        if (first >= last) return;
        const RankPart part = part_of(kStripes, ranks_);
        pool_.parallel_for(part.first, part.last, [=, this](std::uint64_t stripe) { run_stripe(stripe, first, last); });
        if (last < grid_.count()) return;
        const std::size_t of_tile = 4 * side_;
        if (ranks_)  // the stripes of the ranks are consecutive
            sum_in_order(*ranks_, std::span{totals_}, of_tile, [&](std::size_t begin, std::size_t end) {
                add_stripes(part, begin / of_tile, end / of_tile);
            });
        else
            add_stripes(part, 0, tiles_);
        pool_.parallel_for(0, tiles_, [this](std::uint64_t tile) { finish(tile); });
    }
    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        return true;
    }

    std::string choice() const override {
        if (tiles_ == 0) return {};
        return fmt::format("map {}{}{}, ρ {}, {}³ tiles", map_.id, map_.takes_root ? " · " : "",
                           map_.takes_root ? root_.id : "", side_, tiles_);
    }
    EngineReport report() const override {
        return {.tile_size = static_cast<int>(side_), .map = map_.id, .root = root_.id};
    }

private:
    AnyMap3 any() const { return {map_.map, root_.root}; }
    std::size_t bodies_in(std::uint64_t tile) const { return std::min(side_, bodies_.count - tile * side_); }
    const Real* packed(std::uint64_t tile) const { return packed_.get() + tile * packed_planes_ * side_; }
    double* sums(std::uint64_t stripe, std::uint64_t tile) {
        return sums_.data() + (stripe * tiles_ + tile) * 4 * side_;
    }

    void reserve() {
        const std::size_t plane = std::size_t{tiles_} * side_, packed = packed_planes_ * plane;
        const std::size_t sums = kStripes * 4 * plane;
        require_memory("engine triplet", packed * sizeof(Real) + (sums + 4 * plane) * sizeof(double));
        if (packed > packed_size_) {
            packed_ = hwy::AllocateAligned<Real>(packed);
            if (!packed_)
                environment_error(fmt::format("engine triplet: no memory for {} bytes", packed * sizeof(Real)));
            packed_size_ = packed;
        }
        sums_.assign(sums, 0);
        totals_.assign(4 * plane, 0);
    }

    /// Copies a tile into planes. Padding repeats the last body with mass 0.
    void pack(std::uint64_t tile) {
        Real* to = packed_.get() + tile * packed_planes_ * side_;
        const std::size_t count = bodies_in(tile);
        for (std::size_t i = 0; i < side_; ++i) {
            const Vec4<Real> body = bodies_.position_mass[tile * side_ + std::min(i, count - 1)];
            to[i] = body.x, to[side_ + i] = body.y, to[2 * side_ + i] = body.z;
            to[3 * side_ + i] = i < count ? body.w : 0;
            if (!bodies_.low) continue;
            const Vec4<Real> low = bodies_.low[tile * side_ + std::min(i, count - 1)];
            to[4 * side_ + i] = low.x, to[5 * side_ + i] = low.y, to[6 * side_ + i] = low.z;
        }
    }

    /// A stripe has one of every kStripes consecutive blocks, at an offset that advances each time, so that on a grid
    /// as wide as there are stripes a stripe is not one column.
    void run_stripe(std::uint64_t stripe, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t group = first / kStripes; group * kStripes < last; ++group) {
            const std::uint64_t index = group * kStripes + (stripe + group) % kStripes;
            if (index < first || index >= last) continue;
            const TileTriple tiles = any()(block_at(grid_, index), tiles_);
            if (useful(tiles, tiles_)) run_tile(stripe, tiles);
        }
    }

    void run_tile(std::uint64_t stripe, TileTriple t) {
        const auto softening = static_cast<Real>(gravity_.softening);
        triplet_tile(TripletTile<Real>{.i = packed(t.i),
                                       .j = packed(t.j),
                                       .k = packed(t.k),
                                       .side = side_,
                                       .in_i = bodies_in(t.i),
                                       .in_j = bodies_in(t.j),
                                       .in_k = bodies_in(t.k),
                                       .same_ij = t.i == t.j,
                                       .same_jk = t.j == t.k,
                                       .softening2 = softening * softening,
                                       .potential = potential_ == Potential::kCompute,
                                       .split = bodies_.low != nullptr,
                                       .sum_i = sums(stripe, t.i),
                                       .sum_j = sums(stripe, t.j),
                                       .sum_k = sums(stripe, t.k)});
    }

    /// Adds the sums of these stripes, in order, to the totals of these tiles.
    void add_stripes(RankPart stripes, std::uint64_t first_tile, std::uint64_t last_tile) {
        pool_.parallel_for(first_tile, last_tile, [=, this](std::uint64_t tile) {
            double* total = totals_.data() + tile * 4 * side_;
            for (std::uint64_t stripe = stripes.first; stripe < stripes.last; ++stripe) {
                const double* more = sums(stripe, tile);
                for (std::size_t i = 0; i < 4 * side_; ++i) total[i] += more[i];
            }
        });
    }

    void finish(std::uint64_t tile) {
        const double* total = totals_.data() + tile * 4 * side_;
        const double nu = gravity_.constant, push = 3 * nu;
        for (std::size_t i = 0; i < bodies_in(tile); ++i)
            bodies_.acceleration[tile * side_ + i] = convert<Real>(Vec4d{
                push * total[i], push * total[side_ + i], push * total[2 * side_ + i], nu * total[3 * side_ + i]});
    }

    Pool pool_;
    const Map3Entry& map_;
    const RootEntry& root_;
    const std::size_t wanted_side_;
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
    Potential potential_{};
    std::size_t side_ = 0, packed_planes_ = 4, packed_size_ = 0;
    std::uint32_t tiles_ = 0;
    Grid3 grid_{};
    hwy::AlignedFreeUniquePtr<Real[]> packed_;  // [tile][plane][body]
    std::vector<double> sums_, totals_;         // [stripe][tile][plane][body]; totals_ without the stripes
    Ranks* ranks_ = nullptr;
};

AnyEngine make(const EngineConfig& config) {
    constexpr int step = kTripletStep, most = kTripletMostSide;
    if (config.tile_size < 0 || config.tile_size > most || config.tile_size % step != 0)
        usage_error(fmt::format("tile size {}: for triplets on a CPU it must be a multiple of {} up to {}",
                                config.tile_size, step, most));
    const Map3Entry& map = simplex3_map(config.map3);
    const RootEntry& with = root(config.root);
    return make_in_precision<Triplet>(config, config, map, with);
}

}  // namespace

EngineEntry triplet_engine() {
    return {
        .id = "triplet",
        .label = "Triplets (Axilrod-Teller)",
        .doc =
            "Not gravity: the Axilrod-Teller-Muto force on every triple of bodies, by a thread map of the tetrahedron; "
            "in SIMD registers, on all cores. N³ work: for hundreds of bodies, as in argon-cluster.",
        .backend = Backend::kCpu,
        .tolerance_single = 1e-5,
        .tolerance_double = 1e-13,
        .max_bodies = 4096,
        .law = Law::kAxilrodTeller,
        .capabilities = {Capability::kTripleMap, Capability::kMixed},
        .same_bits = true,
        .make = make};
}

}  // namespace orrery
