// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/event.hpp"
#include "core/engines/config.hpp"
#include "core/engines/cuda/tree/data.cuh"
#include "core/engines/domains.hpp"
#include "core/engines/report.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery::cuda {

struct TreeShape {
    std::uint32_t leaf;     ///< maximum number of bodies in a leaf, above the key's resolution
    std::uint32_t group;    ///< maximum number of bodies in a group
    std::uint32_t cluster;  ///< maximum number of bodies in the compact clusters from which groups are cut
};

/// The number of levels, at least `levels`, that sorting covers at the same cost.
int whole_passes(int levels);

/// The configuration for this many bodies. Throws Error{kUsage} as tree_choice() does.
TreeChoice tree_choice_for(const TreeConfig& config, std::uint64_t count, double scale = 1);

/// Throws Error{kEnvironment} for more cells than the tree's indices can hold.
void require_cells(std::uint64_t cells);

/// Accelerations of the previous evaluation, in the order of the scene's bodies; null: there are none.
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

/// Clusters of neighbouring bodies from which groups were cut: for each, how many there are, and for each group, by its
/// place in TreeView::groups, of which it is.
struct TreeClusters {
    const BodyRange* bodies;
    const std::uint32_t *of_group, *count;
};

/// What the kernels that join the trees of several ranks read and write of one.
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
    BodyRange* clusters;  ///< null: nobody wants them
    std::uint32_t *cluster_of, *cluster_count;
    std::uint32_t count;   ///< bodies of this rank
    std::uint32_t border;  ///< before it cells of the domain and those that others send, then the root and the families
                           ///< of all border cells
    TreeState<Real>* state;
};

/// Sorts bodies along the Hilbert curve and makes the octree of their keys, all levels at once and without locks: which
/// cells begin and end at a body follows from the keys of its neighbours. All memory is kept for the next evaluation.
template <class Real>
class TreeBuilder {
public:
    /// Enqueues sorting `bodies` into the tree's order and units, with norms where there is a `previous`; `low` as
    /// BodyView::low.
    void sort(const Vec4<Real>* bodies, std::uint64_t count, double softening, const TreeShape& shape,
              cudaStream_t stream, const Vec4<Real>* low = nullptr, const Previous<Real>& previous = {nullptr, 1});
    /// Enqueues the creation of cells, moments and groups. If there was too little room, or keys were sorted by too few
    /// levels, there is no tree: a walk then does nothing, and settle() builds it.
    void build(const TreeShape& shape, const TreeRule& rule, cudaStream_t stream, const Event& built);
    /// Waits for build(), and repeats it until there is a tree. Returns whether that was necessary.
    bool settle(cudaStream_t stream, const Event& built);

    // The same of a domain, by a rank among others: all of them call these, with the same bodies.
    /// Enqueues the units of all bodies; what comes next is of them.
    void enclose_all(const Vec4<Real>* bodies, std::uint64_t count, double softening, cudaStream_t stream,
                     const Vec4<Real>* low, const Previous<Real>& previous);
    /// The keys of bodies chosen evenly, in order; waits.
    std::vector<std::uint64_t> sampled_keys(std::uint64_t most, cudaStream_t stream);
    /// Sorts the bodies of a domain; waits. `border_cells`: how many there will be.
    void sort_domain(const Domains& domains, int own, std::size_t border_cells, const TreeShape& shape,
                     cudaStream_t stream);
    /// Enqueues the creation of its cells and their moments.
    void build_domain(const TreeShape& shape, const TreeRule& rule, cudaStream_t stream, const Event& built);
    /// Enqueues the search for groups of its bodies; border cells, whose children are now known, are `border`.
    void find_domain_groups(const BorderCell* border, const std::uint32_t* places, std::uint32_t border_cells,
                            cudaStream_t stream);
    void settle_domain(const TreeState<Real>& found);  ///< takes note of what the device found
    void sort_deeper() { least_levels_ = sorted_levels_ + 1; }
    /// For cells of the domain and of others.
    void reserve_more_cells(std::uint64_t count) { reserve_cells(count + border_room_); }
    TreeStore<Real> store();
    MomentOutput<Real> moment_output(const TreeRule& rule, bool fresh);
    /// At most: keys are sorted by one more level.
    int deepest_border(const TreeShape& shape) const { return whole_passes(levels_for(shape)) - 1; }
    std::uint32_t count() const { return count_; }

