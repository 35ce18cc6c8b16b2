// SPDX-License-Identifier: MIT
// The fast multipole method of the GPU: tree build, upward pass, far field by walks of clusters and then of groups,
// which accumulate local expansions, and near field by direct summation.
#include "core/engines/entries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/fmm/data.cuh"
#include "core/engines/cuda/fmm/moments.cuh"
#include "core/engines/cuda/fmm/momentum.cuh"
#include "core/engines/cuda/fmm/tuning.hpp"
#include "core/engines/cuda/share.hpp"
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/spans.cuh"
#include "core/engines/due_by_tree.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/opening.hpp"

namespace orrery {
namespace {

using namespace cuda;

/// The fast multipole method on the tree's cells and groups of neighbouring bodies: local expansions about clusters of
/// groups, and about groups. Each target walks separately, so action and reaction agree only to the accuracy; the net
/// force that remains is taken out. An item is a group; with several ranks, each of which has all cells and walks its
/// share of the clusters, a last item exchanges accelerations.
template <class Real>
class CudaFmm final : public Engine<Device, Real>,
                      public TreePower<Device>,
                      public HistoryPower<Device, Real>,
                      public AcceptancePower {
public:
    explicit CudaFmm(const EngineConfig& config)
        : due_{config}, config_{config.tree}, choice_{fmm_choice(config_, Backend::kCuda, 0)} {
        tree_.keep_clusters(
            [this](const TreeMac& rule, bool fresh, cudaStream_t stream) { compute_moments(rule, fresh, stream); });
    }

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        now_.bodies = bodies, now_.gravity = gravity, now_.stream = queue.stream, now_.potential = potential;
        due_.forget();
        choice_ = fmm_choice(config_, Backend::kCuda, bodies.count, scale_);
        // So that cells and their expansions fit into the memory beside the bodies.
        while (config_.leaf == 0 && bodies.count / static_cast<std::uint64_t>(choice_.leaf) > kMostLeaves)
            choice_.leaf *= 2;
        const bool known = history_.acceleration == bodies.acceleration && history_.count == bodies.count;
        const bool estimate = choice_.relative() && !known;
        const Previous<Real> none{nullptr, 1}, before{bodies.acceleration, history_.G};
        history_.acceleration = nullptr;  // until this evaluation is complete
        at_.begun.record(now_.stream);
        tree_.sort(bodies.position_mass, bodies.count, gravity.softening, shape(), now_.stream, bodies.low,
                   choice_.relative() && known ? before : none);
        at_.sorted.record(now_.stream);
        build();
        if (!tree_.memory_of_sort() && memory_.far.size() < bodies.count)
            memory_.far = {}, memory_.far = DeviceBuffer<Vec4<Real>>{bodies.count};
        clear(offsetof(FmmState, with_bodies), sizeof(FmmState) - offsetof(FmmState, with_bodies));
        if (estimate) {
            const double G = 1 / tree_.state().units.acceleration;  // keeps accelerations within the tree's units
            FmmArgs<Real> rough = args(MacKind::kGeometric, G);
            walk_clusters(rough, Potential::kSkip);
            walk_groups(rough, 0, groups_, Potential::kSkip);
            tree_.gather_acceleration_norms({bodies.acceleration, G}, now_.stream);
            clear(offsetof(FmmState, with_bodies), sizeof(FmmState) - offsetof(FmmState, with_bodies));
        }
        at_.moments.record(now_.stream);
        if (shared_.shares()) {
            shared_.reserve(bodies.count), shared_.clear(bodies.count, now_.stream);
        }
        walk_clusters(own_args(), potential);
        return items();
    }

    bool share(Ranks& ranks) override {
        shared_.share(ranks);
        return true;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        if (due_.under_way()) return due_.run(first, last, queue);
        if (first < groups_) walk_groups(own_args(), first, std::min(last, groups_), now_.potential);
        if (first < groups_ && last >= groups_) at_.walked.record(now_.stream);
        if (last < items()) return;
        if (shared_.shares()) shared_.join(now_.bodies.count, now_.bodies.acceleration, now_.stream);
        subtract_mean_acceleration(now_.bodies.position_mass, now_.bodies.acceleration, now_.bodies.count,
                                   memory_.partial.data(), &tree_.view().state->tickets, now_.stream);
        if (!shared_.shares()) at_.walked.record(now_.stream);
        in_one_ = first == 0 && std::min(last, groups_) <= kGroupsAtOnce;
        remember(now_.bodies, now_.gravity);
        whole_ = true;
    }

