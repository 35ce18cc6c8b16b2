// SPDX-License-Identifier: MIT
// Direct summation on the CPU: blocks of rows against chunks of columns, distributed over threads and ranks; the SIMD
// loop is in direct_simd.cpp.
#include "core/engines/entries.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/pool.hpp"
#include "core/engines/cpu/direct/jerk_blocks.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/cpu/tuning.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/physics/pair_law.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// Direct summation over all pairs. An item is a block of rows against a chunk of columns. The items of a block are
/// consecutive, so that any interval of items consists of whole blocks except at its two ends, and sums are always
/// added in the same order.
template <class Real>
class Direct final : public Engine<Host, Real>, public JerkPower<Host, Real> {
public:
    explicit Direct(const EngineConfig& config) : pool_{config.threads, config.background} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        potential_ = potential;
        with_jerk_ = false;
        copy_strengths();
        chunks_ = (bodies.count + kChunk - 1) / kChunk;
        blocks_ = (bodies.count + kRowBlock - 1) / kRowBlock;
        sums_.resize(bodies.count);
        divide_columns();
        part_ = part_of(blocks_, ranks_);
        return part_.count() * chunks_ + (ranks_ ? 1 : 0);
    }
    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        jerk_blocks_.share(ranks);
        return true;
    }

    JerkPower<Host, Real>* jerks() override { return this; }
    std::uint64_t begin_with_jerk(BodyView<Host, Real> bodies, JerkView<Host, Real> motion, const Gravity& gravity,
                                  Queue<Host>) override {
        with_jerk_ = true;
        return jerk_blocks_.begin(bodies, motion, gravity);
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        if (first >= last) return;
        if (with_jerk_) return jerk_blocks_.run(first, last, pool_);
        const std::uint64_t own = part_.count() * chunks_, end = std::min(last, own);
        if (first < end)
            pool_.parallel_for(first / chunks_, (end - 1) / chunks_ + 1, [=, this](std::uint64_t block) {
                const std::uint64_t start = block * chunks_;
                run_block(part_.first + block, std::max(first, start) - start, std::min(end, start + chunks_) - start);
            });
        if (last > own) gather_parts(*ranks_, std::span{bodies_.acceleration, bodies_.count}, blocks_, kRowBlock);
    }

private:
    static constexpr std::uint64_t kChunk = cpu::kDirectChunk;
    /// Divides the columns into runs. A run also ends with a body that is heavier than the mean run, or than all
    /// others: a sum that already contains so large a term loses digits of each small one. In double precision, where
    /// these digits do not matter, items are runs.
    void divide_columns() {
        const Vec4<Real>* bodies = strengths_.empty() ? bodies_.position_mass : strengths_.data();
        constexpr bool exact = std::is_same_v<Real, double>;
        const std::uint64_t count = bodies_.count, run = exact ? kChunk : count <= kOneRun ? kOneRun : kRun;
        const auto mass = [](const Vec4<Real>& body) { return std::abs(static_cast<double>(body.w)); };
        const double total = exact ? 0 : std::transform_reduce(bodies, bodies + count, 0.0, std::plus{}, mass);
        const double heavy = total * std::min(0.5, static_cast<double>(run) / static_cast<double>(count));
        ends_.clear();
        for (std::uint64_t first = 0; first < count; first += run) {
            const std::uint64_t end = std::min(first + run, count);
            for (std::uint64_t next = first + 1; !exact && next < end; ++next)
                if (mass(bodies[next - 1]) > heavy) ends_.push_back(next);
            ends_.push_back(end);
        }
    }
    /// The ends of runs in [first, last).
    std::span<const std::uint64_t> runs(std::uint64_t first, std::uint64_t last) const {
        return {std::ranges::upper_bound(ends_, first), std::ranges::upper_bound(ends_, last)};
    }

    void run_block(std::uint64_t block, std::uint64_t first_chunk, std::uint64_t last_chunk) {
        const auto softening = static_cast<Real>(gravity_.softening);
        const bool gravity = gravity_.law == PairLaw::kGravity;
        direct_rows(DirectRows<Real>{.bodies = gravity ? bodies_.position_mass : strengths_.data(),
                                     .low = bodies_.low,
                                     .acceleration = bodies_.acceleration,
                                     .sums = sums_.data(),
                                     .row = block * kRowBlock,
                                     .row_end = std::min<std::uint64_t>((block + 1) * kRowBlock, bodies_.count),
                                     .first_column = first_chunk * kChunk,
                                     .ends = runs(first_chunk * kChunk, last_chunk * kChunk),
                                     .softening2 = softening * softening,
                                     .scale = static_cast<Real>(gravity_.constant),
                                     .finish = last_chunk == chunks_,
                                     .potential = potential_ == Potential::kCompute,
                                     .law = gravity_.law,
                                     .constants = pair_constants<Real>(gravity_),
                                     .masses = bodies_.position_mass});
    }

    /// Copies the bodies with their strength in place of the mass, if the law is not gravity.
    void copy_strengths() {
        strengths_.clear();
        if (gravity_.law == PairLaw::kGravity) return;
        for (std::size_t i = 0; i < bodies_.count; ++i) {
            const Vec4<Real>& body = bodies_.position_mass[i];
            const Real charge = bodies_.charge ? bodies_.charge[i] : Real(0);
            strengths_.push_back({body.x, body.y, body.z, strength_of(gravity_.law, body.w, charge)});
        }
    }

    Pool pool_;
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
    std::vector<Vec4<Real>> strengths_;
    std::vector<Vec4d> sums_;          // of items that do not finish a block
    std::vector<std::uint64_t> ends_;  // of runs of columns
    Potential potential_{};
    std::uint64_t chunks_ = 1, blocks_ = 0;
    Ranks* ranks_ = nullptr;
    RankPart part_;  // this rank's part of the blocks
    bool with_jerk_ = false;
    JerkBlocks<Real> jerk_blocks_;
};

AnyEngine make(const EngineConfig& config) { return make_in_precision<Direct>(config, config); }

}  // namespace

EngineEntry direct_engine() {
    return {.id = "direct",
            .label = "Direct (all pairs)",
            .doc = "All pairs in SIMD registers, on all cores; the instruction set is selected at run time.",
            .backend = Backend::kCpu,
            .tolerance_single = 2e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .pair_laws = every_pair_law(),
            .capabilities = {Capability::kJerk, Capability::kMixed},
            .make = make};
}

}  // namespace orrery
