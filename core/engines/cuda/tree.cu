// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree.hpp"

#include <algorithm>
#include <limits>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/event.hpp"
#include "core/engines/cuda/tree_build.cuh"
#include "core/engines/cuda/tree_walks.cuh"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

using namespace cuda;

/// The next walk begins with group `first`; what it counts begins at 0 with the first one.
template <class Real>
__global__ void aim(TreeState<Real>* state, std::uint32_t first) {
    state->next_group = first;
    if (first == 0) state->with_bodies = state->with_cells = 0;
}

/// So many groups fill their lanes nearly whole; more would let their boxes grow.
constexpr std::uint32_t kGroupsOfCluster = 32;

/// Barnes & Hut with a walk per group of neighbours. begin() sorts, builds and waits, to know how many groups there
/// are; an item is the walk of a group.
template <class Real>
class CudaTree final : public Engine<Device, Real> {
public:
    explicit CudaTree(const TreeConfig& config) : config_{config} {
        check(cudaGetDevice(&device_), "current device");
        check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device_), "device");
    }

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        bodies_ = bodies, gravity_ = gravity, stream_ = queue.stream;
        choice_ = tree_choice_for(config_, bodies.count);
        // Cells lie where their bodies do without their low parts; those that these tell apart are no single place.
        const double blur = bodies.low ? 4 * std::numeric_limits<Real>::epsilon() : 0;
        const TreeRule rule{choice_.relative() ? Rule::kRelative : Rule::kGeometric,
                            choice_.relative() ? choice_.alpha : choice_.theta, choice_.order, blur};
        const TreeRule rough{Rule::kGeometric, 1.0, 1, blur};
        const bool estimate =
            rule.rule == Rule::kRelative && (previous_ != bodies.acceleration || previous_count_ != bodies.count);

        previous_ = nullptr;  // until this evaluation is whole
        begun_.record(stream_);
        const Previous<Real> none{nullptr, 1}, before{bodies.acceleration, previous_G_};
        tree_.sort(bodies.position_mass, bodies.count, gravity.softening, shape(), stream_, bodies.low);
        sorted_.record(stream_);
        const bool compare = rule.rule == Rule::kRelative && !estimate;
        tree_.build(shape(), estimate ? rough : rule, compare ? before : none, stream_, built_);
        if (estimate) {
            use(rough, false);
            const double G = 1 / tree_.state().units.acceleration;  // so that no number is beyond the tree's units
            walk(0, tree_.state().groups, G);
            tree_.weigh(rule, stream_);
            tree_.gather_strengths({bodies.acceleration, G}, stream_);
        }
        weighed_.record(stream_);
        use(rule, potential == Potential::kCompute);
        return tree_.state().groups;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device>) override {
        if (first == 0) walk_began_.record(stream_);
        walk(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), gravity_.constant);
        if (last < tree_.state().groups) return;
        walked_.record(stream_);
        remember(bodies_, gravity_);
        whole_ = true;
    }

    void recall(BodyView<Device, Real> bodies, const Gravity& gravity, std::uint64_t memory, Queue<Device>) override {
        remember(bodies, gravity);
        tree_.set_least_levels(static_cast<int>(memory));
    }
    std::uint64_t memory() const override { return static_cast<std::uint64_t>(tree_.least_levels()); }

    std::string choice() const override { return whole_ ? choice_.text() : std::string{}; }

    EngineReport report() const override {
        if (!whole_) return {};
        const TreeState<Real> state = tree_.read(stream_);
        const auto count = static_cast<double>(bodies_.count);
        return {.phases = {{"sort", sorted_.seconds_since(begun_)},
                           {"build", built_.seconds_since(sorted_)},
                           {"moments", weighed_.seconds_since(built_)},
                           {"walk", walked_.seconds_since(walk_began_)}},
                .with_bodies = static_cast<double>(state.with_bodies) / count,
                .with_cells = static_cast<double>(state.with_cells) / count,
                .cells = tree_.cells(),
                .leaves = tree_.leaves(stream_),
                .groups = state.groups,
                .levels = tree_.levels()};
    }

    std::vector<TreeCell> cells(std::size_t most) const override {
        return whole_ ? tree_.cells_for_picture(most, stream_) : std::vector<TreeCell>{};
    }

    bool marks(Mark mark, float* out, Queue<Device> queue) const override {
        if (whole_) tree_.marks(mark, out, queue.stream);
        return whole_;
    }

