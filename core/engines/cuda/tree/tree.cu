// SPDX-License-Identifier: MIT
// The Barnes–Hut engine of the GPU: sort along the Hilbert curve, tree build, moments, and one walk per group of
// neighbouring bodies; with several ranks each walks its share of the groups, on its own tree or on a distributed one.
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/share.hpp"
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/distributed_tree.cuh"
#include "core/engines/cuda/tree/tuning.hpp"
#include "core/engines/cuda/tree/walk.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/engines/views.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery::cuda {

/// The due bodies of block time steps, in tree order: a stream compaction.
class DueRows {
public:
    /// Enqueues the selection. `order`: the body at each of the `count` positions of the tree.
    void pick(DueView<Device> due, const std::uint32_t* order, std::uint64_t count, cudaStream_t stream);
    const std::uint32_t* before() const { return before_.data(); }  ///< number of due bodies before each position
    const std::uint32_t* rows() const { return rows_.data(); }      ///< their positions, ascending

private:
    DeviceBuffer<std::uint8_t> is_due_;  // by body
    DeviceBuffer<std::uint32_t> before_, rows_;
    DeviceBuffer<std::byte> scratch_;
};

namespace {

__global__ void mark_due(DueView<Device> due, std::uint8_t* is_due) {
    const std::uint64_t k = thread_index();
    if (k < due.count) is_due[due.rows[k]] = 1;
}

/// Writes one element more than there are bodies, so that the exclusive sum ends with the total.
__global__ void mark_places(const std::uint8_t* is_due, const std::uint32_t* order, std::uint64_t count,
                            std::uint32_t* marks) {
    const std::uint64_t i = thread_index();
    if (i <= count) marks[i] = i < count ? is_due[order[i]] : 0;
}

__global__ void write_rows(const std::uint32_t* before, std::uint64_t count, std::uint32_t* rows) {
    const std::uint64_t i = thread_index();
    if (i < count && before[i + 1] > before[i]) rows[before[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace

void DueRows::pick(DueView<Device> due, const std::uint32_t* order, std::uint64_t count, cudaStream_t stream) {
    if (rows_.size() < count) {
        is_due_ = {}, before_ = {}, rows_ = {};
        is_due_ = DeviceBuffer<std::uint8_t>{count};
        before_ = DeviceBuffer<std::uint32_t>{count + 1};
        rows_ = DeviceBuffer<std::uint32_t>{count};
    }
    check(cudaMemsetAsync(is_due_.data(), 0, count, stream), "clearing");
    launch("mark_due", linear(due.count), stream, mark_due, due, is_due_.data());
    launch("mark_places", linear(count + 1), stream, mark_places, is_due_.data(), order, count, before_.data());
    const auto sum = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceScan::ExclusiveSum(memory, bytes, before_.data(), before_.data(), static_cast<int>(count + 1),
                                            stream),
              "counting the bodies that are due");
    };
    std::size_t bytes = 0;
    sum(nullptr, bytes);
    if (scratch_.size() < bytes) scratch_ = {}, scratch_ = DeviceBuffer<std::byte>{bytes};
    sum(scratch_.data(), bytes);
    launch("write_rows", linear(count), stream, write_rows, before_.data(), count, rows_.data());
}

}  // namespace orrery::cuda

namespace orrery {
namespace {

using namespace cuda;

/// Barnes & Hut with one walk per group of neighbouring bodies. The number of groups is known only on the device, so an
/// item is a fraction of them; with several ranks a last item exchanges accelerations. begin() enqueues sorting and
/// building without waiting. run() enqueues the first walk, and only then, while the GPU works, waits to check whether
/// there was enough room and whether it chose the right kernel.
template <class Real>
class CudaTree final : public Engine<Device, Real>,
                       public DuePower<Device, Real>,
                       public TreePower<Device>,
                       public HistoryPower<Device, Real>,
                       public AcceptancePower {
public:
    explicit CudaTree(const TreeConfig& config) : config_{config} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        const TreeMac rule = start(bodies, gravity, potential, queue);
        const TreeMac rough{MacKind::kGeometric, 1.0, 1, rule.blur};
        only_due_ = follows_ = false;
        const bool estimate = rule.rule == MacKind::kRelative &&
                              (history_.acceleration != bodies.acceleration || history_.count != bodies.count);

        const bool compare = rule.rule == MacKind::kRelative && !estimate;
        const Previous<Real> none{nullptr, 1}, before{bodies.acceleration, history_.G};
        history_.acceleration = nullptr;  // until this evaluation is complete
        const double seconds = seconds_in_domain();
        at_.begun.record(now_.stream);
        share_.in_domains = shares() && bodies.count >= kManyToDivide &&
                            share_.tree->build(tree_,
                                               {.bodies = bodies.position_mass,
                                                .low = bodies.low,
                                                .count = bodies.count,
                                                .softening = gravity.softening,
                                                .shape = shape(),
                                                .rule = estimate ? rough : rule,
                                                .previous = compare ? before : none,
                                                .sorted = at_.sorted,
                                                .built = at_.built,
                                                .stream = now_.stream},
                                               seconds);
        if (!share_.in_domains) {
            tree_.sort(bodies.position_mass, bodies.count, gravity.softening, shape(), now_.stream, bodies.low,
                       compare ? before : none);
            at_.sorted.record(now_.stream);
            tree_.build(shape(), estimate ? rough : rule, now_.stream, at_.built);
        }
        settled_ =
            share_.in_domains || estimate || whole_count_ != bodies.count;  // such a tree has not been built before
        if (settled_ && !share_.in_domains) tree_.settle(now_.stream, at_.built);
        if (estimate) {
            choose_walk(rough, Potential::kSkip);
            const double G = 1 / tree_.state().units.acceleration;  // keeps accelerations within the tree's units
            walk_G_ = G;
            walk(rough, 0, now_.items);
            tree_.compute_moments_again(rule, now_.stream);
            tree_.gather_acceleration_norms({bodies.acceleration, G}, now_.stream);
            if (share_.in_domains) share_.tree->rebuild_above(tree_, rule, now_.stream);
            tree_.forget_interactions(now_.stream);
        }
        at_.moments.record(now_.stream);
        walk_G_ = gravity.constant;
        choose_walk(rule, potential);
        if (shares() && !share_.in_domains) share_.found.reserve(bodies.count);
        return now_.items + (shares() ? 1 : 0);
    }