    void restore_history(BodyView<Device, Real> bodies, const Gravity& gravity, std::uint64_t key,
                         Queue<Device>) override {
        remember(bodies, gravity);
        due_.forget();
        tree_.set_least_levels(static_cast<int>(key));
    }
    void forget() override {
        history_.acceleration = nullptr;
        due_.forget();
        tree_.set_least_levels(0);
    }
    std::uint64_t history_key() const override { return static_cast<std::uint64_t>(tree_.least_levels()); }

    DuePower<Device, Real>* due() override { return &due_; }
    const TreePower<Device>* tree() const override { return this; }
    HistoryPower<Device, Real>* history() override { return this; }
    AcceptancePower* acceptance() override { return this; }
    double accuracy_to_keep() const override { return orrery::accuracy_to_keep(config_); }
    void scale_acceptance(double factor) override { scale_ = factor; }
    std::string choice() const override { return choice_.text(); }

    EngineReport report() const override {
        if (!whole_) return {};
        FmmState counted{};
        check(cudaMemcpyAsync(&counted, memory_.state.data(), sizeof counted, cudaMemcpyDeviceToHost, now_.stream),
              "download");
        // The interactions are those of this rank's groups; all ranks have nearly equal shares of the bodies.
        const double count = static_cast<double>(now_.bodies.count) / (shared_.shares() ? shared_.ranks().count() : 1);
        EngineReport report{.phases = {{"sort", at_.sorted.seconds_since(at_.begun)},
                                       {"build", at_.built.seconds_since(at_.sorted)},
                                       {"moments", at_.moments.seconds_since(at_.built)}},
                            .cells = tree_.cells(),
                            .leaves = tree_.leaves(now_.stream),
                            .groups = groups_,
                            .levels = tree_.levels()};
        if (in_one_) {
            report.phases.push_back({"far", at_.far.seconds_since(at_.moments)});
            report.phases.push_back({"near", at_.walked.seconds_since(at_.far)});
        } else {
            report.phases.push_back({"walk", at_.walked.seconds_since(at_.moments)});
        }
        report.with_bodies = static_cast<double>(counted.with_bodies) / count;
        report.with_cells = static_cast<double>(counted.with_cells) / count;
        return report;
    }

    std::vector<TreeCell> cells(std::size_t most) const override {
        return whole_ ? tree_.cells_for_picture(most, now_.stream) : std::vector<TreeCell>{};
    }
    bool labels(TreeLabel label, float* out, Queue<Device> queue) const override {
        if (whole_) tree_.labels(label, out, queue.stream);
        return whole_;
    }

private:
    MacKind rule() const { return choice_.relative() ? MacKind::kRelative : MacKind::kGeometric; }
    /// The criterion by which cells act as point masses, about as accurate as the expansions.
    TreeMac mass_rule() const {
        const double parameter = choice_.relative() ? alpha_for(scale_ * choice_.accuracy, 1)
                                                    : std::pow(choice_.theta(), choice_.order / 2.0);
        return {rule(), parameter, 1, blur()};
    }
    /// Cells are positioned without the low parts of their bodies; bodies that differ only in these do not coincide.
    double blur() const { return now_.bodies.low ? 4 * std::numeric_limits<Real>::epsilon() : 0; }
    TreeShape shape() const { return {static_cast<std::uint32_t>(choice_.leaf), kFmmGroup, kFmmCluster}; }

    void remember(const BodyView<Device, Real>& bodies, const Gravity& gravity) {
        if (gravity.constant > 0)
            history_.acceleration = bodies.acceleration;  // otherwise there is nothing to compare with
        history_.count = bodies.count;
        history_.G = gravity.constant;
    }

    void clear(std::size_t from, std::size_t bytes) {
        check(cudaMemsetAsync(reinterpret_cast<std::byte*>(memory_.state.data()) + from, 0, bytes, now_.stream),
              "clearing");
    }

    /// Called by the tree's build.
    void compute_moments(const TreeMac& rule, bool fresh, cudaStream_t stream) {
        const std::uint64_t room = tree_.cells_room(),
                            moments = room * static_cast<std::uint64_t>(stored_moments(choice_.order));
        if (memory_.reach.size() < room) memory_.reach = {}, memory_.reach = DeviceBuffer<CellReach<Real>>{room};
        if (memory_.moments.size() < moments) memory_.moments = {}, memory_.moments = DeviceBuffer<Real>{moments};
        compute_all_moments(choice_.order, tree_, rule, fresh, memory_.reach.data(), memory_.moments.data(), stream);
    }