private:
    void remember(const BodyView<Device, Real>& bodies, const Gravity& gravity) {
        if (gravity.constant > 0) previous_ = bodies.acceleration;  // else there is nothing to compare with
        previous_count_ = bodies.count;
        previous_G_ = gravity.constant;
    }

    TreeShape shape() const {
        const auto group = static_cast<std::uint32_t>(choice_.group);
        return {static_cast<std::uint32_t>(choice_.leaf), group, kGroupsOfCluster * group};
    }

    void use(const TreeRule& rule, bool potential) {
        rule_ = rule;
        const bool split = bodies_.low != nullptr;
        const auto variants = [split] {
            if constexpr (std::is_same_v<Real, float>)
                return split ? walks_split() : walks_float();
            else
                return walks_double();
        }();
        const bool softened = tree_.state().units.softening2 > kTouching<Real>;
        const int wanted = (choice_.group + 31) / 32;
        for (const WalkVariant<Real>& v : variants)
            if ((v.bodies >= wanted && v.bodies < 2 * wanted) && v.order == rule.order &&
                (split || v.softened == softened) && v.potential == potential)
                variant_ = &v;
        if (variant_ == measured_) return;
        int blocks = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, variant_->kernel, kWalkWarps * 32, 0),
              "occupancy");
        blocks_ = static_cast<unsigned>(blocks * processors_);
        measured_ = variant_;
    }

    void walk(std::uint32_t first, std::uint32_t last, double G) {
        if (first >= last) return;
        const WalkArgs<Real> args{
            .tree = tree_.view(), .end = last, .rule = rule_.rule, .acceleration = bodies_.acceleration, .G = G};
        launch("aim", {dim3(1), dim3(1)}, stream_, aim<Real>, args.tree.state, first);
        const unsigned enough = (last - first + kWalkWarps - 1) / kWalkWarps;
        launch("walk_tree", {dim3(std::min(blocks_, enough)), dim3(kWalkWarps * 32)}, stream_, variant_->kernel, args);
    }

    const TreeConfig config_;
    TreeChoice choice_{};
    int device_ = 0, processors_ = 0;
    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    cudaStream_t stream_ = nullptr;
    TreeBuilder<Real> tree_;
    TreeRule rule_{};
    const WalkVariant<Real>* variant_ = nullptr;
    const WalkVariant<Real>* measured_ = nullptr;  // whose blocks_ these are
    unsigned blocks_ = 0;
    // Accelerations of the last whole evaluation, which the relative rule compares with: they are still where it left
    // them.
    const Vec4<Real>* previous_ = nullptr;
    std::uint64_t previous_count_ = 0;
    double previous_G_ = 1;
    bool whole_ = false;
    Event begun_, sorted_, built_, weighed_, walk_began_, walked_;
};

AnyEngine make(const EngineConfig& config) {
    tree_choice_for(config.tree, 1);  // what does not exist is refused here
    return make_in_precision<CudaTree>(config, config.tree);
}

}  // namespace

EngineEntry cuda_tree_engine() {
    EngineEntry entry = tree_entry();
    entry.doc =
        "Octree along a Hilbert curve, rebuilt every step by level without locks; a warp walks it for up to 64 "
        "neighbours at once.";
    entry.backend = Backend::kCuda;
    entry.max_bodies = 1 << 27;
    entry.make = make;
    return entry;
}

}  // namespace orrery