    /// Evaluated in full by every rank. The first due evaluation after a whole one always rebuilds: a run resumed at
    /// that point has no tree. It waits, because the due bodies of a group depend on the order.
    std::uint64_t begin_due(BodyView<Device, Real> bodies, DueView<Device> due, const Gravity& gravity,
                            Potential potential, Queue<Device> queue) override {
        const bool known = history_.acceleration == bodies.acceleration && history_.count == bodies.count;
        const TreeMac rule = start(bodies, gravity, potential, queue);
        // Without gravity no history is kept, and all forces are 0.
        if (rule.rule == MacKind::kRelative && !known) return begin(bodies, gravity, potential, queue);
        const Previous<Real> before{rule.rule == MacKind::kRelative ? bodies.acceleration : nullptr, history_.G};
        if (follows_ && due.count * kRebuildFrom < bodies.count) {
            tree_.follow(bodies.position_mass, bodies.low, before, rule, now_.stream);
        } else {
            tree_.sort(bodies.position_mass, bodies.count, gravity.softening, shape(), now_.stream, bodies.low, before);
            tree_.build(shape(), rule, now_.stream, at_.built_of_due);
            tree_.settle(now_.stream, at_.built_of_due);
        }
        only_due_ = follows_ = settled_ = true, share_.in_domains = false;
        walk_G_ = gravity.constant;
        choose_walk(rule, potential);
        due_.pick(due, tree_.order(), bodies.count, now_.stream);
        return now_.items;
    }

    bool share(Ranks& ranks) override {
        share_.found.share(ranks);
        share_.tree = std::make_unique<DistributedTree<Real>>(ranks);
        return true;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device>) override {
        if (only_due_) return walk(now_.rule, first, last);
        if (first == 0) at_.walk_began.record(now_.stream);
        const bool end = last == now_.items + (shares() ? 1 : 0);
        if (share_.in_domains)
            walk_domain(first, std::min(last, now_.items), end);
        else
            walk_share(first, std::min(last, now_.items), end);
        if (!end) return;
        at_.walked.record(now_.stream);
        share_.timed = share_.in_domains;
        remember(now_.bodies, now_.gravity);
        whole_ = true;
        whole_count_ = now_.bodies.count;
    }

    void restore_history(BodyView<Device, Real> bodies, const Gravity& gravity, std::uint64_t key,
                         Queue<Device>) override {
        remember(bodies, gravity);
        follows_ = false;
        tree_.set_least_levels(static_cast<int>(key));
    }
    void forget() override {
        history_.acceleration = nullptr;
        follows_ = false;
        tree_.set_least_levels(0);
    }
    std::uint64_t history_key() const override { return static_cast<std::uint64_t>(tree_.least_levels()); }

