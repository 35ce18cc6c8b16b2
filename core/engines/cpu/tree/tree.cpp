// SPDX-License-Identifier: MIT
// The Barnes–Hut engine of the CPU: sort along the Hilbert curve, octree build, moments, and one walk per group of
// neighbouring bodies, whose interaction lists are evaluated in SIMD registers.
#include "core/engines/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/base/memory.hpp"
#include "core/base/pool.hpp"
#include "core/engines/cpu/tree/build.hpp"
#include "core/engines/cpu/tree/evaluation.hpp"
#include "core/engines/cpu/tuning.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/opening.hpp"
#include "core/ranks/ranks.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

WalkMac rule_of(const TreeChoice& choice) {
    if (!choice.relative()) return {WalkMac::kGeometric, choice.theta()};
    return {choice.order == 2 ? WalkMac::kQuadrupole : WalkMac::kMonopole, choice.alpha()};
}

/// Memory for sorted bodies, tree and lists, from the sizes of their fields; leaves of 8 have the most cells, 0.5 per
/// body.
template <class Real>
constexpr std::uint64_t kBytesPerBody = 60 + 10 * sizeof(Real) + (24 + 21 * sizeof(Real)) / 2;

/// Barnes & Hut with one walk per group of neighbouring bodies. begin() sorts the bodies and builds the tree; an item
/// is the walk of a group.
///
/// The relative criterion compares with the accelerations stored by the previous evaluation, from which
/// restore_history() reproduces them bitwise. If there are none, every item exists twice: a cheap walk with the
/// geometric criterion first estimates the accelerations.
template <class Real>
class TreeEngine final : public Engine<Host, Real>,
                         public DuePower<Host, Real>,
                         public TreePower<Host>,
                         public HistoryPower<Host, Real>,
                         public AcceptancePower {
public:
    explicit TreeEngine(const EngineConfig& config) : pool_{config.threads, config.background}, config_{config.tree} {
        scale_acceptance(1);
    }

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host>) override {
        now_.bodies = bodies, now_.gravity = gravity, now_.potential = potential;
        only_due_ = follows_ = false;
        report_ = {};
        if (bodies.count > previous_.next().size()) require_memory("engine tree", bodies.count * kBytesPerBody<Real>);
        const auto start = Clock::now();
        order_.update(pool_, bodies.position_mass, bodies.low, bodies.count, gravity.softening);
        const auto sorted = Clock::now();
        build();
        const auto built = Clock::now();
        tree_.fill_moments(pool_, choice_.order);
        previous_.next().resize(bodies.count);
        const bool estimate = choice_.relative() && !previous_.covers(bodies.count);
        const std::uint64_t items = set_rows(all_rows());
        estimates_ = estimate ? items : 0;
        if (!estimate) previous_.set_units(power());
        tree_.set_thresholds(pool_, estimate ? kEstimate : rule_, blur());
        seconds_.sort = std::chrono::duration<double>(sorted - start).count();
        seconds_.build = std::chrono::duration<double>(built - sorted).count();
        seconds_.moments = seconds_since(built);
        seconds_.walk = 0;
        items_ = estimates_ + items;
        return items_;
    }

    /// The first due evaluation after a whole one always rebuilds the tree: a run resumed at that point has no tree.
    std::uint64_t begin_due(BodyView<Host, Real> bodies, DueView<Host> due, const Gravity& gravity, Potential potential,
                            Queue<Host> queue) override {
        // Without gravity no history is kept, and all forces are 0.
        if (choice_.relative() && !previous_.covers(bodies.count)) return begin(bodies, gravity, potential, queue);
        now_.bodies = bodies, now_.gravity = gravity, now_.potential = potential;
        only_due_ = true;
        if (follows_ && due.count * cpu::kRebuildFrom < bodies.count) {
            order_.follow(pool_, bodies.position_mass, bodies.low);
        } else {
            order_.update(pool_, bodies.position_mass, bodies.low, bodies.count, gravity.softening);
            build();
        }
        follows_ = true;
        tree_.fill_moments(pool_, choice_.order);
        previous_.next().resize(bodies.count);
        previous_.set_units(power());
        tree_.set_thresholds(pool_, rule_, blur());
        estimates_ = 0;
        return items_ = set_rows(due_.pick(all_rows(), due));
    }
    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        return true;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        if (first >= last) return;
        const auto start = Clock::now();
        if (first < estimates_) {
            for_groups(first, last, [this](std::uint64_t group) { estimate(group); });
            if (last < estimates_) return void(seconds_.walk += seconds_since(start));
            if (ranks_) exchange<Real>([this](std::uint32_t body) -> Real& { return previous_.next()[body]; });
            previous_.remember(pool_, 1, power());
            previous_.set_units(power());
            tree_.set_thresholds(pool_, rule_, blur());
        }
        for_groups(std::max(first, estimates_) - estimates_, last - estimates_,
                   [this](std::uint64_t group) { evaluate(group); });
        const bool whole = last == items_;
        if (whole && ranks_) share_accelerations();
        if (whole && only_due_) return previous_.update(rows_.order);
        if (whole) previous_.remember(pool_, now_.gravity.constant, 0);
        seconds_.walk += seconds_since(start);
        if (whole) fill_report();
    }

    void restore_history(BodyView<Host, Real> bodies, const Gravity& gravity, std::uint64_t, Queue<Host>) override {
        previous_.restore(pool_, bodies.acceleration, bodies.count, gravity.constant);
        follows_ = false;
    }
    void forget() override {
        previous_.forget();
        follows_ = false;
    }

    std::string choice() const override { return choice_.text(); }
    EngineReport report() const override { return report_; }

    DuePower<Host, Real>* due() override { return this; }
    const TreePower<Host>* tree() const override { return this; }
    HistoryPower<Host, Real>* history() override { return this; }
    AcceptancePower* acceptance() override { return this; }
    double accuracy_to_keep() const override { return orrery::accuracy_to_keep(config_); }
    void scale_acceptance(double factor) override {
        choice_ = tree_choice(config_, Backend::kCpu, 0, factor);
        rule_ = rule_of(choice_);
    }
    std::vector<TreeCell> cells(std::size_t most) const override { return tree_cells(tree_, order_, most); }
    bool labels(TreeLabel label, float* out, Queue<Host>) const override {
        return tree_labels(pool_, tree_, order_, now_.bodies.count, label, out);
    }

