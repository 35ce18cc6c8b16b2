// SPDX-License-Identifier: MIT
#pragma once
// One tree of all bodies, of which each rank builds its domain and walks its own groups.
#include <optional>
#include <vector>

#include "core/engines/cuda/tree/essential.cuh"
#include "core/physics/potential.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery::cuda {

/// Where the things end of which each rank has some, one after the other, in bytes.
template <class Count>
std::vector<std::size_t> ends_of(int ranks, std::size_t bytes, const Count& count) {
    std::vector<std::size_t> ends;
    std::size_t end = 0;
    for (int r = 0; r < ranks; ++r) ends.push_back(end += count(r) * bytes);
    return ends;
}
template <class T>
std::byte* bytes_of(DeviceBuffer<T>& buffer) {
    return reinterpret_cast<std::byte*>(buffer.data());
}

/// All ranks make the same calls. The tree that a rank walks has the cells of its domain, the cells of others that its
/// groups look at, and above them the border cells: what it meets are the cells of one rank's tree, in the same order.
template <class Real>
class DividedTree {
public:
    struct Request {
        const Vec4<Real>*bodies, *low;
        std::uint64_t count;
        double softening;
        TreeShape shape;
        TreeRule rule;
        Previous<Real> previous;
        const Event &sorted, &built;  ///< to be recorded
        cudaStream_t stream;
    };

    explicit DividedTree(Ranks& ranks) : ranks_{ranks} {}

    /// Sorts, builds and exchanges until the tree can be walked under `request.rule`. False: the bodies cannot be
    /// divided, and nothing is built. `seconds`: what this rank took for the evaluation before, without waiting for
    /// others; domains are cut anew if that was uneven.
    bool build(TreeBuilder<Real>& tree, const Request& request, double seconds);
    /// The same under another criterion, of moments and accelerations of before that are there already.
    void rebuild_above(TreeBuilder<Real>& tree, const TreeRule& rule, cudaStream_t stream);

    /// Where accelerations of this rank's bodies are to be written, as WalkArgs::in_order says.
    Vec4<Real>* accelerations(std::uint64_t count);
    /// From there, those of all ranks' bodies to the scene's order, where this rank's are already.
    void gather(const TreeBuilder<Real>& tree, Potential potential, Vec4<Real>* acceleration, cudaStream_t stream);

private:
    bool plan(TreeBuilder<Real>& tree, const Request& request);
    void join(TreeBuilder<Real>& tree, const TreeRule& rule, float seconds, cudaStream_t stream);
    bool agree(TreeBuilder<Real>& tree, cudaStream_t stream);
    void look_at_balance();
    void fetch(TreeBuilder<Real>& tree, const TreeRule& rule, cudaStream_t stream);
    std::vector<MessageSize> prepare(TreeBuilder<Real>& tree, const TreeRule& rule, cudaStream_t stream);
    void exchange(TreeBuilder<Real>& tree, const std::vector<MessageSize>& sizes, cudaStream_t stream);
    Exporting<Real> message_to(TreeBuilder<Real>& tree, int to);
    BorderView border();
    int own() const { return ranks_.rank(); }
    int others() const { return ranks_.count(); }
    std::uint64_t starts_at(int rank) const;
    std::size_t roots_of(int rank) const { return roots_end_[static_cast<std::size_t>(rank)] - first_root(rank); }
    std::size_t first_root(int rank) const { return rank == 0 ? 0 : roots_end_[static_cast<std::size_t>(rank) - 1]; }

    Ranks& ranks_;
    Domains domains_;  // none: they are to be chosen
    std::uint64_t planned_count_ = 0;
    std::uint64_t age_ = 0;  // evaluations since they were chosen
    bool uneven_ = false;    // they are to be chosen again, by …
    std::optional<DomainCosts> costs_;
    std::uint32_t cluster_ = 0;
    std::vector<TreeState<Real>> states_;  // of all ranks
    std::vector<std::size_t> roots_end_;   // slots of each rank's children of border cells
    DeviceBuffer<BorderCell> d_cells_;
    DeviceBuffer<std::uint32_t> d_roots_, d_border_;  // by rank; see BorderView
    DeviceBuffer<BorderChild<Real>> d_children_;
    DeviceBuffer<TreeState<Real>> d_states_;
    DeviceBuffer<AskingGroup<Real>> d_groups_;  // of all ranks
    DeviceBuffer<std::uint8_t> d_needed_;
    DeviceBuffer<std::uint64_t> d_places_, d_sums_;
    DeviceBuffer<MessageSize> d_sizes_;  // [from][to]
    DeviceBuffer<SentCell<Real>> d_sent_, d_received_;
    DeviceBuffer<Vec4<Real>> d_sent_bodies_, d_sent_low_;
    DeviceBuffer<Vec4<Real>> d_accelerations_;
    DeviceBuffer<std::uint32_t> d_order_;
};

}  // namespace orrery::cuda