    DuePower<Device, Real>* due() override { return this; }
    const TreePower<Device>* tree() const override { return this; }
    HistoryPower<Device, Real>* history() override { return this; }
    AcceptancePower* acceptance() override { return this; }
    double accuracy_to_keep() const override { return orrery::accuracy_to_keep(config_); }
    void scale_acceptance(double factor) override { scale_ = factor; }

    std::string choice() const override { return whole_ ? choice_.text() : std::string{}; }

    EngineReport report() const override {
        if (!whole_) return {};
        const TreeState<Real> state = tree_.read(now_.stream);
        // The interactions are those of this rank's groups; if the tree is not distributed, all ranks have nearly equal
        // shares of the bodies.
        const double count =
            share_.in_domains ? tree_.count()
                              : static_cast<double>(now_.bodies.count) / (shares() ? share_.found.ranks().count() : 1);
        return {.phases = {{"sort", at_.sorted.seconds_since(at_.begun)},
                           {"build", at_.built.seconds_since(at_.sorted)},
                           {"moments", at_.moments.seconds_since(at_.built)},
                           {"walk", at_.walked.seconds_since(at_.walk_began)}},
                .with_bodies = static_cast<double>(state.with_bodies) / count,
                .with_cells = static_cast<double>(state.with_cells) / count,
                .cells = tree_.cells(),
                .leaves = tree_.leaves(now_.stream),
                .groups = state.groups(),
                .levels = tree_.levels()};
    }

    std::vector<TreeCell> cells(std::size_t most) const override {
        return whole_ ? whole_tree().cells_for_picture(most, now_.stream) : std::vector<TreeCell>{};
    }

    bool labels(TreeLabel label, float* out, Queue<Device> queue) const override {
        if (whole_) whole_tree().labels(label, out, queue.stream);
        return whole_;
    }

private:
    /// Stores the arguments of an evaluation; returns its acceptance criterion.
    TreeMac start(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential, Queue<Device> queue) {
        now_.bodies = bodies, now_.gravity = gravity, now_.potential = potential, now_.stream = queue.stream;
        choice_ = tree_choice(config_, Backend::kCuda, bodies.count, scale_);
        now_.items = (bodies.count + shape().group - 1) / shape().group;
        // Cells are positioned without the low parts of their bodies; bodies that differ only in these do not coincide.
        const double blur = bodies.low ? 4 * std::numeric_limits<Real>::epsilon() : 0;
        return now_.rule = {choice_.relative() ? MacKind::kRelative : MacKind::kGeometric,
                            choice_.relative() ? choice_.alpha() : choice_.theta(), choice_.order, blur};
    }

    void remember(const BodyView<Device, Real>& bodies, const Gravity& gravity) {
        if (gravity.constant > 0)
            history_.acceleration = bodies.acceleration;  // otherwise there is nothing to compare with
        history_.count = bodies.count;
        history_.G = gravity.constant;
    }

    /// The tree of all bodies; if it is distributed, it is built on demand, for display.
    const TreeBuilder<Real>& whole_tree() const {
        if (!share_.in_domains) return tree_;
        const Event built;
        display_tree_.sort(now_.bodies.position_mass, now_.bodies.count, now_.gravity.softening, shape(), now_.stream,
                           now_.bodies.low);
        display_tree_.build(shape(), now_.rule, now_.stream, built);
        display_tree_.settle(now_.stream, built);
        return display_tree_;
    }

    /// Reads the state of the build, and corrects the assumptions under which the walk was enqueued; repeats the walk
    /// if necessary.
    void settle(std::uint64_t first, std::uint64_t last) {
        settled_ = true;
        const WalkVariant<Real>* taken = variant_;
        const bool again = tree_.settle(now_.stream, at_.built);
        choose_walk(now_.rule, now_.potential);
        if (!again && variant_ == taken) return;
        at_.moments.record(now_.stream);
        tree_.forget_interactions(now_.stream);
        at_.walk_began.record(now_.stream);
        walk(now_.rule, first, last, own_pieces());
    }

    /// Walks this rank's share of a tree that every rank has completely.
    void walk_share(std::uint64_t first, std::uint64_t last, bool end) {
        if (shares() && first == 0) share_.found.clear(now_.bodies.count, now_.stream);
        walk(now_.rule, first, last, own_pieces());
        if (!settled_) settle(first, last);
        if (end && shares()) share_.found.join(now_.bodies.count, now_.bodies.acceleration, now_.stream);
    }
    void walk_domain(std::uint64_t first, std::uint64_t last, bool end) {
        walk(now_.rule, first, last, {}, share_.tree->accelerations(now_.bodies.count));
        if (!end) return;
        at_.walked_own.record(now_.stream);
        share_.tree->gather(tree_, now_.potential, now_.bodies.acceleration, now_.stream);
    }