private:
    /// The evaluation begun last.
    struct Evaluation {
        BodyView<Host, Real> bodies{};
        Gravity gravity;
        Potential potential{};
    };
    /// Its phases.
    struct Seconds {
        double sort = 0, build = 0, moments = 0, walk = 0;
    };

    /// Converts an acceleration from the tree's units before it is scaled to the scene's, so that both factors fit a
    /// float.
    static constexpr Real kZoom2 = kTreeZoom<Real> * kTreeZoom<Real>;
    static constexpr WalkMac kEstimate{WalkMac::kGeometric, 1.0};

    void build() {
        tree_.build(pool_, order_.keys(), order_.bodies(), choice_.leaf);
        groups_ = tree_.groups(static_cast<std::uint32_t>(choice_.group));
    }

    const Vec4<Real>* low_parts() const { return now_.bodies.low ? order_.low_parts().data() : nullptr; }
    WalkRows<Real> all_rows() const {
        return {order_.order(), order_.bodies().data(), low_parts(), nullptr, groups_, groups_};
    }

    /// Returns the number of items of a walk.
    std::uint64_t set_rows(const WalkRows<Real>& rows) {
        rows_ = rows;
        counts_.resize(rows.groups.size());
        part_ = part_of(rows.groups.size(), ranks_);
        return part_.count() + (ranks_ ? 1 : 0);
    }

    /// Cells are positioned without the low parts of their bodies. Bodies that differ only in these do not coincide.
    Real blur() const { return now_.bodies.low ? 4 * std::numeric_limits<Real>::epsilon() * order_.side() : Real(0); }

    /// Computes a group's accelerations, without their units, into `sums`.
    WalkCounts walk(std::uint64_t group, WalkMac::Kind rule, bool quadrupoles, bool potential, Vec4<Real>* sums) {
        const auto softening = static_cast<Real>(std::ldexp(now_.gravity.softening, -order_.length_exponent()));
        return walk_group(GroupWalk<Real>{.tree = tree_.view(low_parts()),
                                          .rows = rows_.bodies,
                                          .rows_low = rows_.low,
                                          .places = rows_.places,
                                          .group = rows_.groups[group],
                                          .rule = rule,
                                          .acceleration = acceleration_of(group, rule),
                                          .softening2 = softening * softening,
                                          .quadrupoles = quadrupoles,
                                          .potential = potential,
                                          .sums = sums});
    }

    Real acceleration_of(std::uint64_t group, WalkMac::Kind rule) const {
        if (rule == WalkMac::kGeometric) return 0;
        const BodySpan range = rows_.neighbours[group];
        Real least = previous_.group(order_.order(), range);
        const std::vector<std::uint32_t>& heavy = order_.heavy();
        for (auto at = std::ranges::lower_bound(heavy, range.first);
             at != heavy.end() && *at < range.first + range.count; ++at)
            least = std::min(least, previous_.heavy(order_.order()[*at]));
        return least / kZoom2;
    }

    void estimate(std::uint64_t group) {
        Vec4<Real> sums[kMostGroup];
        walk(group, kEstimate.kind, false, false, sums);
        const BodySpan range = rows_.groups[group];
        for (std::uint32_t i = 0; i < range.count; ++i)
            previous_.next()[rows_.order[range.first + i]] = kZoom2 * length_of(sums[i]);
    }

    void evaluate(std::uint64_t group) {
        Vec4<Real> sums[kMostGroup];
        const bool potential = now_.potential == Potential::kCompute;
        counts_[group] = walk(group, rule_.kind, choice_.order == 2, potential, sums);
        const int mass = order_.mass_exponent(), length = order_.length_exponent() + std::ilogb(kTreeZoom<Real>);
        const auto scale = static_cast<Real>(std::ldexp(now_.gravity.constant, mass - 2 * length));
        const auto deep = static_cast<Real>(-std::ldexp(now_.gravity.constant, mass - length));
        const BodySpan range = rows_.groups[group];
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const Vec4<Real> sum = sums[i];
            const std::uint32_t body = rows_.order[range.first + i];
            now_.bodies.acceleration[body] = {scale * (kZoom2 * sum.x), scale * (kZoom2 * sum.y),
                                              scale * (kZoom2 * sum.z), deep * (kTreeZoom<Real> * sum.w)};
            previous_.next()[body] = length_of(now_.bodies.acceleration[body]);
        }
    }

    /// Runs `body` for those items [first, last) of a walk that are groups.
    template <class Body>
    void for_groups(std::uint64_t first, std::uint64_t last, const Body& body) {
        const std::uint64_t end = std::min(last, part_.count());
        if (first < end) pool_.parallel_for(part_.first + first, part_.first + end, body);
    }

    /// Gathers on every rank the values of all groups' bodies: `of(body)`.
    template <class T, class Of>
    void exchange(const Of& of) {
        const auto bodies_before = [this](std::uint64_t group) {
            return group == 0 ? std::size_t{0}
                              : std::size_t{rows_.groups[group - 1].first} + rows_.groups[group - 1].count;
        };
        std::vector<std::size_t> ends;
        const auto all = static_cast<std::uint64_t>(ranks_->count());
        for (std::uint64_t rank = 0; rank < all; ++rank)
            ends.push_back(bodies_before(part_of(rows_.groups.size(), rank, all).last));
        gather_in_order<T>(*ranks_, rows_.order, ends, of);
    }

    void share_accelerations() {
        exchange<Vec4<Real>>([this](std::uint32_t body) -> Vec4<Real>& { return now_.bodies.acceleration[body]; });
        gather_parts(*ranks_, std::span{counts_}, counts_.size(), 1);
        for (const std::uint32_t body : rows_.order) previous_.next()[body] = length_of(now_.bodies.acceleration[body]);
    }

    /// Binary exponent of the unit of acceleration in the units of order_ without its zoom, where G is 1.
    int power() const { return order_.mass_exponent() - 2 * (order_.length_exponent() + std::ilogb(kTreeZoom<Real>)); }

    void fill_report() {
        double with_bodies = 0, with_cells = 0;
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            with_bodies += static_cast<double>(counts_[group].bodies * groups_[group].count);
            with_cells += static_cast<double>(counts_[group].cells * groups_[group].count);
        }
        const auto count = static_cast<double>(now_.bodies.count);
        report_ = {.phases = {{"sort", seconds_.sort},
                              {"build", seconds_.build},
                              {"moments", seconds_.moments},
                              {"walk", seconds_.walk}},
                   .with_bodies = with_bodies / count,
                   .with_cells = with_cells / count,
                   .cells = tree_.cells(),
                   .leaves = tree_.leaves(),
                   .groups = groups_.size(),
                   .levels = tree_.levels()};
    }

    mutable Pool pool_;
    const TreeConfig config_;
    TreeChoice choice_;
    WalkMac rule_;
    Evaluation now_;
    CurveOrder<Real> order_{std::ilogb(kTreeZoom<Real>)};
    Tree<Real> tree_;
    std::vector<BodySpan> groups_;  // of all bodies
    DueRows<Real> due_;
    WalkRows<Real> rows_{};  // of the evaluation under way
    bool only_due_ = false;  // the evaluation under way covers only due bodies
    bool follows_ = false;   // the tree was built by a due evaluation since the last whole one
    std::uint64_t estimates_ = 0, items_ = 0;
    Ranks* ranks_ = nullptr;
    RankPart part_;                   // this rank's part of the groups
    std::vector<WalkCounts> counts_;  // by group
    PreviousAccelerations<Real> previous_;
    Seconds seconds_;
    EngineReport report_;
};

AnyEngine make(const EngineConfig& config) { return make_in_precision<TreeEngine>(config, config); }

}  // namespace

EngineEntry tree_engine() {
    return tree_entry(
        Backend::kCpu,
        "Barnes–Hut octree along a Hilbert curve, rebuilt every step; groups of neighbouring bodies share a walk, and "
        "their lists of cells and bodies are evaluated in SIMD registers, on all cores.",
        1 << 26, make);
}

}  // namespace orrery
