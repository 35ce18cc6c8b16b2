// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/tree_locks/tree.hpp"
#include "core/engines/report.hpp"

// Constants of `tree-locks` on a GPU (3f368d2b, 21 November 2026; card unknown). To repeat one, compare the medians of
//   orrery bench plummer --engines tree-locks --backend cuda --theta 0.5 --bodies 10000,100000,1000000

namespace orrery::cuda {

/// Threads per block of the build, and maximum number of blocks that find the bounding box.
inline constexpr unsigned kLocksThreads = 256, kLocksBoxBlocks = 1024;

/// Bodies per block of the walk, which is a work item of the engine.
inline constexpr unsigned kLocksBlock = 128;

}  // namespace orrery::cuda

namespace orrery::cuda {

/// Kernels 1 to 4: box, build, centres of mass, order. Memory is reused by the next evaluation.
template <class Real>
class LocksBuilder {
public:
    explicit LocksBuilder(std::uint64_t first_cells) : first_cells_{first_cells} {}

    /// Enqueues the bounding box of all bodies, and the units derived from it; `low` as in BodyView::low.
    void enclose(const Vec4<Real>* bodies, const Vec4<Real>* low, std::uint64_t count, double softening,
                 const LocksOpening& opening, cudaStream_t stream);
    /// Inserts all bodies. Waits to check whether there was enough room; if not, allocates more and repeats.
    void insert(cudaStream_t stream);
    void compute_moments(cudaStream_t stream);  ///< enqueues the centres of mass
    void order(cudaStream_t stream);            ///< enqueues copying the bodies in the tree's order and units

    LocksTree<Real> tree();
    const Vec4<Real>* in_order() const { return in_order_.data(); }
    const Vec4<Real>* low_in_order() const { return low_ ? low_in_order_.data() : nullptr; }
    const std::uint32_t* order() const { return order_.data(); }  ///< indices of the scene's bodies
    std::uint64_t cells() const { return cells_; }
    Real softening2() const { return softening2_; }  ///< in units of the tree; known after insert()

    /// Statistics of the finished tree: cells per level, and cells without child cells. Waits.
    struct Survey {
        std::uint32_t of_level[kBagLevel + 1];
        std::uint32_t leaves;
    };
    Survey survey(cudaStream_t stream);
    /// Enqueues writing the label of each body, in the scene's order. A leaf is the cell that links directly to the
    /// body.
    void labels(TreeLabel label, float* out, cudaStream_t stream);
    std::vector<TreeCell> cells_for_picture(std::size_t most, cudaStream_t stream);

private:
    void reserve_bodies(std::uint64_t count, cudaStream_t stream);
    void reserve_cells(std::uint64_t count);
    void sort_bags(std::uint32_t entries, cudaStream_t stream);

    const std::uint64_t first_cells_;  ///< 0: from the number of bodies
    const Vec4<Real>*bodies_ = nullptr, *low_ = nullptr;
    std::uint32_t count_ = 0, cells_ = 0;
    Real softening2_ = 0;
    DeviceBuffer<LocksCounts> counts_;
    DeviceBuffer<LocksUnits<Real>> units_;
    DeviceBuffer<LocksBounds<Real>> partial_;
    DeviceBuffer<std::int32_t> children_;
    DeviceBuffer<std::uint8_t> level_;
    DeviceBuffer<std::uint32_t> witness_, bodies_in_, order_;
    DeviceBuffer<Vec4<Real>> centre_, in_order_, low_in_order_;
    DeviceBuffer<std::uint64_t> bagged_, unsorted_bagged_;
    DeviceBuffer<std::byte> scratch_;
};

template <class Real>
struct LocksWalk {
    LocksTree<Real> tree;
    const Vec4<Real>*in_order, *low_in_order;  ///< low_in_order is null if positions are not split
    const std::uint32_t* order;
    Vec4<Real>* acceleration;
    double G;
    bool softened, potential;
};

/// Enqueues kernel 5 for blocks [first, last).
template <class Real>
void walk_locks(const LocksWalk<Real>& walk, std::uint32_t first, std::uint32_t last, cudaStream_t stream);

}  // namespace orrery::cuda
