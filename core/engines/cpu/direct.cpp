// SPDX-License-Identifier: MIT
#include "core/engines/cpu/direct.hpp"

#include <algorithm>

#include "core/engines/cpu/mixed.hpp"
#include "core/engines/cpu/pool.hpp"
#include "core/engines/cpu/simd.hpp"

namespace orrery {
namespace {

/// All pairs. An item is a block of rows against a chunk of columns; the items of a block lie one after the other, so
/// that any interval of items is whole blocks but for its two ends, and the sums are always taken in the same order.
template <class Real>
class Direct final : public Engine<Host, Real> {
public:
    explicit Direct(const EngineConfig& config) : pool_{config.threads, config.background} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        potential_ = potential;
        motion_ = {};
        chunks_ = (bodies.count + kChunk - 1) / kChunk;
        return (bodies.count + kRowBlock - 1) / kRowBlock * chunks_;
    }

    std::uint64_t begin_with_jerk(BodyView<Host, Real> bodies, JerkView<Host, Real> motion, const Gravity& gravity,
                                  Queue<Host>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        motion_ = motion;
        return (motion.row_count + kJerkBlock - 1) / kJerkBlock;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        if (first >= last) return;
        if (motion_.rows)
            return pool_.parallel_for(first, last, [this](std::uint64_t block) { run_jerk_block(block); });
        pool_.parallel_for(first / chunks_, (last - 1) / chunks_ + 1, [=, this](std::uint64_t block) {
            const std::uint64_t start = block * chunks_;
            run_block(block, std::max(first, start) - start, std::min(last, start + chunks_) - start);
        });
    }

private:
    static constexpr std::uint64_t kJerkBlock = 16;  // rows: of block steps there may be few
    static constexpr std::uint64_t kChunk = 2048;    // 32 KiB of float bodies stay in the first-level cache

    void run_block(std::uint64_t block, std::uint64_t first_chunk, std::uint64_t last_chunk) {
        const auto softening = static_cast<Real>(gravity_.softening);
        direct_rows(DirectRows<Real>{.bodies = bodies_.position_mass,
                                     .low = bodies_.low,
                                     .acceleration = bodies_.acceleration,
                                     .row = block * kRowBlock,
                                     .row_end = std::min<std::uint64_t>((block + 1) * kRowBlock, bodies_.count),
                                     .first_column = first_chunk * kChunk,
                                     .last_column = std::min<std::uint64_t>(last_chunk * kChunk, bodies_.count),
                                     .chunk = kChunk,
                                     .softening2 = softening * softening,
                                     .scale = static_cast<Real>(gravity_.constant),
                                     .finish = last_chunk == chunks_,
                                     .potential = potential_ == Potential::kCompute});
    }

    void run_jerk_block(std::uint64_t block) {
        const auto softening = static_cast<Real>(gravity_.softening);
        const std::uint64_t row = block * kJerkBlock;
        jerk_rows(JerkRows<Real>{.bodies = bodies_.position_mass,
                                 .velocity = motion_.velocity,
                                 .acceleration = bodies_.acceleration,
                                 .jerk = motion_.jerk,
                                 .rows = motion_.rows + row,
                                 .row_count = std::min<std::size_t>(kJerkBlock, motion_.row_count - row),
                                 .columns = bodies_.count,
                                 .softening2 = softening * softening,
                                 .constant = static_cast<Real>(gravity_.constant)});
    }

    Pool pool_;
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
    Potential potential_{};
    JerkView<Host, Real> motion_{};  // rows: null in an evaluation without jerks
    std::uint64_t chunks_ = 1;
};

AnyEngine make(const EngineConfig& config) { return make_in_precision<Direct>(config, config); }

}  // namespace

EngineEntry direct_engine() {
    return {.id = "direct",
            .label = "Direct (all pairs)",
            .doc = "All pairs in SIMD registers, on all cores; the instruction set is chosen at run time.",
            .backend = Backend::kCpu,
            .tolerance_single = 2e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .tile_knobs = false,
            .jerk = true,
            .mixed = true,
            .make = make};
}

}  // namespace orrery
