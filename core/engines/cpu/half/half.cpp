// SPDX-License-Identifier: MIT
// Symmetric direct summation on the CPU: a thread map assigns the tiles of the lower triangle of pairs, each evaluated
// once for both bodies; partial sums per stripe make it free of races and deterministic. The SIMD loops are in
// simd.cpp.
#include "core/engines/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/engines/cpu/buffer.hpp"
#include "core/engines/cpu/direct/jerk_blocks.hpp"
#include "core/engines/cpu/half/simd.hpp"
#include "core/engines/cpu/tuning.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/pair_law.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// Number of stripes over which the blocks are distributed, each with its own sums. It must not depend on the number of
/// threads, which would change the bits. A number with many divisors distributes evenly. More stripes keep more threads
/// busy but cost memory, limited to 1 GiB at a million bodies, and time to add them up, which must stay small compared
/// with N².
template <class Real>
std::uint64_t stripes_for(std::size_t count) {
    if (count * sizeof(Real) > (std::uint64_t{6} << 20))
        return count * sizeof(Real) > (std::uint64_t{24} << 20) ? 12 : 24;
    if (count >= 32768) return 48;
    return count >= 4096 ? 24 : 12;
}

/// The tiles of the blocks: by a map of the menu, or by that of a kernel file, whose grid is evaluated once.
class TilePlan {
public:
    TilePlan(const MapEntry& map, const RootEntry& root, std::uint32_t rows) : rows_{rows} {
        const MapPlan plan{map, root, rows};
        grid_ = plan.grid();
        plan_ = plan;
    }
    TilePlan(const EvaluatedMap& map, const std::string& name, std::uint32_t rows) : rows_{rows} {
        require_exact(map, name, rows);
        grid_ = map.grid(rows);
        tiles_.resize(grid_.count());
        map.tiles(rows, 0, grid_.count(), tiles_.data());
    }
    std::uint32_t rows() const { return rows_; }
    Grid grid() const { return grid_; }
    Tile tile(std::uint64_t index) const { return plan_ ? plan_->tile(block_at(grid_, index)) : tiles_[index]; }

private:
    std::uint32_t rows_;
    Grid grid_{};
    std::optional<MapPlan> plan_;
    std::vector<Tile> tiles_;
};

/// Each pair is computed once, for both bodies (Newton's third law). An item is a block of the map's grid; blocks are
/// assigned to stripes by a fixed rule. One thread at a time works on a stripe, in the order of its blocks, into the
/// stripe's own sums; finally the stripes are added in order. So there are no races, and the bits do not depend on the
/// threads.
template <class Real>
class Half final : public Engine<Host, Real>, public JerkPower<Host, Real> {
    enum class Work { kForces, kJerks, kSomeJerks };

public:
    Half(const EngineConfig& config, const MapEntry& map, const RootEntry& root)
        : pool_{config.threads, config.background},
          map_{map},
          root_{root},
          wanted_side_{static_cast<std::size_t>(config.tile_size)},
          save_at_equal_masses_{config.equal_masses} {
        if (config.kernel.empty()) return;
        if (const KernelFile file = parse_kernel(config.kernel); file.kind == KernelKind::kMap)
            own_map_ = {file.title, kernel_map(file)};
    }

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host>) override {
        now_.motion = {};
        now_.work = Work::kForces;
        planes_ = potential == Potential::kCompute ? 4 : 3;
        packed_planes_ = bodies.low ? 7 : 4;
        return begin_tiles(bodies, gravity);
    }

    /// If only some bodies are due, the pairs do not form a triangle, so all columns are evaluated as in `direct`.
    JerkPower<Host, Real>* jerks() override { return this; }
    std::uint64_t begin_with_jerk(BodyView<Host, Real> bodies, JerkView<Host, Real> motion, const Gravity& gravity,
                                  Queue<Host>) override {
        now_.motion = motion;
        if (motion.row_count < bodies.count) {
            now_.work = Work::kSomeJerks;
            return rows_.begin(bodies, motion, gravity);
        }
        now_.work = Work::kJerks;
        planes_ = packed_planes_ = kJerkPlanes;
        return begin_tiles(bodies, gravity);
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        if (first >= last) return;
        if (now_.work == Work::kSomeJerks) return rows_.run(first, last, pool_);
        pool_.parallel_for(share_.part.first, share_.part.last,
                           [=, this](std::uint64_t stripe) { run_stripe(stripe, first, last); });
        if (last < items_) return;
        if (share_.ranks) return finish_together();
        pool_.parallel_for(0, plan_->rows(), [this](std::uint64_t tile) {
            alignas(64) Real total[kJerkPlanes * kMaxTile];
            std::fill_n(total, planes_ * side_, Real(0));
            add_stripes(tile, total);
            finish(tile, total);
        });
    }
    bool share(Ranks& ranks) override {
        share_.ranks = &ranks;
        rows_.share(ranks);
        return true;
    }

    std::string choice() const override {
        if (!plan_) return {};
        const bool with_root = own_map_.title.empty() && map_.takes_root;
        return fmt::format("map {}{}{}, ρ {}, {} × {} tiles, {} sums",
                           own_map_.title.empty() ? map_.id : std::string_view{own_map_.title}, with_root ? " · " : "",
                           with_root ? root_.id : "", side_, plan_->rows(), plan_->rows(), stripes_);
    }
    EngineReport report() const override {
        return {.tile_size = static_cast<int>(side_), .map = map_.id, .root = root_.id};
    }

