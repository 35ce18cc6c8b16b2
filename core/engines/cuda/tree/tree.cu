// SPDX-License-Identifier: MIT
// The Barnes–Hut engine of the GPU: sort along the Hilbert curve, tree build, moments, and one walk per group of
// neighbouring bodies; with several ranks each walks its share of the groups, on its own tree or on a distributed one.
#include "core/engines/entries.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/distributed_tree.cuh"
#include "core/engines/cuda/tree/due.cuh"
#include "core/engines/cuda/tree/tuning.hpp"
#include "core/engines/cuda/tree/walks.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

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
        const bool estimate =
            rule.rule == MacKind::kRelative && (previous_ != bodies.acceleration || previous_count_ != bodies.count);

        const bool compare = rule.rule == MacKind::kRelative && !estimate;
        const Previous<Real> none{nullptr, 1}, before{bodies.acceleration, previous_G_};
        previous_ = nullptr;  // until this evaluation is complete
        const double seconds = seconds_in_domain();
        begun_.record(stream_);
        in_domains_ = shares() && bodies.count >= kManyToDivide &&
                      distributed_->build(tree_,
                                          {.bodies = bodies.position_mass,
                                           .low = bodies.low,
                                           .count = bodies.count,
                                           .softening = gravity.softening,
                                           .shape = shape(),
                                           .rule = estimate ? rough : rule,
                                           .previous = compare ? before : none,
                                           .sorted = sorted_,
                                           .built = built_,
                                           .stream = stream_},
                                          seconds);
        if (!in_domains_) {
            tree_.sort(bodies.position_mass, bodies.count, gravity.softening, shape(), stream_, bodies.low,
                       compare ? before : none);
            sorted_.record(stream_);
            tree_.build(shape(), estimate ? rough : rule, stream_, built_);
        }
        settled_ = in_domains_ || estimate || whole_count_ != bodies.count;  // such a tree has not been built before
        if (settled_ && !in_domains_) tree_.settle(stream_, built_);
        if (estimate) {
            choose_walk(rough, Potential::kSkip);
            const double G = 1 / tree_.state().units.acceleration;  // keeps accelerations within the tree's units
            walk_G_ = G;
            walk(rough, 0, items_);
            tree_.compute_moments_again(rule, stream_);
            tree_.gather_acceleration_norms({bodies.acceleration, G}, stream_);
            if (in_domains_) distributed_->rebuild_above(tree_, rule, stream_);
            tree_.forget_interactions(stream_);
        }
        moments_done_.record(stream_);
        walk_G_ = gravity.constant;
        choose_walk(rule, potential);
        if (shares() && !in_domains_ && found_.size() < bodies.count)
            found_ = {}, found_ = DeviceBuffer<Vec4<Real>>{bodies.count};
        return items_ + (shares() ? 1 : 0);
    }

    /// Evaluated in full by every rank. The first due evaluation after a whole one always rebuilds: a run resumed at
    /// that point has no tree. It waits, because the due bodies of a group depend on the order.
    std::uint64_t begin_due(BodyView<Device, Real> bodies, DueView<Device> due, const Gravity& gravity,
                            Potential potential, Queue<Device> queue) override {
        const bool known = previous_ == bodies.acceleration && previous_count_ == bodies.count;
        const TreeMac rule = start(bodies, gravity, potential, queue);
        // Without gravity no history is kept, and all forces are 0.
        if (rule.rule == MacKind::kRelative && !known) return begin(bodies, gravity, potential, queue);
        const Previous<Real> before{rule.rule == MacKind::kRelative ? bodies.acceleration : nullptr, previous_G_};
        if (follows_ && due.count * kRebuildFrom < bodies.count) {
            tree_.follow(bodies.position_mass, bodies.low, before, rule, stream_);
        } else {
            tree_.sort(bodies.position_mass, bodies.count, gravity.softening, shape(), stream_, bodies.low, before);
            tree_.build(shape(), rule, stream_, built_of_due_);
            tree_.settle(stream_, built_of_due_);
        }
        only_due_ = follows_ = settled_ = true, in_domains_ = false;
        walk_G_ = gravity.constant;
        choose_walk(rule, potential);
        due_.pick(due, tree_.order(), bodies.count, stream_);
        return items_;
    }

    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        distributed_ = std::make_unique<DistributedTree<Real>>(ranks);
        return true;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device>) override {
        if (only_due_) return walk(rule_, first, last);
        if (first == 0) walk_began_.record(stream_);
        const bool end = last == items_ + (shares() ? 1 : 0);
        if (in_domains_)
            walk_domain(first, std::min(last, items_), end);
        else
            walk_share(first, std::min(last, items_), end);
        if (!end) return;
        walked_.record(stream_);
        timed_ = in_domains_;
        remember(bodies_, gravity_);
        whole_ = true;
        whole_count_ = bodies_.count;
    }

    void restore_history(BodyView<Device, Real> bodies, const Gravity& gravity, std::uint64_t key,
                         Queue<Device>) override {
        remember(bodies, gravity);
        follows_ = false;
        tree_.set_least_levels(static_cast<int>(key));
    }
    void forget() override {
        previous_ = nullptr;
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
        const TreeState<Real> state = tree_.read(stream_);
        // The interactions are those of this rank's groups; if the tree is not distributed, all ranks have nearly equal
        // shares of the bodies.
        const double count =
            in_domains_ ? tree_.count() : static_cast<double>(bodies_.count) / (shares() ? ranks_->count() : 1);
        return {.phases = {{"sort", sorted_.seconds_since(begun_)},
                           {"build", built_.seconds_since(sorted_)},
                           {"moments", moments_done_.seconds_since(built_)},
                           {"walk", walked_.seconds_since(walk_began_)}},
                .with_bodies = static_cast<double>(state.with_bodies) / count,
                .with_cells = static_cast<double>(state.with_cells) / count,
                .cells = tree_.cells(),
                .leaves = tree_.leaves(stream_),
                .groups = state.groups(),
                .levels = tree_.levels()};
    }

    std::vector<TreeCell> cells(std::size_t most) const override {
        return whole_ ? whole_tree().cells_for_picture(most, stream_) : std::vector<TreeCell>{};
    }

    bool labels(TreeLabel label, float* out, Queue<Device> queue) const override {
        if (whole_) whole_tree().labels(label, out, queue.stream);
        return whole_;
    }

