// SPDX-License-Identifier: MIT
#pragma once
// Kernels that compute the cells of a rank's own bodies and select what acts on other ranks; see
// core/bodies/owned/domain_cell.hpp.
#include <cstdint>

#include "core/bodies/cuda/body_kernels.cuh"
#include "core/bodies/owned/domain_cell.hpp"
#include "core/cuda/launch.cuh"

namespace orrery::cuda {

/// Contribution of a cell to the sources of another rank.
enum class CellUse : std::uint8_t {
    kNone,    ///< nothing: a cell above it is accepted, or it has no mass
    kPoints,  ///< its points
    kBodies,  ///< its bodies: it must be opened and is of level 0, or has no more bodies than points
    kOpened   ///< its children decide
};

template <class Real>
__global__ void fill_cells_of_bodies(const CellLevels levels, const Vec4<Real>* bodies, const Vec4<Real>* accelerations,
                                     double heavy_from, DomainCell<Real>* cells) {
    const std::uint64_t i = thread_index();
    if (i >= levels.cells(0)) return;
    cells[i] =
        cell_of_bodies(bodies + i * kCellBodies, accelerations + i * kCellBodies, levels.bodies_of(0, i), heavy_from);
}

template <class Real>
__global__ void fill_cells_of_cells(const CellLevels levels, int level, DomainCell<Real>* cells) {
    const std::uint64_t i = thread_index();
    if (i >= levels.cells(level)) return;
    const std::uint64_t first = i * kCellChildren, left = levels.cells(level - 1) - first;
    cells[levels.first[level] + i] =
        cell_of_cells(cells + levels.first[level - 1] + first, left < kCellChildren ? left : kCellChildren,
                      [&](std::uint64_t k) { return levels.bodies_of(level - 1, first + k); });
}

template <class Real>
__global__ void describe_boxes(const DomainCell<Real>* cells, std::uint64_t count, double mean_acceleration,
                               DomainBox* boxes) {
    const std::uint64_t i = thread_index();
    if (i < count) boxes[i] = box_of(cells[i], mean_acceleration);
}

/// One thread per parent: the box around 32 consecutive boxes.
static __global__ void enclose_boxes(const DomainBox* boxes, std::uint64_t count, DomainBox* parents) {
    const std::uint64_t i = thread_index(), first = 32 * i;
    if (first >= count) return;
    DomainBox all = boxes[first];
    for (std::uint64_t k = first + 1; k < first + 32 && k < count; ++k) all = around(all, boxes[k]);
    parents[i] = all;
}

/// True if the cell must be opened for any of the boxes. Every lane of a warp takes part and gets the result.
template <class Real>
__device__ bool opened_by_any(const DomainCell<Real>& cell, const DomainBox* boxes, const DomainBox* parents,
                              std::uint64_t count, const PointRule& rule) {
    const unsigned lane = threadIdx.x % 32;
    const std::uint64_t parent_count = (count + 31) / 32;
    for (std::uint64_t first = 0; first < parent_count; first += 32) {
        const bool near = first + lane < parent_count && !accept_points(cell, parents[first + lane], rule);
        for (unsigned left = __ballot_sync(~0u, near); left != 0; left &= left - 1) {
            const std::uint64_t box = 32 * (first + static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1) + lane;
            if (__any_sync(~0u, box < count && !accept_points(cell, boxes[box], rule))) return true;
        }
    }
    return false;
}

/// One warp per kCellChildren cells of a level, after the level above: decides by all boxes, and counts the sources.
template <class Real>
__global__ void mark_cells(const CellLevels levels, int level, const DomainCell<Real>* cells, const Vec4<Real>* bodies,
                           const DomainBox* boxes, const DomainBox* parents, std::uint64_t box_count,
                           const PointRule rule, CellUse* uses, std::uint32_t* numbers) {
    const std::uint64_t parent = thread_index() / 32, first = kCellChildren * parent;
    const unsigned lane = threadIdx.x % 32;
    if (first >= levels.cells(level)) return;
    const std::uint64_t left = levels.cells(level) - first, cell_count = left < kCellChildren ? left : kCellChildren;
    const bool root = level + 1 == levels.count;
    if (!root && uses[levels.first[level + 1] + parent] != CellUse::kOpened) {
        if (lane < cell_count) {
            uses[levels.first[level] + first + lane] = CellUse::kNone;
            numbers[levels.first[level] + first + lane] = 0;
        }
        return;
    }
    for (std::uint64_t place = first; place < first + cell_count; ++place) {
        const std::uint64_t at = levels.first[level] + place;
        const DomainCell<Real> cell = cells[at];
        const bool open = opened_by_any(cell, boxes, parents, box_count, rule);
        const std::uint64_t count = levels.bodies_of(level, place);
        CellUse use = CellUse::kPoints;
        std::uint32_t number = points_of(cell);
        if (level > 0 && (open || count <= kCellPoints)) {
            use = CellUse::kOpened, number = 0;
        } else if (level == 0 && (open || count <= kCellPoints)) {
            const bool massive = lane < count && bodies[place * kCellBodies + lane].w > 0;
            use = CellUse::kBodies, number = __popc(__ballot_sync(~0u, massive));
        }
        if (lane == 0) uses[at] = use, numbers[at] = number;
    }
}

/// One thread per cell; `before`: how many sources precede those of each cell.
template <class Real>
__global__ void write_sources(std::uint64_t count, const CellLevels levels, const DomainCell<Real>* cells,
                              const Vec4<Real>* bodies, const Vec4<Real>* accelerations, const CellUse* uses,
                              const std::uint32_t* before, DomainSource<Real>* out) {
    const std::uint64_t at = thread_index();
    if (at >= count) return;
    DomainSource<Real>* to = out + before[at];
    if (uses[at] == CellUse::kPoints)
        for (int k = 0; k < points_of(cells[at]); ++k) *to++ = point_of(cells[at], k);
    if (uses[at] != CellUse::kBodies) return;
    const std::uint64_t first = at * kCellBodies, bodies_here = levels.bodies_of(0, at);
    for (std::uint64_t i = first; i < first + bodies_here; ++i)
        if (bodies[i].w > 0) *to++ = source_of(bodies[i], accelerations[i]);
}

template <class Real>
__global__ void read_sources(const DomainSource<Real>* sources, std::uint64_t count, Vec4<Real>* bodies,
                             Vec4<Real>* accelerations) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const DomainSource<Real> from = sources[i];
    bodies[i] = {from.x, from.y, from.z, from.mass};
    accelerations[i] = {from.acceleration, 0, 0, 0};
}

