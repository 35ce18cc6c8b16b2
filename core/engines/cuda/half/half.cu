// SPDX-License-Identifier: MIT
// Symmetric direct summation on the GPU: a thread map assigns the tiles of the lower triangle of pairs to blocks, each
// pair is evaluated once for both bodies, and sums go to copies in global memory, or to fixed point if the result must
// be deterministic.
#include "core/engines/cuda/settings.hpp"
#include "core/engines/entries.hpp"

#include <algorithm>
#include <bit>

#include "core/base/error.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cuda/direct/jerk_rows.hpp"
#include "core/engines/cuda/half/matrix.cuh"
#include "core/engines/cuda/half/strips.cuh"
#include "core/engines/cuda/half/sums.cuh"
#include "core/engines/cuda/share.hpp"
#include "core/engines/cuda/strengths.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/part_of_grid.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

using namespace cuda;

/// Upper bound of the memory for sums, unless a single copy needs more.
constexpr std::uint64_t kSumBytes = std::uint64_t{1} << 30;
/// A float sum to which more tiles than this add loses digits: it is split into copies. With 170 tiles per copy, the
/// relative RMS error of a million bodies is up to 1e-6 (planetesimals), with 43 up to 3e-7.
constexpr std::uint64_t kTilesOfSum = 64;
constexpr unsigned kMostCopies = 64;

/// The symmetric half matrix. An item is a block of the map's grid, or a strip of them. Ranks share the grid, and a
/// last item adds up their sums: exactly in fixed point, so that the bits are those of one rank. Jerks are not shared:
/// each rank computes all of them.
template <class Real>
class HalfMatrix final : public Engine<Device, Real>, public JerkPower<Device, Real> {
public:
    explicit HalfMatrix(const EngineConfig& config) : config_{config} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        work_ = Work::kForces;
        if (config_.deterministic && !of_gravity(gravity))  // only its sums are bounded, as fixed point requires
            usage_error("engine 'half' on cuda is deterministic only for gravity, not for law " +
                        std::string{pair_law(gravity.law).id});
        return begin_tiles(bodies, gravity, potential == Potential::kCompute, queue);
    }

    /// If only some bodies are due, the pairs do not form a triangle, so all columns are evaluated as in `direct`.
    JerkPower<Device, Real>* jerks() override { return this; }
    std::uint64_t begin_with_jerk(BodyView<Device, Real> bodies, JerkView<Device, Real> motion, const Gravity& gravity,
                                  Queue<Device> queue) override {
        if (motion.row_count < bodies.count) {
            work_ = Work::kSomeJerks;
            return rows_of_jerks_.begin(bodies, motion, gravity);
        }
        work_ = Work::kJerks;
        motion_ = motion;
        return begin_tiles(bodies, gravity, true, queue);
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        if (work_ == Work::kSomeJerks) return rows_of_jerks_.run(first, last, queue.stream);
        constexpr std::uint64_t most = 1u << 30;  // blocks per launch
        const std::uint64_t own = std::min(last, part_.count());
        for (std::uint64_t at = first; at < own; at += most) {
            args_.first_item = part_.first + at;
            run_blocks(static_cast<unsigned>(std::min(most, own - at)), queue.stream);
        }
        if (last < items()) return;
        if (shares()) return finish_with_others(queue.stream);
        finish(args_, acceleration_, queue.stream);
        if (work_ == Work::kJerks) finish(jerk_args(), motion_.jerk, queue.stream);
    }

    bool replays() const override { return work_ == Work::kForces && !ranks_; }
    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        return true;
    }

    std::string choice() const override {
        if (work_ == Work::kSomeJerks) return rows_of_jerks_.choice();
        return args_.tile_rows == 0 ? std::string{}
                                    : describe_half(config_, tile_size_, args_.tile_rows, args_.strip, args_.copies);
    }
    EngineReport report() const override {
        return {.tile_size = tile_size_, .map = map(config_.map).id, .root = root(config_.root).id};
    }

