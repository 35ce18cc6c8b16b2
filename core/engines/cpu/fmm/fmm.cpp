// SPDX-License-Identifier: MIT
// The fast multipole method of the CPU: tree build, upward pass, mutual dual tree traversal scheduled in conflict-free
// rounds, downward pass.
#include "core/engines/entries.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/memory.hpp"
#include "core/base/pool.hpp"
#include "core/engines/cpu/fmm/cells.hpp"
#include "core/engines/cpu/fmm/kernels.hpp"
#include "core/engines/cpu/fmm/schedule.hpp"
#include "core/engines/cpu/fmm/share.hpp"
#include "core/engines/cpu/tree/build.hpp"
#include "core/engines/cpu/tree/evaluation.hpp"
#include "core/engines/cpu/tuning.hpp"
#include "core/engines/due_by_tree.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/expansion_terms.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point from, Clock::time_point to = Clock::now()) {
    return std::chrono::duration<double>(to - from).count();
}

/// Lengths here are 2^kZoom times those of CurveOrder. That centres the range of cell sizes about 1, so that powers of
/// distances up to the highest order, from the smallest cell to the root, fit into a float.
constexpr int kZoom = 10;
constexpr std::size_t kPadding = 64;         // bodies beyond the end that a vector load may read
constexpr std::uint64_t kMostShares = 4096;  // of the tiles; an evaluation may stop between shares
constexpr std::size_t kBodyBlock = 8192;     // bodies per task

/// Memory for sorted bodies and tree, from the sizes of their fields; expansions are added once their number is known.
template <class Real>
constexpr std::uint64_t kBytesPerBody = 60 + 23 * sizeof(Real);

/// The fast multipole method (Greengard & Rokhlin 1987) with mutual interactions (Dehnen 2002). begin() sorts the
/// bodies, builds the tree and computes moments (upward pass). The first items traverse pairs of cells, in tiles of two
/// blocks of neighbouring bodies (M2L and P2P); the last ones pass local expansions down to the bodies (L2L and L2P).
///
/// If the criterion compares with accelerations and there are none, every item exists twice: a pass with a cheap
/// geometric criterion first estimates the accelerations.
template <class Real>
class Fmm final : public Engine<Host, Real>,
                  public TreePower<Host>,
                  public HistoryPower<Host, Real>,
                  public AcceptancePower {
public:
    explicit Fmm(const EngineConfig& config)
        : pool_{config.threads, config.background},
          due_{config},
          config_{config.tree},
          choice_{fmm_choice(config_, Backend::kCpu, 0)} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host>) override {
        now_.bodies = bodies, now_.gravity = gravity;
        due_.forget();
        report_ = {};
        if (bodies.count > previous_.next().size()) require_memory(kWhat, bodies.count * kBytesPerBody<Real>);
        const auto start = Clock::now();
        order_.update(pool_, bodies.position_mass, bodies.low, bodies.count, gravity.softening);
        copy_bodies(potential == Potential::kCompute);
        const auto sorted = Clock::now();
        tree_.build(pool_, order_.keys(), order_.bodies(), choice_.leaf);
        cells_.build(tree_, choice_.order);
        // The block size must not depend on the number of threads, which would change the bits.
        tiles_.blocks = cells_.blocks(std::clamp<std::size_t>(bodies.count / 16, 512, 16384));
        tasks_ = FamilyTasks{cells_.level_start()};
        tiles_.shares = std::min<std::uint64_t>(tiles_.blocks.count(), kMostShares);
        share_.divide(tiles_.blocks.ends, choice_.order);
        const auto built = Clock::now();
        compute_moments();
        previous_.next().resize(bodies.count);
        const bool estimate = choice_.relative() && !previous_.covers(bodies.count);
        if (!estimate) previous_.set_units(power());
        times_ = {.sort = seconds(start, sorted), .build = seconds(sorted, built), .moments = seconds(built)};
        passes_ = estimate ? 2 : 1;
        return passes_ * pass_items();
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host> queue) override {
        if (due_.under_way()) return due_.run(first, last, queue);
        for (std::uint64_t pass = first / pass_items(); pass * pass_items() < last; ++pass) {
            const std::uint64_t begin = pass * pass_items(), end = begin + pass_items();
            run_pass(std::max(first, begin) - begin, std::min(last, end) - begin, pass + 1 == passes_);
        }
    }

    bool share(Ranks& ranks) override {
        share_.share(ranks);
        due_.share(ranks);
        return true;
    }

    void restore_history(BodyView<Host, Real> bodies, const Gravity& gravity, std::uint64_t, Queue<Host>) override {
        previous_.restore(pool_, bodies.acceleration, bodies.count, gravity.constant);
        due_.forget();
    }
    void forget() override {
        previous_.forget();
        due_.forget();
    }

    std::string choice() const override { return choice_.text(); }
    EngineReport report() const override { return report_; }

    DuePower<Host, Real>* due() override { return &due_; }
    const TreePower<Host>* tree() const override { return this; }
    HistoryPower<Host, Real>* history() override { return this; }
    AcceptancePower* acceptance() override { return this; }
    double accuracy_to_keep() const override { return orrery::accuracy_to_keep(config_); }
    void scale_acceptance(double factor) override { choice_ = fmm_choice(config_, Backend::kCpu, 0, factor); }
    std::vector<TreeCell> cells(std::size_t most) const override { return tree_cells(tree_, order_, most); }
    bool labels(TreeLabel label, float* out, Queue<Host>) const override {
        return tree_labels(pool_, tree_, order_, now_.bodies.count, label, out);
    }

