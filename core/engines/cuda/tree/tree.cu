// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree/tree.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/event.hpp"
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/divided.cuh"
#include "core/engines/cuda/tree/due.cuh"
#include "core/engines/cuda/tree/walks.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

using namespace cuda;

/// So many groups fill their lanes nearly whole; more would let their boxes grow.
constexpr std::uint32_t kGroupsOfCluster = 32;

/// From so many bodies on ranks divide the tree, not only its walk: fewer are sorted and built sooner by each, as
/// measured on two H200.
constexpr std::uint64_t kManyToDivide = 1 << 23;

/// Of all bodies: where fewer are due, the tree of the last build follows them.
constexpr std::uint64_t kRebuildFrom = 4;

/// Barnes & Hut with a walk per group of neighbours. How many groups there are only the device knows, so an item is a
/// share of them, and with ranks one more is to exchange accelerations. begin() enqueues sorting and building without a
/// wait; run() enqueues the first walk and waits only then, while the GPU works, to see whether there had been room and
/// whether it walked by the right kernel.
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
        const TreeRule rule = take(bodies, gravity, potential, queue);
        const TreeRule rough{Rule::kGeometric, 1.0, 1, rule.blur};
        only_due_ = follows_ = false;
        const bool estimate =
            rule.rule == Rule::kRelative && (previous_ != bodies.acceleration || previous_count_ != bodies.count);

        const bool compare = rule.rule == Rule::kRelative && !estimate;
        const Previous<Real> none{nullptr, 1}, before{bodies.acceleration, previous_G_};
        previous_ = nullptr;  // until this evaluation is whole
        const double seconds = seconds_in_domain();
        begun_.record(stream_);
        in_domains_ = shares() && bodies.count >= kManyToDivide &&
                      divided_->build(tree_,
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
        settled_ = in_domains_ || estimate || whole_count_ != bodies.count;  // nothing is known of such a tree
        if (settled_ && !in_domains_) tree_.settle(stream_, built_);
        if (estimate) {
            choose_walk(rough, Potential::kSkip);
            const double G = 1 / tree_.state().units.acceleration;  // so that no number is beyond the tree's units
            walk_G_ = G;
            walk(rough, 0, items_);
            tree_.compute_moments_again(rule, stream_);
            tree_.gather_acceleration_norms({bodies.acceleration, G}, stream_);
            if (in_domains_) divided_->rebuild_above(tree_, rule, stream_);
            tree_.forget_interactions(stream_);
        }
        moments_done_.record(stream_);
        walk_G_ = gravity.constant;
        choose_walk(rule, potential);
        if (shares() && !in_domains_ && found_.size() < bodies.count)
            found_ = {}, found_ = DeviceBuffer<Vec4<Real>>{bodies.count};
        return items_ + (shares() ? 1 : 0);
    }

    /// By every rank. The first one after a whole evaluation builds: who resumes there has no tree. It waits, because
    /// which bodies of a group are due follows from the order.
    std::uint64_t begin_due(BodyView<Device, Real> bodies, DueView<Device> due, const Gravity& gravity,
                            Potential potential, Queue<Device> queue) override {
        const bool known = previous_ == bodies.acceleration && previous_count_ == bodies.count;
        const TreeRule rule = take(bodies, gravity, potential, queue);
        // Without gravity nothing is remembered, and all forces are 0.
        if (rule.rule == Rule::kRelative && !known) return begin(bodies, gravity, potential, queue);
        const Previous<Real> before{rule.rule == Rule::kRelative ? bodies.acceleration : nullptr, previous_G_};
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
        divided_ = std::make_unique<DividedTree<Real>>(ranks);
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
        // The interactions are those of this rank's groups; if the tree is not divided, these have nearly as many
        // bodies as those of another.
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
    /// Takes note of an evaluation; returns its criterion.
    TreeRule take(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential, Queue<Device> queue) {
        bodies_ = bodies, gravity_ = gravity, potential_ = potential, stream_ = queue.stream;
        choice_ = tree_choice_for(config_, bodies.count, scale_);
        items_ = (bodies.count + shape().group - 1) / shape().group;
        // Cells lie where their bodies do without their low parts; those that these tell apart are no single place.
        const double blur = bodies.low ? 4 * std::numeric_limits<Real>::epsilon() : 0;
        return rule_ = {choice_.relative() ? Rule::kRelative : Rule::kGeometric,
                        choice_.relative() ? choice_.alpha : choice_.theta, choice_.order, blur};
    }

    void remember(const BodyView<Device, Real>& bodies, const Gravity& gravity) {
        if (gravity.constant > 0) previous_ = bodies.acceleration;  // else there is nothing to compare with
        previous_count_ = bodies.count;
        previous_G_ = gravity.constant;
    }

    /// Of all bodies: where it is divided, it is built for who wants to see it.
    const TreeBuilder<Real>& whole_tree() const {
        if (!in_domains_) return tree_;
        const Event built;
        seen_.sort(bodies_.position_mass, bodies_.count, gravity_.softening, shape(), stream_, bodies_.low);
        seen_.build(shape(), rule_, stream_, built);
        seen_.settle(stream_, built);
        return seen_;
    }

    /// Looks at what the device found while building, and mends what was taken for granted. Walks again if it must.
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

    /// Of a tree that every rank has all of.
    void walk_share(std::uint64_t first, std::uint64_t last, bool end) {
        if (shares() && first == 0)
            check(cudaMemsetAsync(found_.data(), 0, bodies_.count * sizeof(Vec4<Real>), stream_), "clearing");
        walk(rule_, first, last, own_pieces());
        if (!settled_) settle(first, last);
        if (end && shares()) join_with_others();
    }
    void walk_domain(std::uint64_t first, std::uint64_t last, bool end) {
        walk(rule_, first, last, {}, divided_->accelerations(bodies_.count));
        if (!end) return;
        walked_own_.record(stream_);
        divided_->gather(tree_, potential_, bodies_.acceleration, stream_);
    }

    /// What this rank took for the last whole evaluation, if the tree was divided.
    double seconds_in_domain() {
        if (!std::exchange(timed_, false)) return 0;
        return built_.seconds_since(begun_) + walked_own_.seconds_since(walk_began_);
    }

    bool shares() const { return ranks_ && ranks_->count() > 1; }
    /// Each number is of one rank, the others have zeros: as integers their sum is that number to the bit.
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

    /// For a tree such as the last one that settled.
    void choose_walk(const TreeRule& rule, Potential potential) {
        variant_ =
            &walk_for<Real>(bodies_.count, choice_.group, rule.order, tree_.state().units.softening2 > kTouching<Real>,
                            potential == Potential::kCompute, bodies_.low != nullptr);
    }

    /// `in_order`: accelerations also go there, in the order of the tree.
    void walk(const TreeRule& rule, std::uint64_t first, std::uint64_t last, const WalkRanks& ranks = {},
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
        // Groups are nearly full. Where there are more of them than blocks, some blocks have two.
        const std::uint64_t groups = in_domains_ ? (last - first) * tree_.count() / bodies_.count : last - first,
                            blocks = groups + groups / 8 + 8;
        launch("walk_tree", {dim3(static_cast<unsigned>(blocks)), dim3(32 * variant_->warps)}, stream_,
               variant_->kernel, args);
    }

    const TreeConfig config_;
    Ranks* ranks_ = nullptr;
    TreeChoice choice_{};
    double scale_ = 1;  // of the criterion
    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    cudaStream_t stream_ = nullptr;
    TreeBuilder<Real> tree_;
    TreeRule rule_{};
    Potential potential_{};
    std::uint64_t items_ = 0;
    bool settled_ = true;            // the host knows the tree
    std::uint64_t whole_count_ = 0;  // bodies of the last whole evaluation; 0: none
    const WalkVariant<Real>* variant_ = nullptr;
    DueRows due_;
    bool only_due_ = false;  // the evaluation under way is of these
    bool follows_ = false;   // the tree is of the due evaluations since the last whole one
    // Accelerations of the last whole evaluation, which the relative rule compares with: they are still where it left
    // them.
    const Vec4<Real>* previous_ = nullptr;
    std::uint64_t previous_count_ = 0;
    DeviceBuffer<Vec4<Real>> found_;  // of this rank's groups, with zeros elsewhere
    double previous_G_ = 1, walk_G_ = 1;
    bool whole_ = false;
    std::unique_ptr<DividedTree<Real>> divided_;  // with ranks
    bool in_domains_ = false;                     // the tree is divided
    bool timed_ = false;                          // the last whole evaluation was of one that is
    mutable TreeBuilder<Real> seen_;
    Event begun_, sorted_, built_, built_of_due_, moments_done_, walk_began_, walked_own_, walked_;
};

AnyEngine make(const EngineConfig& config) {
    tree_choice_for(config.tree, 1);  // what does not exist is refused here
    return make_in_precision<CudaTree>(config, config.tree);
}

}  // namespace

EngineEntry cuda_tree_engine() {
    EngineEntry entry = tree_entry();
    entry.doc =
        "Barnes–Hut octree along a Hilbert curve, rebuilt level by level in every step, without locks; groups of up to "
        "64 neighbouring bodies share a walk.";
    entry.backend = Backend::kCuda;
    entry.max_bodies = 1 << 27;
    entry.due = true;
    entry.make = make;
    return entry;
}

}  // namespace orrery