private:
    /// Stores the arguments of an evaluation; returns its acceptance criterion.
    TreeMac start(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential, Queue<Device> queue) {
        bodies_ = bodies, gravity_ = gravity, potential_ = potential, stream_ = queue.stream;
        choice_ = tree_choice(config_, Backend::kCuda, bodies.count, scale_);
        items_ = (bodies.count + shape().group - 1) / shape().group;
        // Cells are positioned without the low parts of their bodies; bodies that differ only in these do not coincide.
        const double blur = bodies.low ? 4 * std::numeric_limits<Real>::epsilon() : 0;
        return rule_ = {choice_.relative() ? MacKind::kRelative : MacKind::kGeometric,
                        choice_.relative() ? choice_.alpha() : choice_.theta(), choice_.order, blur};
    }

    void remember(const BodyView<Device, Real>& bodies, const Gravity& gravity) {
        if (gravity.constant > 0) previous_ = bodies.acceleration;  // otherwise there is nothing to compare with
        previous_count_ = bodies.count;
        previous_G_ = gravity.constant;
    }

    /// The tree of all bodies; if it is distributed, it is built on demand, for display.
    const TreeBuilder<Real>& whole_tree() const {
        if (!in_domains_) return tree_;
        const Event built;
        display_tree_.sort(bodies_.position_mass, bodies_.count, gravity_.softening, shape(), stream_, bodies_.low);
        display_tree_.build(shape(), rule_, stream_, built);
        display_tree_.settle(stream_, built);
        return display_tree_;
    }

    /// Reads the state of the build, and corrects the assumptions under which the walk was enqueued; repeats the walk
    /// if necessary.
    void settle(std::uint64_t first, std::uint64_t last) {
        settled_ = true;
        const WalkVariant<Real>* taken = variant_;
        const bool again = tree_.settle(stream_, built_);
        choose_walk(rule_, potential_);
        if (!again && variant_ == taken) return;
        moments_done_.record(stream_);
        tree_.forget_interactions(stream_);
        walk_began_.record(stream_);
        walk(rule_, first, last, own_pieces());
    }

    /// Walks this rank's share of a tree that every rank has completely.
    void walk_share(std::uint64_t first, std::uint64_t last, bool end) {
        if (shares() && first == 0)
            check(cudaMemsetAsync(found_.data(), 0, bodies_.count * sizeof(Vec4<Real>), stream_), "clearing");
        walk(rule_, first, last, own_pieces());
        if (!settled_) settle(first, last);
        if (end && shares()) join_with_others();
    }
    void walk_domain(std::uint64_t first, std::uint64_t last, bool end) {
        walk(rule_, first, last, {}, distributed_->accelerations(bodies_.count));
        if (!end) return;
        walked_own_.record(stream_);
        distributed_->gather(tree_, potential_, bodies_.acceleration, stream_);
    }

    /// Duration of the last whole evaluation on this rank, if the tree was distributed.
    double seconds_in_domain() {
        if (!std::exchange(timed_, false)) return 0;
        return built_.seconds_since(begun_) + walked_own_.seconds_since(walk_began_);
    }

    bool shares() const { return ranks_ && ranks_->count() > 1; }
    /// Exactly one rank has each value, the others have zeros, so an integer sum reproduces it bitwise.
    void join_with_others() {
        const std::size_t bytes = bodies_.count * sizeof(Vec4<Real>);
        device_ranks(*ranks_).sum({found_.data(), bytes / sizeof(std::uint32_t), DeviceNumbers::Type::kUint32},
                                  stream_);
        check(cudaMemcpyAsync(bodies_.acceleration, found_.data(), bytes, cudaMemcpyDeviceToDevice, stream_),
              "joining");
    }
    WalkRanks own_pieces() const {
        return shares() ? pieces_of(ranks_->rank(), ranks_->count(), bodies_.count) : WalkRanks{};
    }

    TreeShape shape() const {
        const auto group = static_cast<std::uint32_t>(choice_.group);
        return {static_cast<std::uint32_t>(choice_.leaf), group, kGroupsOfCluster * group};
    }

    /// Chooses the kernel for a tree with the properties of the last settled one.
    void choose_walk(const TreeMac& rule, Potential potential) {
        variant_ =
            &walk_for<Real>(bodies_.count, choice_.group, rule.order, tree_.state().units.softening2 > kTouching<Real>,
                            potential == Potential::kCompute, bodies_.low != nullptr);
    }

    /// `in_order`: additional destination of the accelerations, in tree order.
    void walk(const TreeMac& rule, std::uint64_t first, std::uint64_t last, const WalkRanks& ranks = {},
              Vec4<Real>* in_order = nullptr) {
        if (first >= last) return;
        const WalkArgs<Real> args{.tree = tree_.view(),
                                  .first = first,
                                  .last = last,
                                  .items = items_,
                                  .rule = rule.rule,
                                  .acceleration = ranks.count == 1 ? bodies_.acceleration : found_.data(),
                                  .G = walk_G_,
                                  .ranks = ranks,
                                  .in_order = in_order,
                                  .due_before = only_due_ ? due_.before() : nullptr,
                                  .due_rows = only_due_ ? due_.rows() : nullptr};
        // Groups are nearly full. If there are more groups than blocks, some blocks process two.
        const std::uint64_t groups = in_domains_ ? (last - first) * tree_.count() / bodies_.count : last - first,
                            blocks = groups + groups / 8 + 8;
        launch("walk_tree", {dim3(static_cast<unsigned>(blocks)), dim3(32 * variant_->warps)}, stream_,
               variant_->kernel, args);
    }

    const TreeConfig config_;
    Ranks* ranks_ = nullptr;
    TreeChoice choice_{};
    double scale_ = 1;  // of the acceptance criterion
    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    cudaStream_t stream_ = nullptr;
    TreeBuilder<Real> tree_;
    TreeMac rule_{};
    Potential potential_{};
    std::uint64_t items_ = 0;
    bool settled_ = true;            // the host has read back the state of the tree
    std::uint64_t whole_count_ = 0;  // bodies of the last whole evaluation; 0: none
    const WalkVariant<Real>* variant_ = nullptr;
    DueRows due_;
    bool only_due_ = false;  // the evaluation under way covers only due bodies
    bool follows_ = false;   // the tree was built by a due evaluation since the last whole one
    // Accelerations of the last whole evaluation, with which the relative criterion compares; still where it wrote
    // them.
    const Vec4<Real>* previous_ = nullptr;
    std::uint64_t previous_count_ = 0;
    DeviceBuffer<Vec4<Real>> found_;  // of this rank's groups, with zeros elsewhere
    double previous_G_ = 1, walk_G_ = 1;
    bool whole_ = false;
    std::unique_ptr<DistributedTree<Real>> distributed_;  // with several ranks
    bool in_domains_ = false;                             // the tree is distributed
    bool timed_ = false;                                  // the last whole evaluation used a distributed tree
    mutable TreeBuilder<Real> display_tree_;
    Event begun_, sorted_, built_, built_of_due_, moments_done_, walk_began_, walked_own_, walked_;
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