    /// Duration of the last whole evaluation on this rank, if the tree was distributed.
    double seconds_in_domain() {
        if (!std::exchange(share_.timed, false)) return 0;
        return at_.built.seconds_since(at_.begun) + at_.walked_own.seconds_since(at_.walk_began);
    }

    bool shares() const { return share_.found.shares(); }
    WalkRanks own_pieces() const {
        if (!shares()) return {};
        return pieces_of(share_.found.ranks().rank(), share_.found.ranks().count(), now_.bodies.count);
    }

    TreeShape shape() const {
        const auto group = static_cast<std::uint32_t>(choice_.group);
        return {static_cast<std::uint32_t>(choice_.leaf), group, kGroupsOfCluster * group};
    }

    /// Chooses the kernel for a tree with the properties of the last settled one.
    void choose_walk(const TreeMac& rule, Potential potential) {
        variant_ = &walk_for<Real>(now_.bodies.count, choice_.group, rule.order,
                                   tree_.state().units.softening2 > kTouching<Real>, potential == Potential::kCompute,
                                   now_.bodies.low != nullptr);
    }

    /// `in_order`: additional destination of the accelerations, in tree order.
    void walk(const TreeMac& rule, std::uint64_t first, std::uint64_t last, const WalkRanks& ranks = {},
              Vec4<Real>* in_order = nullptr) {
        if (first >= last) return;
        const WalkArgs<Real> args{.tree = tree_.view(),
                                  .first = first,
                                  .last = last,
                                  .items = now_.items,
                                  .rule = rule.rule,
                                  .acceleration = ranks.count == 1 ? now_.bodies.acceleration : share_.found.data(),
                                  .G = walk_G_,
                                  .ranks = ranks,
                                  .in_order = in_order,
                                  .due_before = only_due_ ? due_.before() : nullptr,
                                  .due_rows = only_due_ ? due_.rows() : nullptr};
        // Groups are nearly full. If there are more groups than blocks, some blocks process two.
        const std::uint64_t groups =
                                share_.in_domains ? (last - first) * tree_.count() / now_.bodies.count : last - first,
                            blocks = groups + groups / 8 + 8;
        launch("walk_tree", {dim3(static_cast<unsigned>(blocks)), dim3(32 * variant_->warps)}, now_.stream,
               variant_->kernel, args);
    }

    /// The evaluation begun last.
    struct Evaluation {
        BodyView<Device, Real> bodies{};
        Gravity gravity;
        Potential potential{};
        cudaStream_t stream = nullptr;
        TreeMac rule{};
        std::uint64_t items = 0;
    };
    /// Accelerations of the last whole evaluation, with which the relative criterion compares; still at the address to
    /// which it wrote them.
    struct History {
        const Vec4<Real>* acceleration = nullptr;
        std::uint64_t count = 0;
        double G = 1;
    };
    /// Work shared among ranks.
    struct Share {
        SharedAccelerations<Real> found;              // of this rank's groups
        std::unique_ptr<DistributedTree<Real>> tree;  // with several ranks
        bool in_domains = false;                      // the tree is distributed
        bool timed = false;                           // the last whole evaluation used a distributed tree
    };
    struct Events {
        Event begun, sorted, built, built_of_due, moments, walk_began, walked_own, walked;
    };

    const TreeConfig config_;
    TreeChoice choice_{};
    double scale_ = 1;  // of the acceptance criterion
    Evaluation now_;
    TreeBuilder<Real> tree_;
    const WalkVariant<Real>* variant_ = nullptr;
    DueRows due_;
    bool settled_ = true;            // the host has read back the state of the tree
    bool only_due_ = false;          // the evaluation under way covers only due bodies
    bool follows_ = false;           // the tree was built by a due evaluation since the last whole one
    bool whole_ = false;             // a whole evaluation has completed
    std::uint64_t whole_count_ = 0;  // bodies of the last whole evaluation; 0: none
    double walk_G_ = 1;
    History history_;
    Share share_;
    mutable TreeBuilder<Real> display_tree_;
    Events at_;
};

AnyEngine make(const EngineConfig& config) {
    tree_choice(config.tree, Backend::kCuda, 1);  // rejects options that do not exist
    return make_in_precision<CudaTree>(config, config.tree);
}

}  // namespace

EngineEntry cuda_tree_engine() {
    return tree_entry(
        Backend::kCuda,
        "Barnes–Hut octree along a Hilbert curve, rebuilt level by level in every step, without locks; groups of up to "
        "64 neighbouring bodies share a walk.",
        1 << 27, make);
}

}  // namespace orrery