private:
    enum class Work { kForces, kJerks, kSomeJerks };
    struct Memory {
        DeviceBuffer<std::byte> sums;
        DeviceBuffer<Real> masses;
        DeviceBuffer<FixedScales> scales;
        DeviceBuffer<unsigned> overflow;
    };

    std::uint64_t begin_tiles(BodyView<Device, Real> bodies, const Gravity& gravity, bool potential,
                              Queue<Device> queue) {
        const auto softening = static_cast<Real>(gravity.softening);
        args_.bodies = strengths_.of(bodies, gravity.law, queue.stream);
        args_.law = pair_constants<Real>(gravity);
        masses_of_bodies_ = bodies.position_mass;
        args_.low = bodies.low;
        args_.count = bodies.count;
        args_.softening2 = softening * softening;
        acceleration_ = bodies.acceleration;
        gravity_ = gravity;
        choose(potential);
        plan_map();
        reserve();
        prepare(queue.stream);
        return items();
    }

    bool shares() const { return ranks_ && work_ == Work::kForces; }
    std::uint64_t items() const { return part_.count() + (shares() ? 1 : 0); }

    /// Computes this rank's part of the grid; keeps it while the numbers of tiles and of strips are unchanged.
    void take_part() {
        if (!shares()) {
            part_ = {0, strips_before(args_.grid.count())};
            part_rows_ = 0;
        } else if (part_rows_ != args_.tile_rows || part_strip_ != args_.strip) {
            part_ = part_of_grid(args_.map, args_.grid, args_.tile_rows, triangular(args_.tile_rows), *ranks_);
            part_ = {strips_before(part_.first), strips_before(part_.last)};
            part_rows_ = args_.tile_rows, part_strip_ = args_.strip;
        }
    }

    /// The strips that begin before this block of the grid.
    std::uint64_t strips_before(std::uint64_t block) const { return (block + args_.strip - 1) / args_.strip; }

    void finish_with_others(cudaStream_t stream) {
        if (config_.deterministic) {
            using enum DeviceNumbers::Type;
            DeviceRanks& others = device_ranks(*ranks_);
            others.sum({memory_.sums.data(), sum_bytes() / sizeof(std::uint64_t), kUint64}, stream);
            others.sum({memory_.overflow.data(), 1, kUint32}, stream);
            return finish(args_, acceleration_, stream);
        }
        launch("join_copies", linear(args_.count), stream, join_copies<Real>, args_);
        sum_own_part(*ranks_, static_cast<Vec4<Real>*>(args_.sums), args_.count, stream);
        HalfArgs<Real> joined = args_;
        joined.copies = 1;
        finish(joined, acceleration_, stream);
        gather_accelerations(*ranks_, acceleration_, args_.count, args_.count, 1, stream);
    }

    /// Runs `blocks` blocks of the grid from args_.first_item on.
    void run_blocks(unsigned blocks, cudaStream_t stream) {
        const unsigned threads = threads_of_block(), warps = threads / 32;
        if (work_ == Work::kJerks) {
            launch("half_jerk", {dim3(blocks), dim3(threads), warps * sizeof(MovingRing<Real>)}, stream, jerk_kernel(),
                   args_, jerk_args());
            return;
        }
        const std::size_t ring =
            args_.low ? sizeof(ColumnRing<Real, Split::kYes>) : sizeof(ColumnRing<Real, Split::kNo>);
        launch("half_matrix", {dim3(blocks), dim3(threads), warps * ring}, stream, variant_->kernel, args_);
    }

    HalfJerkKernel<Real> jerk_kernel() const {
        const Order order = config_.deterministic ? Order::kFixed : Order::kAny;
        return half_jerk_kernel<Real>(k_, order);
    }

    /// The arguments for velocities and jerks; sums of jerks are stored behind those of accelerations.
    HalfArgs<Real> jerk_args() {
        HalfArgs<Real> args = args_;
        args.bodies = motion_.velocity;
        args.sums = memory_.sums.data() + sum_bytes();
        args.scales = config_.deterministic ? memory_.scales.data() + 1 : nullptr;
        return args;
    }

    void finish(const HalfArgs<Real>& args, Vec4<Real>* out, cudaStream_t stream) const {
        if (config_.deterministic) return enqueue_add_fixed(args, out, static_cast<Real>(gravity_.constant), stream);
        const Vec4<Real>* bodies = of_gravity(gravity_) ? args.bodies : masses_of_bodies_;
        with_finish(gravity_, bodies, [&]<class Finish>(const Finish& finish) {
            launch("add_copies", linear(args.count), stream, add_copies<Real, Finish>, args, out, finish);
        });
    }

    unsigned threads_of_block() const { return static_cast<unsigned>(tile_size_ / k_); }

    static bool of_gravity(const Gravity& gravity) { return gravity.law == PairLaw::kGravity; }

    HalfVariants<Real> variants() const {
        using enum Order;
        if (args_.strip > 1)
            return config_.deterministic ? half_strip_variants<Real, kFixed>() : half_strip_variants<Real, kAny>();
        if (!of_gravity(gravity_)) return half_of_law<Real>(gravity_.law);
        if constexpr (std::is_same_v<Real, float>)
            if (args_.low) return config_.deterministic ? half_split_variants<kFixed>() : half_split_variants<kAny>();
        return config_.deterministic ? half_variants<Real, kFixed>() : half_variants<Real, kAny>();
    }

    void choose(bool potential) {
        const std::uint64_t n = args_.count;
        constexpr bool single = std::is_same_v<Real, float>;
        tile_size_ = config_.tile_size ? config_.tile_size : fitted_tile_size(n, single);
        // Kernels of potentials and jerks, which are evaluated rarely, of other laws and of split positions take one
        // tile per block.
        const bool in_strips = !potential && work_ == Work::kForces && of_gravity(gravity_) && !args_.low;
        args_.strip = in_strips ? static_cast<unsigned>(std::max(1, config_.strip)) : 1;
        const bool few = potential || !of_gravity(gravity_);  // only a few kernels are compiled
        k_ = few                               ? (tile_size_ % 128 == 0 ? 4 : 1)
             : args_.strip > 1                 ? (tile_size_ % 128 == 0 ? 4 : tile_size_ / 32)
             : tile_size_ % 384 == 0           ? 12
             : tile_size_ % 256 == 0 && single ? 8
             : tile_size_ % 128 == 0           ? 4
                                               : tile_size_ / 32;
        for (const HalfVariant<Real>& variant : variants())
            if (variant.k == k_ && variant.potential == potential &&
                (args_.low || !of_gravity(gravity_) || variant.softened == (args_.softening2 > kTouching<Real>)))
                variant_ = &variant;
        args_.tile_rows = static_cast<std::uint32_t>((n + tile_size_ - 1) / tile_size_);
        const std::uint64_t fit = std::max<std::uint64_t>(1, kSumBytes / (n * parts() * bytes_per_sum()));
        const std::uint64_t wanted = config_.deterministic ? 1 : std::bit_ceil(args_.tile_rows / kTilesOfSum + 1);
        args_.copies = static_cast<unsigned>(std::bit_floor(std::min<std::uint64_t>({fit, wanted, kMostCopies})));
    }
    std::uint64_t bytes_per_sum() const { return config_.deterministic ? kFixedBytes : sizeof(Vec4<Real>); }

    std::uint64_t sum_bytes() const { return args_.copies * args_.count * bytes_per_sum(); }
    unsigned parts() const { return work_ == Work::kJerks ? 2 : 1; }  // number of sets of sums

    void plan_map() {
        const MapEntry& entry = map(config_.map);
        const RootEntry& proposer = root(config_.root);
        require_exact(entry, proposer, args_.tile_rows, Backend::kCuda);
        args_.map = {entry.map, proposer.root, nullptr};
        args_.grid = args_.map.grid(args_.tile_rows);
        take_part();
        if (!entry.reads_table) return;
        if (table_rows_ != args_.tile_rows) {
            const std::vector<Tile> table = lut_table(args_.tile_rows);
            table_ = DeviceBuffer<Tile>{table.size()};
            check(cudaMemcpy(table_.data(), table.data(), table.size() * sizeof(Tile), cudaMemcpyHostToDevice),
                  "map table");
            table_rows_ = args_.tile_rows;
        }
        args_.map.table = table_.data();
    }

    void reserve() {
        const std::uint64_t bytes = parts() * sum_bytes();
        if (memory_.sums.size() < bytes) memory_.sums = {}, memory_.sums = DeviceBuffer<std::byte>{bytes};
        if (memory_.masses.size() < args_.tile_rows) memory_.masses = DeviceBuffer<Real>{args_.tile_rows};
        if (config_.deterministic && memory_.scales.size() == 0)
            memory_.scales = DeviceBuffer<FixedScales>{2}, memory_.overflow = DeviceBuffer<unsigned>{1};
        args_.sums = memory_.sums.data();
        args_.tile_mass = memory_.masses.data();
        args_.scales = memory_.scales.data();
        args_.overflow = memory_.overflow.data();
    }

    void prepare(cudaStream_t stream) {
        const bool jerks = work_ == Work::kJerks;
        if (config_.deterministic || jerks)
            check(cudaMemsetAsync(memory_.sums.data(), 0, parts() * sum_bytes(), stream), "clearing");
        HalfArgs<Real> clear = args_;
        if (config_.deterministic) {
            check(cudaMemsetAsync(memory_.overflow.data(), 0, sizeof(unsigned), stream), "clearing");
            // Each warp of a block adds to a column once.
            const std::uint64_t additions = std::uint64_t{args_.tile_rows} * (threads_of_block() / 32);
            enqueue_fixed_scales(args_.bodies, jerks ? motion_.velocity : nullptr, args_.count, gravity_.softening,
                                 additions, memory_.scales.data(), stream);
            clear.copies = 0;
        }
        if (jerks) return;  // their kernels do not use equal masses
        launch("prepare_tiles", {dim3(args_.tile_rows), dim3(kPrepareThreads)}, stream, prepare_tiles<Real>, clear,
               static_cast<unsigned>(tile_size_), config_.equal_masses && of_gravity(gravity_), memory_.masses.data());
    }

    const EngineConfig config_;
    Ranks* ranks_ = nullptr;
    RankPart part_;                                 // this rank's part of the grid's blocks
    std::uint32_t part_rows_ = 0, part_strip_ = 0;  // for which it was computed
    HalfArgs<Real> args_{};
    Vec4<Real>* acceleration_ = nullptr;
    Strengths<Real> strengths_;
    const Vec4<Real>* masses_of_bodies_ = nullptr;
    Gravity gravity_;
    JerkView<Device, Real> motion_{};
    Work work_ = Work::kForces;
    JerkRows<Real> rows_of_jerks_;  // for Work::kSomeJerks
    int tile_size_ = 256, k_ = 1;
    std::uint32_t table_rows_ = 0;
    const HalfVariant<Real>* variant_ = nullptr;
    DeviceBuffer<Tile> table_;
    Memory memory_;
};

AnyEngine make(const EngineConfig& config) {
    check_tile_size(config.tile_size);
    check_strip(config.strip);
    map(config.map), root(config.root);  // rejects unknown ids
    return make_in_precision<HalfMatrix>(config, config);
}

}  // namespace

EngineEntry cuda_half_engine() {
    return {.id = "half",
            .label = "Half matrix",
            .doc =
                "Each pair once, for both bodies: tiles of the triangle, assigned by a thread map; row bodies in "
                "registers, reactions passed round the warp by shuffle.",
            .backend = Backend::kCuda,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 4 << 20,
            .pair_laws = every_pair_law(),
            .capabilities = {Capability::kPairMap, Capability::kStrips, Capability::kDeterministicMode,
                             Capability::kJerk, Capability::kMixed},
            .same_bits = false,
            .make = make};
}

}  // namespace orrery
