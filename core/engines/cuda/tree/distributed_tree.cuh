// SPDX-License-Identifier: MIT
#pragma once
// The distributed tree: one tree of all bodies, of which each rank builds its domain and walks its own groups, after
// receiving the parts of other domains that these open (the locally essential tree).
#include <optional>
#include <vector>

#include "core/engines/cuda/tree/locally_essential_tree.cuh"
#include "core/physics/gravity.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery::cuda {

/// Ends, in bytes, of each rank's part of a concatenated array.
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

/// Every rank must make the same calls. The tree that a rank walks consists of the cells of its domain, the cells of
/// other domains that its groups open, and the border cells above them. Its interactions are those in the tree of a
/// single rank, in the same order.
template <class Real>
class DistributedTree {
public:
    struct Request {
        const Vec4<Real>*bodies, *low;
        std::uint64_t count;
        double softening;
        TreeShape shape;
        TreeMac rule;
        Previous<Real> previous;
        const Event &sorted, &built;  ///< events to be recorded
        cudaStream_t stream;
    };

    explicit DistributedTree(Ranks& ranks) : ranks_{ranks} {}

    /// Sorts, builds and exchanges until the tree can be walked under `request.rule`. Returns false, and builds
    /// nothing, if the bodies cannot be divided. `seconds`: duration of the previous evaluation on this rank, without
    /// waiting for others; if ranks differ too much, new domains are cut.
    bool build(TreeBuilder<Real>& tree, const Request& request, double seconds);
    /// The same for another criterion, after moments and acceleration norms were recomputed.
    void rebuild_above(TreeBuilder<Real>& tree, const TreeMac& rule, cudaStream_t stream);

    /// Destination of the accelerations of this rank's bodies, for WalkArgs::in_order.
    Vec4<Real>* accelerations(std::uint64_t count);
    /// Gathers from there the accelerations of all other ranks' bodies into the scene's order; this rank's are already
    /// there.
    void gather(const TreeBuilder<Real>& tree, Potential potential, Vec4<Real>* acceleration, cudaStream_t stream);

private:
    bool plan(TreeBuilder<Real>& tree, const Request& request);
    void join(TreeBuilder<Real>& tree, const TreeMac& rule, float seconds, cudaStream_t stream);
    bool gather_states(TreeBuilder<Real>& tree, cudaStream_t stream);
    void check_balance();
    void fetch(TreeBuilder<Real>& tree, const TreeMac& rule, cudaStream_t stream);
    std::vector<MessageSize> prepare(TreeBuilder<Real>& tree, const TreeMac& rule, cudaStream_t stream);
    void exchange(TreeBuilder<Real>& tree, const std::vector<MessageSize>& sizes, cudaStream_t stream);
    Exporting<Real> message_to(TreeBuilder<Real>& tree, int to);
    BorderView border();
    int own() const { return ranks_.rank(); }
    int rank_count() const { return ranks_.count(); }
    std::uint64_t starts_at(int rank) const;
    std::size_t roots_of(int rank) const { return roots_end_[static_cast<std::size_t>(rank)] - first_root(rank); }
    std::size_t first_root(int rank) const { return rank == 0 ? 0 : roots_end_[static_cast<std::size_t>(rank) - 1]; }

    struct Plan {
        Domains domains;  // empty: to be chosen
        std::uint64_t count = 0;
        std::uint64_t age = 0;  // evaluations since they were chosen
        bool uneven = false;    // new domains are needed, according to `costs`
        std::optional<DomainCosts> costs;
    };
    struct DeviceMemory {
        DeviceBuffer<BorderCell> cells;
        DeviceBuffer<std::uint32_t> roots, border;  // roots: by rank; border: see BorderView
        DeviceBuffer<BorderChild<Real>> children;
        DeviceBuffer<TreeState<Real>> states;
        DeviceBuffer<RequestingGroup<Real>> groups;  // of all ranks
        DeviceBuffer<std::uint8_t> needed;
        DeviceBuffer<std::uint64_t> places, sums;
        DeviceBuffer<MessageSize> sizes;  // [from][to]
        DeviceBuffer<SentCell<Real>> sent, received;
        DeviceBuffer<Vec4<Real>> sent_bodies, sent_low;
        DeviceBuffer<Vec4<Real>> accelerations;
        DeviceBuffer<std::uint32_t> order;
    };

    Ranks& ranks_;
    Plan plan_;
    std::uint32_t cluster_ = 0;
    std::vector<TreeState<Real>> states_;  // of all ranks
    std::vector<std::size_t> roots_end_;   // ends of the slots of each rank's children of border cells
    DeviceMemory d_;
};

}  // namespace orrery::cuda