    /// Enqueues the move of the tree to where its bodies are now: their order and the cells stay, boxes and moments
    /// follow. Of a tree that has settled, with the same units and groups.
    void follow(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous, const TreeRule& rule,
                cudaStream_t stream);
    /// Recomputes moments and thresholds for another criterion.
    void compute_moments_again(const TreeRule& rule, cudaStream_t stream) { compute_moments(rule, false, stream); }
    /// Gathers |acceleration| of every body in tree order, and the mean.
    void gather_acceleration_norms(const Previous<Real>& previous, cudaStream_t stream);
    /// A walk counts interactions from 0 after build(), and after this.
    void forget_interactions(cudaStream_t stream);

    /// Minimum number of levels to sort by, found necessary because bodies were very close. Later evaluations sort by
    /// as many, so the order of close bodies, and with it the last bits of the result, depend on it.
    int least_levels() const { return least_levels_; }
    void set_least_levels(int levels) { least_levels_ = levels; }

    /// From the next build on there are clusters().
    void keep_clusters() { keeps_clusters_ = true; }
    TreeClusters clusters() const { return {clusters_.data(), cluster_of_.data(), cluster_count_.data()}; }
    const BodyRange* ranges() const { return ranges_.data(); }
    std::uint64_t cells_room() const { return nodes_.size(); }
    SpanDivision span_division() const;

    TreeView<Real> view();
    const std::uint32_t* order() const { return order_.data(); }  ///< which of the scene's bodies each sorted one is
    const TreeState<Real>& state() const { return host_; }        ///< as the last settle() found it
    int levels() const { return levels_; }
    std::uint64_t cells() const { return cells_; }
    /// Whole levels from the root down, at most `most` cells; waits.
    std::vector<TreeCell> cells_for_picture(std::size_t most, cudaStream_t stream) const;
    /// Enqueues writing the mark of each body, in the scene's order.
    void labels(TreeLabel label, float* out, cudaStream_t stream) const;
    TreeState<Real> read(cudaStream_t stream) const;  ///< as it is now; waits
    std::uint64_t leaves(cudaStream_t stream) const;  ///< counts them; waits

private:
    void reserve_bodies(std::uint64_t count, cudaStream_t stream);
    void reserve_cells(std::uint64_t count);
    void take(const Vec4<Real>* bodies, std::uint64_t count, double softening, cudaStream_t stream,
              const Vec4<Real>* low, const Previous<Real>& previous);
    void enclose(cudaStream_t stream);
    int levels_for(const TreeShape& shape) const;
    void sort_pairs(cudaStream_t stream);
    void sort_keys(int levels, cudaStream_t stream);
    void gather_into_order(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous,
                           cudaStream_t stream);
    Gathering<Real> gathering(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous);
    void make_cells(cudaStream_t stream);
    void compute_moments(const TreeRule& rule, bool fresh, cudaStream_t stream);
    void find_groups(cudaStream_t stream);
    void* scratch(std::size_t bytes);

    const Vec4<Real>*unsorted_ = nullptr, *unsorted_low_ = nullptr;
    Previous<Real> previous_{nullptr, 1};
    double softening_ = 0;
    TreeShape shape_{};
    TreeRule rule_{};
    std::uint32_t count_ = 0;  // bodies in the tree
    std::uint32_t all_ = 0;    // those that they were taken from
    DomainBorders borders_;
    std::uint64_t border_room_ = 0;
    int sorted_levels_ = kKeyLevels;
    int least_levels_ = 0;
    int levels_ = 0;
    std::uint64_t cells_ = 0, groups_room_ = 0;
    bool keeps_clusters_ = false;
    TreeState<Real> host_{};
    DeviceBuffer<TreeState<Real>> state_;
    mutable PinnedBuffer<TreeState<Real>> pinned_;
    Event copied_;  // the state of build() to `pinned_`
    DeviceBuffer<Vec4<Real>> shares_, bodies_, low_;
    DeviceBuffer<std::uint64_t> keys_, sorted_keys_;
    DeviceBuffer<std::uint32_t> order_, identity_, offsets_, together_;
    DeviceBuffer<Real> acceleration_norm_;
    DeviceBuffer<BodyLevels> body_levels_;
    DeviceBuffer<BodyRange> ranges_, groups_, clusters_;
    DeviceBuffer<std::uint32_t> cluster_of_, cluster_count_;
    DeviceBuffer<TreeNode<Real>> nodes_;
    DeviceBuffer<Vec3<Real>> lows_, highs_;  // corners of the tight boxes of cells
    DeviceBuffer<Quadrupole<Real>> quadrupoles_;
    DeviceBuffer<std::byte> scratch_;
    DeviceBuffer<std::uint32_t> selected_;  // how many bodies are of the domain
};

}  // namespace orrery::cuda