template <class Real>
__global__ void add_to_all(Vec4<Real>* accelerations, std::uint64_t count, Vec3<Real> more) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    Vec4<Real> a = accelerations[i];
    a.x += more.x, a.y += more.y, a.z += more.z;
    accelerations[i] = a;
}

inline constexpr unsigned kForceBlocks = 2048;

/// add_forces() by more blocks: it is part of each evaluation.
template <class Real>
__global__ void __launch_bounds__(kCentreThreads)
    add_forces_of_many(const Vec4<Real>* bodies, const Vec4<Real>* accelerations, std::uint64_t count, Vec4d* out) {
    __shared__ Vec4d shared[kCentreThreads];
    Vec4d sum{};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{kCentreThreads} * kForceBlocks) {
        const double m = bodies[i].w;
        const Vec4<Real> a = accelerations[i];
        const double x = m * a.x, y = m * a.y, z = m * a.z;
        sum = {sum.x + x, sum.y + y, sum.z + z, sum.w + sqrt(x * x + y * y + z * z)};
    }
    shared[threadIdx.x] = sum;
    for (unsigned half = kCentreThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        const Vec4d more = shared[threadIdx.x + half];
        Vec4d& own = shared[threadIdx.x];
        own = {own.x + more.x, own.y + more.y, own.z + more.z, own.w + more.w};
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

/// Σ m φ in w, where φ is w of the accelerations; by blocks, as weighted_positions().
template <class Real>
__global__ void add_potentials(const Vec4<Real>* bodies, const Vec4<Real>* accelerations, std::uint64_t count,
                               Vec4d* out) {
    const auto energy = [=](std::uint64_t i) {
        return Vec4d{0, 0, 0, double(bodies[i].w) * double(accelerations[i].w)};
    };
    add_in_blocks(energy, count, out);
}

}  // namespace orrery::cuda
