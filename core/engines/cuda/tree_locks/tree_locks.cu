// SPDX-License-Identifier: MIT
// Barnes & Hut on a GPU after Burtscher & Pingali (GPU Computing Gems, Emerald Edition, ch. 6) and the thesis: six
// kernels, and an octree into which all bodies are inserted concurrently, each locking one link at a time. Kept for
// study beside `tree`, which builds from sorted keys.
#include "core/engines/locks_choice.hpp"

#include "core/cuda/stream.hpp"
#include "core/engines/cuda/tree_locks/kernels.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/mixed.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {
namespace {

using namespace cuda;

/// begin() runs the first four kernels and waits once for each attempt of the build; an item is the walk of kLocksBlock
/// neighbours.
template <class Real>
class TreeLocks final : public Engine<Device, Real>, public TreePower<Device> {
public:
    TreeLocks(const LocksOpening& opening, std::uint64_t cells) : opening_{opening}, tree_{cells} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        bodies_ = bodies, gravity_ = gravity, potential_ = potential, stream_ = queue.stream;
        whole_ = false;
        begun_.record(stream_);
        tree_.enclose(bodies.position_mass, bodies.low, bodies.count, gravity.softening, opening_, stream_);
        boxed_.record(stream_);
        tree_.insert(stream_);
        built_.record(stream_);
        tree_.compute_moments(stream_);
        moments_done_.record(stream_);
        tree_.order(stream_);
        ordered_.record(stream_);
        return (bodies.count + kLocksBlock - 1) / kLocksBlock;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device>) override {
        if (first == last) return;
        if (first == 0) walk_began_.record(stream_);
        walk_locks(walk(), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), stream_);
        if (last * kLocksBlock < bodies_.count) return;
        walked_.record(stream_);
        whole_ = true;
    }

    std::string choice() const override { return describe_locks(opening_); }

    EngineReport report() const override {
        if (!whole_) return {};
        const auto survey = tree_.survey(stream_);
        LocksCounts counts;
        check(cudaMemcpyAsync(&counts, tree_.tree().counts, sizeof counts, cudaMemcpyDeviceToHost, stream_),
              "download");
        check(cudaStreamSynchronize(stream_), "waiting for the counts");
        int levels = 0;
        while (levels <= kBagLevel && survey.of_level[levels] > 0) ++levels;
        const auto count = static_cast<double>(bodies_.count);
        return {.phases = {{"box", boxed_.seconds_since(begun_)},
                           {"build", built_.seconds_since(boxed_)},
                           {"centres", moments_done_.seconds_since(built_)},
                           {"sort", ordered_.seconds_since(moments_done_)},
                           {"walk", walked_.seconds_since(walk_began_)}},
                .with_bodies = static_cast<double>(counts.with_bodies) / count,
                .with_cells = static_cast<double>(counts.with_cells) / count,
                .cells = tree_.cells(),
                .leaves = survey.leaves,
                .groups = (bodies_.count + 31) / 32,
                .levels = levels};
    }

    const TreePower<Device>* tree() const override { return this; }
    std::vector<TreeCell> cells(std::size_t most) const override {
        return whole_ ? tree_.cells_for_picture(most, stream_) : std::vector<TreeCell>{};
    }

    bool labels(TreeLabel label, float* out, Queue<Device> queue) const override {
        if (whole_) tree_.labels(label, out, queue.stream);
        return whole_;
    }

private:
    LocksWalk<Real> walk() const {
        return {.tree = tree_.tree(),
                .in_order = tree_.in_order(),
                .low_in_order = tree_.low_in_order(),
                .order = tree_.order(),
                .acceleration = bodies_.acceleration,
                .G = gravity_.constant,
                .softened = tree_.softening2() > kTouching<Real>,
                .potential = potential_ == Potential::kCompute};
    }

    const LocksOpening opening_;
    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    Potential potential_{};
    cudaStream_t stream_ = nullptr;
    mutable LocksBuilder<Real> tree_;  // surveys and drawings launch kernels on it
    bool whole_ = false;
    Event begun_, boxed_, built_, moments_done_, ordered_, walk_began_, walked_;
};

}  // namespace

AnyEngine cuda::make_tree_locks(const EngineConfig& config, std::uint64_t cells) {
    return make_in_precision<TreeLocks>(config, locks_opening(config.tree), cells);
}

EngineEntry cuda_tree_locks_engine() {
    EngineEntry entry = tree_locks_entry(Backend::kCuda);
    entry.make = [](const EngineConfig& config) { return cuda::make_tree_locks(config, 0); };
    return entry;
}

}  // namespace orrery