    /// Builds cells, their expansions and groups; waits for their numbers.
    void build() {
        if (memory_.state.size() == 0) {
            memory_.state = DeviceBuffer<FmmState>{1}, memory_.partial = DeviceBuffer<Vec4<double>>{kMostShares};
            pinned_ = PinnedBuffer<Counted>{1};
        }
        tree_.build(shape(), mass_rule(), now_.stream, at_.built);
        do {
            check(cudaMemcpyAsync(&pinned_.data()->clusters, tree_.clusters().counts, sizeof(Counted::clusters),
                                  cudaMemcpyDeviceToHost, now_.stream),
                  "download");
            at_.counted.record(now_.stream);
        } while (tree_.settle(now_.stream, at_.built));
        at_.counted.wait();
        const TreeState<Real>& found = tree_.state();
        groups_ = found.groups();
        clusters_ = pinned_.data()->clusters >> 32;
        if (memory_.left_count.size() < clusters_ * kTeam) {
            memory_.left = {}, memory_.left_count = {}, memory_.locals = {};
            const std::uint64_t room = clusters_ + clusters_ / 16;
            memory_.left = DeviceBuffer<std::uint32_t>{room * kMostLeft},
            memory_.left_count = DeviceBuffer<std::uint32_t>{room * kTeam};
            memory_.locals = DeviceBuffer<Real>{room * kMostLocals};
        }
        if (memory_.near.size() < groups_) {
            memory_.near = {}, memory_.near = DeviceBuffer<NearList>{groups_ + groups_ / 8};
        }
        if (memory_.chunks.size() == 0)
            reserve_chunks((few() ? kTeam + 1 : 2) * std::min(groups_, kGroupsAtOnce) + 1024);
    }
    /// True if there are too few groups for all warps.
    bool few() const { return groups_ < kFewGroups; }
    void reserve_chunks(std::uint64_t count) { memory_.chunks = {}, memory_.chunks = DeviceBuffer<NearChunk>{count}; }

    std::uint64_t items() const { return groups_ + (shared_.shares() ? 1 : 0); }
    /// Arguments of the evaluation under way, for this rank's share of the clusters.
    FmmArgs<Real> own_args() {
        FmmArgs<Real> own = args(rule(), now_.gravity.constant);
        if (!shared_.shares()) return own;
        own.ranks = pieces_of(shared_.ranks().rank(), shared_.ranks().count(), now_.bodies.count);
        own.acceleration = shared_.data();
        return own;
    }
    FmmArgs<Real> args(MacKind rule, double G) {
        const ClusterStore clusters = tree_.clusters();
        const double theta = choice_.relative() ? kEstimateTheta : choice_.theta();
        return {.tree = tree_.view(),
                .clusters = clusters.all,
                .groups = clusters.groups,
                .reach = memory_.reach.data(),
                .moments = memory_.moments.data(),
                .left = memory_.left.data(),
                .left_count = memory_.left_count.data(),
                .cluster_locals = memory_.locals.data(),
                .far = tree_.memory_of_sort() ? tree_.memory_of_sort() : memory_.far.data(),
                .near = memory_.near.data(),
                .chunks = memory_.chunks.data(),
                .chunks_room = static_cast<std::uint32_t>(memory_.chunks.size()),
                .state = memory_.state.data(),
                .rule = rule,
                .alpha = static_cast<Real>(choice_.alpha()),
                .theta = static_cast<Real>(rule == MacKind::kRelative ? kMostTheta : theta),
                .cluster_theta = static_cast<Real>(rule == MacKind::kRelative ? kMostClusterTheta : theta),
                .masses = rule == this->rule(),
                .blur = static_cast<Real>(blur()),
                .acceleration = now_.bodies.acceleration,
                .G = G};
    }

    const FarVariant<Real>& far_variant(Potential potential) const {
        return *std::ranges::find_if(far_variants<Real>(), [&](const FarVariant<Real>& v) {
            return v.order == choice_.order && v.potential == (potential == Potential::kCompute) && v.together == few();
        });
    }
    const NearVariant<Real>& near_variant(Potential potential) const {
        const bool softened = tree_.state().units.softening2 > kTouching<Real>;
        return *std::ranges::find_if(near_variants<Real>(), [&](const NearVariant<Real>& v) {
            return v.bodies == int{kFmmGroup / 32} && v.softened == softened &&
                   v.split == (now_.bodies.low != nullptr) && v.potential == (potential == Potential::kCompute) &&
                   v.warps == (few() ? static_cast<int>(kTeam) : 1);
        });
    }

