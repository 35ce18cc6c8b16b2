// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/engines/config.hpp"
#include "core/engines/cuda/settings.hpp"
#include "core/engines/cuda/tree/data.cuh"
#include "core/engines/domains.hpp"
#include "core/engines/report.hpp"

namespace orrery::cuda {

struct TreeShape {
    std::uint32_t leaf;     ///< maximum number of bodies in a leaf, except at the key's finest level
    std::uint32_t group;    ///< maximum number of bodies in a group
    std::uint32_t cluster;  ///< maximum number of bodies in the compact clusters from which groups are cut
};

/// The number of levels, at least `levels`, that sorting covers at the same cost.
int whole_passes(int levels);

/// Accelerations of the previous evaluation, in the order of the scene's bodies; null if there are none.
template <class Real>
struct Previous {
    const Vec4<Real>* acceleration;
    double G;
};

template <class Real>
struct Gathering;
template <class Real>
struct MomentOutput;
struct SpanDivision;

/// Clusters of neighbouring bodies from which groups were cut, and those groups cluster by cluster, in both cases the
/// deepest first.
struct ClusterStore {
    TreeCluster* all;  ///< null: not needed
    TreeGroup* groups;
    unsigned long long* counts;  ///< number of clusters in the upper 32 bits, of groups in the lower
};

/// Device arrays of one rank's tree, for the kernels that join the trees of several ranks.
template <class Real>
struct TreeStore {
    TreeNode<Real>* nodes;
    Quadrupole<Real>* quadrupoles;
    Vec3<Real>*lows, *highs;
    BodyRange* ranges;
    Vec4<Real>*bodies, *low;
    const std::uint64_t* keys;
    const Real* acceleration_norm;
    BodyRange* groups;
    std::uint64_t groups_room;
    ClusterStore clusters;
    std::uint32_t count;   ///< bodies of this rank
    std::uint32_t border;  ///< first node of the border section (root and families of all border cells); before it are
                           ///< the cells of the domain and those received from other ranks
    TreeState<Real>* state;
};

/// Builds the octree of bodies sorted along the Hilbert curve, all levels at once and without locks: which cells begin
/// and end at a body follows from the keys of its neighbours. Memory is reused by the next evaluation.
template <class Real>
class TreeBuilder {
public:
    /// Enqueues sorting `bodies` into the tree's order and units, with acceleration norms if there is a `previous`;
    /// `low` as in BodyView::low.
    void sort(const Vec4<Real>* bodies, std::uint64_t count, double softening, const TreeShape& shape,
              cudaStream_t stream, const Vec4<Real>* low = nullptr, const Previous<Real>& previous = {nullptr, 1});
    /// Enqueues the construction of cells, moments and groups. If there was too little room, or keys were sorted to too
    /// few levels, there is no tree: a walk then does nothing, and settle() repeats the build.
    void build(const TreeShape& shape, const TreeMac& rule, cudaStream_t stream, const Event& built);
    /// Waits for build(), and repeats it until there is a tree. Returns true if it was repeated.
    bool settle(cudaStream_t stream, const Event& built);

    // The same for the domain of one of several ranks: all ranks call these with the same bodies.
    /// Enqueues the computation of units from all bodies; the calls that follow refer to these bodies.
    void enclose_all(const Vec4<Real>* bodies, std::uint64_t count, double softening, cudaStream_t stream,
                     const Vec4<Real>* low, const Previous<Real>& previous);
    /// Sorted keys of evenly sampled bodies; waits.
    std::vector<std::uint64_t> sampled_keys(std::uint64_t most, cudaStream_t stream);
    /// Sorts the bodies of a domain; waits. `border_cells`: number of border cells to make room for.
    void sort_domain(const Domains& domains, int own, std::size_t border_cells, const TreeShape& shape,
                     cudaStream_t stream);
    /// Enqueues the construction of its cells and their moments.
    void build_domain(const TreeShape& shape, const TreeMac& rule, cudaStream_t stream, const Event& built);
    /// Enqueues the search for groups of its bodies; `border`: the border cells, whose children must be complete.
    void find_domain_groups(const BorderCell* border, const std::uint32_t* places, std::uint32_t border_cells,
                            cudaStream_t stream);
    void settle_domain(const TreeState<Real>& found);  ///< adopts the state read back from the device
    void sort_deeper() { least_levels_ = sorting_.levels + 1; }
    /// Makes room for cells of the domain and of others.
    void reserve_more_cells(std::uint64_t count) { reserve_cells(count + border_.room); }
    TreeStore<Real> store();
    MomentOutput<Real> moment_output(const TreeMac& rule, bool fresh);
    /// Upper bound of the level of a domain's first cell: keys are sorted to one level more.
    int deepest_border(const TreeShape& shape) const { return whole_passes(levels_for(shape)) - 1; }
    std::uint32_t count() const { return count_; }

    /// Enqueues moving the tree to the bodies' new positions: the order and the cells are kept, boxes and moments are
    /// recomputed. Requires a settled tree; units and groups are kept.
    void follow(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous, const TreeMac& rule,
                cudaStream_t stream);
    /// Recomputes moments and thresholds for another criterion.
    void compute_moments_again(const TreeMac& rule, cudaStream_t stream) { compute_moments(rule, false, stream); }
    /// Gathers |acceleration| of every body in tree order, and the mean.
    void gather_acceleration_norms(const Previous<Real>& previous, cudaStream_t stream);
    /// Resets the interaction counts of the walk, as build() does.
    void forget_interactions(cudaStream_t stream);

    /// Minimum number of levels to sort by, raised when bodies were too close to be separated. It determines the order
    /// of close bodies in later evaluations, and so the last bits of the result.
    int least_levels() const { return least_levels_; }
    void set_least_levels(int levels) { least_levels_ = levels; }