private:
    struct Times {
        double sort = 0, build = 0, moments = 0, meet = 0, down = 0, exchange = 0;
    };
    static constexpr FmmMac kEstimate{.relative = false, .theta = cpu::kEstimateTheta};

    std::uint64_t pass_items() const { return tiles_.shares + tasks_.count(); }
    int power() const { return order_.mass_exponent() - 2 * (order_.length_exponent() - kZoom); }

    template <class Body>
    void for_bodies(const Body& body) {
        const std::size_t count = now_.bodies.count;
        pool_.parallel_for(0, (count + kBodyBlock - 1) / kBodyBlock, [&](std::uint64_t block) {
            body(block * kBodyBlock, std::min<std::size_t>(count, (block + 1) * kBodyBlock));
        });
    }

    void copy_bodies(bool potential) {
        const std::size_t plane = now_.bodies.count + kPadding, planes = now_.bodies.low ? 7 : 4;
        Real* const place = sorted_.place.reserve(planes * plane, kWhat);
        Real* const field = sorted_.field.reserve(4 * plane, kWhat);
        view_ = {};
        for (std::size_t k = 0; k < planes; ++k) {
            view_.place[k] = place + k * plane;
            std::fill_n(place + k * plane + now_.bodies.count, kPadding, Real(0));
        }
        for (std::size_t k = 0; k < 4; ++k) view_.field[k] = field + k * plane;
        const auto zoom = static_cast<Real>(1 << kZoom);
        for_bodies([&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const Vec4<Real> body = order_.bodies()[i];
                place[i] = zoom * body.x, place[plane + i] = zoom * body.y, place[2 * plane + i] = zoom * body.z;
                place[3 * plane + i] = body.w;
                if (!now_.bodies.low) continue;
                const Vec4<Real> low = order_.low_parts()[i];
                place[4 * plane + i] = zoom * low.x, place[5 * plane + i] = zoom * low.y;
                place[6 * plane + i] = zoom * low.z;
            }
        });
        const auto softening = static_cast<Real>(std::ldexp(now_.gravity.softening, kZoom - order_.length_exponent()));
        view_.softening2 = softening * softening;
        view_.blur = now_.bodies.low ? 4 * std::numeric_limits<Real>::epsilon() * zoom * order_.side() : Real(0);
        view_.order = choice_.order;
        view_.potential = potential;
    }

    void compute_moments() {
        view_.families = cells_.family(), view_.moments = cells_.moments(), view_.locals = cells_.locals();
        tasks_.upward(pool_, [this](std::uint32_t family) { upward_pass(view_, family); });
    }

    void run_pass(std::uint64_t first, std::uint64_t last, bool final) {
        const auto start = Clock::now();
        if (first == 0) open_pass(final);
        if (first < tiles_.shares) interact_tiles(first, std::min(last, tiles_.shares));
        const auto met = Clock::now();
        times_.meet += seconds(start, met);
        if (last <= tiles_.shares) return;
        tasks_.downward(pool_, std::max(first, tiles_.shares) - tiles_.shares, last - tiles_.shares,
                        [&](std::uint32_t family) {
                            if (!share_.owns(bodies_of(family))) return;
                            downward_pass(view_, family);
                            deliver(family, final);
                        });
        const bool whole = last == pass_items();
        const auto done = Clock::now();
        if (whole && share_.shares()) exchange(final);
        times_.exchange += seconds(done);
        if (whole) close_pass(final);
        times_.down += seconds(met);
        if (whole && final) fill_report();
    }

    BodySpan bodies_of(std::uint32_t number) const {
        const Family<Real>& family = view_.families[number];
        BodySpan all = family.range[0];
        for (std::uint32_t lane = 1; lane < kFamily; ++lane) all.count += family.range[lane].count;
        return all;
    }

    void open_pass(bool final) {
        view_.rule = kEstimate;
        if (final) {
            view_.rule = {.relative = choice_.relative(),
                          .theta = choice_.relative() ? cpu::kMostTheta : choice_.theta()};
            if (choice_.relative()) find_least();
        }
        const std::size_t terms = static_cast<std::size_t>(terms_up_to(choice_.order)) * kFamily;
        tasks_.downward(pool_, 0, tasks_.count(),
                        [&](std::uint32_t family) { std::fill_n(view_.locals + family * terms, terms, Real(0)); });
        for_bodies([this](std::size_t from, std::size_t to) {
            for (Real* const plane : view_.field) std::fill(plane + from, plane + to, Real(0));
        });
        tiles_.left.clear();
        top_ = interact_down_to(view_, tiles_.blocks.is_block, tiles_.left, scratch());
        tiles_.parts.clear();
        for (const FmmPair pair : tiles_.left)
            tiles_.parts.push_back({tiles_.blocks.number[pair.a], tiles_.blocks.number[pair.b]});
        tiles_.rounds = Rounds{tiles_.parts, tiles_.blocks.count()};
        if (share_.shares()) tiles_.rounds.keep([this](std::uint32_t i) { return share_.computes(tiles_.parts[i]); });
        tiles_.counts.assign(tiles_.left.size(), {});
    }

    /// Computes the error limit of each cell from its bodies' accelerations, from the leaves upward.
    void find_least() {
        const auto alpha = static_cast<Real>(choice_.alpha());
        sums_.resize(std::size_t{cells_.families()} * kFamily);
        tasks_.upward(pool_, [&](std::uint32_t number) {
            Family<Real>& family = view_.families[number];
            for (std::uint32_t lane = 0; lane < kFamily && family.range[lane].count > 0; ++lane) {
                Least& own = sums_[number * kFamily + lane];
                own = {std::numeric_limits<Real>::max(), 0};
                const BodySpan range = family.range[lane];
                if (const std::uint32_t below = family.child[lane]; below == 0) {
                    for (std::uint32_t i = 0; i < range.count; ++i) {
                        const Real a = previous_[order_.order()[range.first + i]];
                        own.least = a < own.least ? a : own.least, own.sum += a;
                    }
                } else {
                    for (std::uint32_t k = 0; k < kFamily && view_.families[below].range[k].count > 0; ++k) {
                        const Least& part = sums_[below * kFamily + k];
                        own.least = std::min(own.least, part.least), own.sum += part.sum;
                    }
                }
                family.least[lane] = alpha * previous_.group(own.least, own.sum / static_cast<Real>(range.count));
            }
        });
    }

    void interact_tiles(std::uint64_t first, std::uint64_t last) {
        const auto order = tiles_.rounds.order();
        const auto starts = tiles_.rounds.starts();
        std::size_t from = first * order.size() / tiles_.shares;
        const std::size_t end = last * order.size() / tiles_.shares;
        for (std::size_t round = 0; from < end; ++round) {
            if (starts[round + 1] <= from) continue;
            const std::size_t to = std::min(end, starts[round + 1]);
            pool_.parallel_for(from, to, [&](std::uint64_t i) {
                tiles_.counts[order[i]] = interact(view_, tiles_.left[order[i]], scratch());
            });
            from = to;
        }
    }

    FmmScratch<Real>& scratch() {
        FmmScratch<Real>& mine = scratch_.local();
        const std::size_t cells = std::size_t{cells_.families()} * kFamily;
        if (mine.families_of.size() < cells) mine.families_of.resize(cells), mine.bodies_of.resize(cells);
        return mine;
    }

    /// Writes the accelerations of the bodies in a family's leaves.
    void deliver(std::uint32_t number, bool final) {
        const Family<Real>& family = view_.families[number];
        const int mass = order_.mass_exponent(), length = order_.length_exponent() - kZoom;
        const auto scale = static_cast<Real>(std::ldexp(now_.gravity.constant, mass - 2 * length));
        const auto deep = static_cast<Real>(-std::ldexp(now_.gravity.constant, mass - length));
        for (std::uint32_t lane = 0; lane < kFamily; ++lane) {
            if (family.child[lane] != 0 || !share_.owns(family.range[lane])) continue;
            for (std::uint32_t k = 0; k < family.range[lane].count; ++k) {
                const std::size_t i = family.range[lane].first + k;
                const Vec4<Real> sum{view_.field[0][i], view_.field[1][i], view_.field[2][i], view_.field[3][i]};
                const std::uint32_t body = order_.order()[i];
                if (final) now_.bodies.acceleration[body] = {scale * sum.x, scale * sum.y, scale * sum.z, deep * sum.w};
                previous_.next()[body] = length_of(final ? now_.bodies.acceleration[body] : sum);
            }
        }
    }

    /// Completes on every rank what deliver() has written for this rank's bodies.
    void exchange(bool final) {
        const auto order = std::span{order_.order()};
        if (!final)
            return gather_in_order<Real>(share_.ranks(), order, share_.body_ends(),
                                         [this](std::uint32_t body) -> Real& { return previous_.next()[body]; });
        gather_in_order<Vec4<Real>>(
            share_.ranks(), order, share_.body_ends(),
            [this](std::uint32_t body) -> Vec4<Real>& { return now_.bodies.acceleration[body]; });
        for (const std::uint32_t body : order) previous_.next()[body] = length_of(now_.bodies.acceleration[body]);
    }

    void close_pass(bool final) {
        if (final) return previous_.remember(pool_, now_.gravity.constant, 0);
        previous_.remember(pool_, 1, power());
        previous_.set_units(power());
    }

    void fill_report() {
        const FmmCounts sum = share_.finish(tiles_.parts, tiles_.counts);
        const auto bodies = static_cast<double>(sum.bodies), cells = static_cast<double>(top_.cells + sum.cells);
        const auto count = static_cast<double>(now_.bodies.count);
        report_ = {.phases = {{"sort", times_.sort},
                              {"build", times_.build},
                              {"moments", times_.moments},
                              {"meet", times_.meet},
                              {"down", times_.down - times_.exchange}},
                   .with_bodies = bodies / count,
                   .with_cells = cells / count,
                   .cells = tree_.cells(),
                   .leaves = tree_.leaves(),
                   .levels = tree_.levels()};
        if (share_.shares()) report_.phases.push_back({"exchange", times_.exchange});
    }

    struct Least {
        Real least, sum;
    };
    static constexpr const char* kWhat = "engine fmm";

    /// The evaluation begun last.
    struct Evaluation {
        BodyView<Host, Real> bodies{};
        Gravity gravity;
    };
    /// Pairs of blocks, and the shares of them that are work items.
    struct Tiles {
        FmmBlocks blocks;
        std::uint64_t shares = 0;
        std::vector<FmmPair> left;    // the tiles
        std::vector<PartPair> parts;  // their blocks
        Rounds rounds;
        std::vector<FmmCounts> counts;  // by tile
    };

    mutable Pool pool_;
    DueByTree<Host, Real> due_;
    const TreeConfig config_;
    TreeChoice choice_;
    Evaluation now_;
    CurveOrder<Real> order_;
    Tree<Real> tree_;
    FmmCells<Real> cells_;
    struct Sorted {
        Buffer<Real> place, field;
    } sorted_;
    FmmView<Real> view_{};
    FmmShare share_;
    FamilyTasks tasks_;
    Tiles tiles_;
    std::uint64_t passes_ = 1;
    FmmCounts top_;
    tbb::enumerable_thread_specific<FmmScratch<Real>> scratch_;
    PreviousAccelerations<Real> previous_;
    std::vector<Least> sums_;  // by cell
    Times times_{};
    EngineReport report_;
};

AnyEngine make(const EngineConfig& config) {
    require_fmm_accuracy(config);
    return make_in_precision<Fmm>(config, config);
}

}  // namespace

EngineEntry fmm_engine() {
    return {
        .id = "fmm",
        .label = "Fast multipole method",
        .doc =
            "Cells act on each other, once for both, through expansions of an order that follows from the accuracy, "
            "and neighbours body by body: action equals reaction, so momentum is conserved.",
        .backend = Backend::kCpu,
        .tolerance_single = 2.5e-3,
        .tolerance_double = 2.5e-3,
        .max_bodies = 1 << 26,
        .capabilities = {Capability::kTree, Capability::kAccuracy, Capability::kDue, Capability::kMixed},
        .own_units = true,
        .make = make,
        .own_tolerance = fmm_tolerance};
}

}  // namespace orrery