    void walk_clusters(FmmArgs<Real> in, Potential potential) {
        in.first = 0, in.last = clusters_;
        launch("walk_clusters", targets(clusters_), now_.stream, far_variant(potential).clusters, in);
    }
    cuda::Shape targets(std::uint64_t count) const {
        const std::uint64_t of_block = few() ? 1 : kTeam;
        return {dim3(static_cast<unsigned>((count + of_block - 1) / of_block)), dim3(32 * kTeam)};
    }

    /// Evaluates groups [first, last), at most kGroupsAtOnce at a time, because near lists need much memory.
    void walk_groups(const FmmArgs<Real>& in, std::uint64_t first, std::uint64_t last, Potential potential) {
        for (; first < last; first += kGroupsAtOnce)
            walk_some_groups(in, first, std::min(last, first + kGroupsAtOnce), potential);
    }
    /// If the near lists need more room, allocates it and repeats.
    void walk_some_groups(FmmArgs<Real> in, std::uint64_t first, std::uint64_t last, Potential potential) {
        in.first = first, in.last = last;
        const NearVariant<Real>& near = near_variant(potential);
        for (;;) {
            clear(offsetof(FmmState, chunks), sizeof(FmmState::chunks));
            in.chunks = memory_.chunks.data(), in.chunks_room = static_cast<std::uint32_t>(memory_.chunks.size());
            launch("walk_groups", targets(last - first), now_.stream, far_variant(potential).groups, in);
            at_.far.record(now_.stream);
            check(cudaMemcpyAsync(&pinned_.data()->chunks, &memory_.state.data()->chunks, sizeof(std::uint32_t),
                                  cudaMemcpyDeviceToHost, now_.stream),
                  "download");
            at_.counted.record(now_.stream);
            launch("evaluate_near_field",
                   {dim3(static_cast<unsigned>(last - first)), dim3(32 * static_cast<unsigned>(near.warps))},
                   now_.stream, near.kernel, in);
            at_.counted.wait();
            const std::uint64_t needed = pinned_.data()->chunks;
            if (needed <= memory_.chunks.size()) return;
            reserve_chunks(needed + needed / 4);
        }
    }

    struct Counted {
        unsigned long long clusters;  ///< as ClusterStore::counts
        std::uint32_t chunks;
    };
    /// Terms and centre of a cluster.
    static constexpr std::uint64_t kMostLocals = static_cast<std::uint64_t>(terms_up_to(kMostDeviceOrder)) + 3;

    /// The evaluation begun last.
    struct Evaluation {
        BodyView<Device, Real> bodies{};
        Gravity gravity;
        Potential potential{};
        cudaStream_t stream = nullptr;
    };
    /// Accelerations of the last whole evaluation, with which the relative criterion compares; still at the address to
    /// which it wrote them.
    struct History {
        const Vec4<Real>* acceleration = nullptr;
        std::uint64_t count = 0;
        double G = 1;
    };
    struct Memory {
        DeviceBuffer<CellReach<Real>> reach;
        DeviceBuffer<Real> moments, locals;
        DeviceBuffer<std::uint32_t> left, left_count;
        DeviceBuffer<Vec4<Real>> far;
        DeviceBuffer<Vec4<double>> partial;
        DeviceBuffer<NearList> near;
        DeviceBuffer<NearChunk> chunks;
        DeviceBuffer<FmmState> state;
    };
    struct Events {
        Event begun, sorted, built, moments, far, walked, counted;
    };

    DueByTree<Device, Real> due_;
    const TreeConfig config_;
    TreeChoice choice_;
    double scale_ = 1;
    Evaluation now_;
    TreeBuilder<Real> tree_;
    Memory memory_;
    PinnedBuffer<Counted> pinned_;
    std::uint64_t groups_ = 0, clusters_ = 0;
    History history_;
    SharedAccelerations<Real> shared_;  // with several ranks
    bool whole_ = false, in_one_ = false;
    Events at_;
};

AnyEngine make(const EngineConfig& config) {
    require_fmm_accuracy(config);
    return make_in_precision<CudaFmm>(config, config);
}

}  // namespace

EngineEntry cuda_fmm_engine() {
    return {.id = "fmm",
            .label = "Fast multipole method",
            .doc =
                "Far cells act on clusters and groups of neighbours through local expansions of an order that follows "
                "from the accuracy, near ones body by body. The net force that remains is subtracted, so momentum is "
                "conserved.",
            .backend = Backend::kCuda,
            .tolerance_single = 2.5e-3,
            .tolerance_double = 2.5e-3,
            .max_bodies = 1 << 27,
            .capabilities = {Capability::kTree, Capability::kAccuracy, Capability::kDue, Capability::kMixed},
            .own_units = true,
            .make = make,
            .own_tolerance = fmm_tolerance};
}

}  // namespace orrery