    /// Enqueues the computation of moments for a criterion; `fresh`: of cells just made.
    using MomentPass = std::function<void(const TreeMac&, bool fresh, cudaStream_t)>;
    /// Makes later builds record clusters() and call `moments`, which also computes the moments of the tree.
    void keep_clusters(MomentPass moments) { grouping_.keeps_clusters = true, moments_ = std::move(moments); }
    ClusterStore clusters() {
        if (!grouping_.keeps_clusters) return {};
        return {grouping_.clusters.data(), grouping_.cluster_groups.data(), grouping_.cluster_counts.data()};
    }
    /// Memory for a Vec4 per body that only sorting uses, free until the next sort(); null if it is too small. Requires
    /// keep_clusters().
    Vec4<Real>* memory_of_sort() {
        return sizeof(Vec4<Real>) <= kSharedBytes ? reinterpret_cast<Vec4<Real>*>(sorting_.keys.data()) : nullptr;
    }
    const BodyRange* ranges() const { return memory_.ranges.data(); }
    std::uint64_t cells_room() const { return memory_.nodes.size(); }
    SpanDivision span_division() const;

    TreeView<Real> view();
    const std::uint32_t* order() const { return order_.data(); }  ///< index of the scene's body at each sorted position
    const TreeState<Real>& state() const { return host_; }        ///< as read by the last settle()
    int levels() const { return levels_; }
    std::uint64_t cells() const { return cells_; }
    /// Cells in whole levels from the root down, at most `most` of them; waits.
    std::vector<TreeCell> cells_for_picture(std::size_t most, cudaStream_t stream) const;
    /// Enqueues writing the label of each body, in the scene's order.
    void labels(TreeLabel label, float* out, cudaStream_t stream) const;
    TreeState<Real> read(cudaStream_t stream) const;  ///< current state; waits
    std::uint64_t leaves(cudaStream_t stream) const;  ///< number of leaves; waits

private:
    /// Bytes per body that the memory of unsorted keys and indices has after keep_clusters(): two keys.
    static constexpr std::size_t kSharedBytes = 2 * sizeof(std::uint64_t);
    /// Indices of bodies before they are sorted: behind the keys if these have room for both.
    std::uint32_t* unsorted() {
        return grouping_.keeps_clusters ? reinterpret_cast<std::uint32_t*>(sorting_.keys.data() + bodies_.size() - 1)
                                        : sorting_.identity.data();
    }
    void reserve_bodies(std::uint64_t count, cudaStream_t stream);
    void reserve_cells(std::uint64_t count);
    void set_bodies(const Vec4<Real>* bodies, std::uint64_t count, double softening, cudaStream_t stream,
                    const Vec4<Real>* low, const Previous<Real>& previous);
    void enclose(cudaStream_t stream);
    int levels_for(const TreeShape& shape) const;
    void sort_pairs(cudaStream_t stream);
    int index_bits() const { return 3 * (kKeyLevels - sorting_.levels); }  ///< not used by the sorted levels
    void sort_keys(int levels, cudaStream_t stream);
    void gather_into_order(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous,
                           cudaStream_t stream);
    Gathering<Real> gathering(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous);
    void make_cells(cudaStream_t stream);
    void compute_moments(const TreeMac& rule, bool fresh, cudaStream_t stream);
    void find_groups(cudaStream_t stream);
    void* scratch(std::size_t bytes);

    struct Input {
        const Vec4<Real>*bodies = nullptr, *low = nullptr;
        Previous<Real> previous{nullptr, 1};
        double softening = 0;
        std::uint32_t count = 0;  // bodies from which those of the tree were selected
    };
    struct Border {
        DomainBorders domains;
        std::uint64_t room = 0;
    };
    struct Sorting {
        int levels = kKeyLevels;
        DeviceBuffer<Vec4<Real>> shares;
        DeviceBuffer<std::uint64_t> keys, sorted_keys;
        DeviceBuffer<std::uint32_t> identity, digit_counts;
        DeviceBuffer<std::uint32_t> selected;  // number of bodies in the domain
        DeviceBuffer<std::byte> scratch;
    };
    struct CellMemory {
        DeviceBuffer<BodyLevels> body_levels;
        DeviceBuffer<std::uint32_t> offsets;
        DeviceBuffer<BodyRange> ranges;
        DeviceBuffer<TreeNode<Real>> nodes;
        DeviceBuffer<Vec3<Real>> lows, highs;  // corners of the cells' tight bounding boxes
        DeviceBuffer<Quadrupole<Real>> quadrupoles;
    };
    struct Grouping {
        bool keeps_clusters = false;
        std::uint64_t room = 0;
        DeviceBuffer<BodyRange> groups;
        DeviceBuffer<TreeGroup> cluster_groups;
        DeviceBuffer<TreeCluster> clusters;
        DeviceBuffer<unsigned long long> cluster_counts;
    };

    Input input_;
    TreeShape shape_{};
    TreeMac rule_{};
    std::uint32_t count_ = 0;  // bodies in the tree
    Border border_;
    int least_levels_ = 0;
    int levels_ = 0;
    std::uint64_t cells_ = 0;
    TreeState<Real> host_{};
    DeviceBuffer<TreeState<Real>> state_;
    mutable PinnedBuffer<TreeState<Real>> pinned_;
    Event copied_;  // build()'s state has been copied to `pinned_`
    DeviceBuffer<Vec4<Real>> bodies_, low_;
    DeviceBuffer<std::uint32_t> order_;
    DeviceBuffer<Real> acceleration_norm_;
    Sorting sorting_;
    CellMemory memory_;
    Grouping grouping_;
    MomentPass moments_;
};

}  // namespace orrery::cuda