private:
    std::uint64_t begin_tiles(BodyView<Host, Real> bodies, const Gravity& gravity) {
        now_.bodies = bodies;
        now_.gravity = gravity;
        side_ = wanted_side_ ? wanted_side_ : cpu::fitted_half_tile(bodies.count);
        const std::size_t tiles = (bodies.count + side_ - 1) / side_;
        if (!plan_ || plan_->rows() != tiles) {
            const auto rows = static_cast<std::uint32_t>(tiles);
            own_map_.title.empty() ? plan_.emplace(map_, root_, rows)
                                   : plan_.emplace(own_map_.map, own_map_.title, rows);
        }
        stripes_ = stripes_for<Real>(bodies.count);
        share_.part = part_of(stripes_, share_.ranks);
        marks_ = (tiles + 63) / 64 * 64;  // separates stripes by cache lines
        written_.assign(stripes_ * marks_, 0);
        packed_.data = packed_.memory.reserve(tiles * packed_planes_ * side_, "engine half");
        sums_.data = sums_.memory.reserve(stripes_ * tiles * planes_ * side_, "engine half");
        traits_.resize(tiles);
        pool_.parallel_for(0, tiles, [this](std::uint64_t tile) { pack(tile); });
        items_ = plan_->grid().count();
        return items_;
    }

    /// In double precision these digits are negligible, so vectors keep their order.
    static constexpr bool kExact = std::is_same_v<Real, double>;
    struct Traits {
        bool near;
        Real mass;         // the mass of every body in the tile; NaN if masses differ or the tile has padding
        std::size_t last;  // the body whose force is summed last: one heavier than all others, if there is one, because
                           // a sum that already contains so large a term loses digits of each small one
    };

    Real softening2() const {
        const auto softening = static_cast<Real>(now_.gravity.softening);
        return softening * softening;
    }
    std::size_t bodies_in(std::uint64_t tile) const { return std::min(side_, now_.bodies.count - tile * side_); }
    Real* packed_tile(std::uint64_t tile) const { return packed_.data + tile * packed_planes_ * side_; }
    Real* sums(std::uint64_t stripe, std::uint64_t tile) const {
        return sums_.data + (stripe * plan_->rows() + tile) * planes_ * side_;
    }
    /// Returns true if the sums of this tile are not yet written, and marks them as written.
    bool first_time(std::uint64_t stripe, std::uint64_t tile) {
        return std::exchange(written_[stripe * marks_ + tile], std::uint8_t{1}) == 0;
    }

    Real strength(std::uint64_t body) const {
        const Real charge = now_.bodies.charge ? now_.bodies.charge[body] : Real(0);
        return strength_of(now_.gravity.law, now_.bodies.position_mass[body].w, charge);
    }

    /// Copies a tile into planes. Padding repeats the last body with mass 0.
    void pack(std::uint64_t tile) {
        Real* to = packed_tile(tile);
        const Vec4<Real>* from = now_.bodies.position_mass + tile * side_;
        const std::size_t count = bodies_in(tile);
        Real reach = static_cast<Real>(now_.gravity.softening);
        bool equal = save_at_equal_masses_ && count % kTilePadding == 0;
        Real total = 0;
        std::size_t heaviest = 0;
        for (std::size_t i = 0; i < side_; ++i) {
            const Vec4<Real> body = from[std::min(i, count - 1)];
            to[i] = body.x, to[side_ + i] = body.y, to[2 * side_ + i] = body.z;
            to[3 * side_ + i] = i < count ? strength(tile * side_ + i) : 0;
            if (now_.bodies.low) {
                const Vec4<Real> low = now_.bodies.low[tile * side_ + std::min(i, count - 1)];
                to[4 * side_ + i] = low.x, to[5 * side_ + i] = low.y, to[6 * side_ + i] = low.z;
            }
            if (now_.work == Work::kJerks) {
                const Vec4<Real> v = now_.motion.velocity[tile * side_ + std::min(i, count - 1)];
                to[4 * side_ + i] = v.x, to[5 * side_ + i] = v.y, to[6 * side_ + i] = v.z;
            }
            reach = std::max({reach, std::abs(body.x), std::abs(body.y), std::abs(body.z)});
            equal = equal && body.w == from[0].w;
            if (i < count) total += body.w;
            if (i < count && body.w > from[heaviest].w) heaviest = i;
        }
        traits_[tile] = {reach < kNearby<Real>, equal ? from[0].w : std::numeric_limits<Real>::quiet_NaN(),
                         !kExact && from[heaviest].w > total / 2 ? heaviest : count - 1};
    }

    /// A stripe has one of every `stripes_` consecutive blocks, at an offset that advances each time, so that on a grid
    /// as wide as there are stripes a stripe is not one column.
    void run_stripe(std::uint64_t stripe, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t group = first / stripes_; group * stripes_ < last; ++group) {
            const std::uint64_t index = group * stripes_ + (stripe + group) % stripes_;
            if (index < first || index >= last) continue;
            const Tile tile = plan_->tile(index);
            if (useful(tile, plan_->rows())) run_tile(stripe, tile);
        }
    }

    void run_tile(std::uint64_t stripe, Tile tile) {
        const bool diagonal = tile.row == tile.col;
        const bool row_first = first_time(stripe, tile.row);
        const bool column_first = !diagonal && first_time(stripe, tile.col);
        const HalfTile<Real> pair{.row = packed_tile(tile.row),
                                  .column = packed_tile(tile.col),
                                  .row_sum = sums(stripe, tile.row),
                                  .column_sum = sums(stripe, tile.col),
                                  .stride = side_,
                                  .rows = bodies_in(tile.row),
                                  .columns = bodies_in(tile.col),
                                  .last = traits_[tile.col].last,
                                  .softening2 = softening2(),
                                  .row_first = row_first,
                                  .column_first = column_first,
                                  .diagonal = diagonal,
                                  .potential = planes_ == 4,
                                  .split = now_.bodies.low != nullptr,
                                  .near = traits_[tile.row].near && traits_[tile.col].near,
                                  .equal_masses = traits_[tile.row].mass == traits_[tile.col].mass,
                                  .law = now_.gravity.law,
                                  .constants = pair_constants<Real>(now_.gravity)};
        now_.work == Work::kJerks ? half_jerk_tile(pair) : half_tile(pair);
    }

    /// Adds the sums of this rank's stripes to `total`: [plane][body].
    void add_stripes(std::uint64_t tile, Real* total) const {
        const std::size_t count = bodies_in(tile);
        for (std::uint64_t stripe = share_.part.first; stripe < share_.part.last; ++stripe) {
            if (!written_[stripe * marks_ + tile]) continue;
            const Real* more = sums(stripe, tile);
            for (std::size_t plane = 0; plane < planes_ * side_; plane += side_)
                for (std::size_t i = plane; i < plane + count; ++i) total[i] += more[i];
        }
    }

    /// The stripes of the ranks are consecutive, so their sums are also added in stripe order.
    void finish_together() {
        const std::size_t of_tile = planes_ * side_;
        share_.totals.resize(plan_->rows() * of_tile);
        sum_in_order(*share_.ranks, std::span{share_.totals}, of_tile, [&](std::size_t first, std::size_t last) {
            pool_.parallel_for(first / of_tile, last / of_tile,
                               [&](std::uint64_t tile) { add_stripes(tile, share_.totals.data() + tile * of_tile); });
        });
        pool_.parallel_for(0, plan_->rows(),
                           [&](std::uint64_t tile) { finish(tile, share_.totals.data() + tile * of_tile); });
    }

    void finish(std::uint64_t tile, const Real* total) const {
        const std::size_t count = bodies_in(tile);
        const auto constant = static_cast<Real>(now_.gravity.constant);
        if (now_.gravity.law != PairLaw::kGravity) return finish_law(tile, total);
        const Real scale = now_.work == Work::kJerks ? constant : constant * kHalfScale<Real>;
        Vec4<Real>* out = now_.bodies.acceleration + tile * side_;
        for (std::size_t i = 0; i < count; ++i)
            out[i] = {scale * total[i], scale * total[side_ + i], scale * total[2 * side_ + i],
                      -constant * (planes_ > 3 ? total[3 * side_ + i] : Real(0))};
        if (now_.work != Work::kJerks) return;
        Vec4<Real>* jerk = now_.motion.jerk + tile * side_;
        for (std::size_t i = 0; i < count; ++i)
            jerk[i] = {constant * total[4 * side_ + i], constant * total[5 * side_ + i],
                       constant * total[6 * side_ + i], 0};
    }

    void finish_law(std::uint64_t tile, const Real* total) const {
        const Vec4<Real>* bodies = now_.bodies.position_mass + tile * side_;
        for (std::size_t i = 0; i < bodies_in(tile); ++i) {
            const Real s = scale_of(now_.gravity.law, static_cast<Real>(now_.gravity.constant), bodies[i].w);
            now_.bodies.acceleration[tile * side_ + i] = {s * total[i], s * total[side_ + i], s * total[2 * side_ + i],
                                                          planes_ > 3 ? -s * total[3 * side_ + i] : Real(0)};
        }
    }

    /// The evaluation begun last.
    struct Evaluation {
        BodyView<Host, Real> bodies{};
        JerkView<Host, Real> motion{};
        Gravity gravity;
        Work work = Work::kForces;
    };
    struct Share {
        Ranks* ranks = nullptr;
        RankPart part;             // this rank's part of the stripes
        std::vector<Real> totals;  // with several ranks: [tile][plane][body]
    };
    struct Planes {
        Buffer<Real> memory;
        Real* data = nullptr;
    };

    /// The map of a kernel file; without a title: that of the menu.
    struct OwnMap {
        std::string title;
        EvaluatedMap map;
    };

    Pool pool_;
    const MapEntry& map_;
    const RootEntry& root_;
    OwnMap own_map_;
    const std::size_t wanted_side_;  // 0: from the number of bodies
    const bool save_at_equal_masses_;

    Evaluation now_;
    JerkBlocks<Real> rows_;  // for Work::kSomeJerks
    std::size_t planes_ = 3, packed_planes_ = 4, side_ = 0, marks_ = 0;
    std::uint64_t stripes_ = 1, items_ = 0;
    Share share_;
    std::optional<TilePlan> plan_;
    Planes packed_, sums_;               // [tile][plane][body], [stripe][tile][plane][body]
    std::vector<std::uint8_t> written_;  // [stripe][tile]: 1 if its sums are written
    std::vector<Traits> traits_;         // by tile
};

AnyEngine make(const EngineConfig& config) {
    constexpr int step = kTilePadding, most = kMaxTile;
    if (config.tile_size < 0 || config.tile_size > most || config.tile_size % step != 0)
        usage_error(
            fmt::format("tile size {}: on a CPU it must be a multiple of {} up to {}", config.tile_size, step, most));
    const MapEntry& chosen = map(config.map);
    const RootEntry& with = root(config.root);
    return make_in_precision<Half>(config, config, chosen, with);
}

}  // namespace

EngineEntry half_engine() {
    return {.id = "half",
            .label = "Half matrix",
            .doc =
                "Each pair once, for both bodies: tiles of the triangle, assigned by a thread map; column bodies "
                "rotate past SIMD registers of row bodies, on all cores.",
            .backend = Backend::kCpu,
            .tolerance_single = 2e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .pair_laws = every_pair_law(),
            .capabilities = {Capability::kPairMap, Capability::kJerk, Capability::kMixed},
            .same_bits = true,
            .make = make};
}

}  // namespace orrery
