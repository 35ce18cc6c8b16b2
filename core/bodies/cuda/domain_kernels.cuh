// SPDX-License-Identifier: MIT
#pragma once
// Kernels that compute the cells of a rank's own bodies and select what acts on other ranks; see
// core/bodies/owned/domain_cell.hpp.
#include <cstdint>

#include "core/bodies/cuda/body_kernels.cuh"
#include "core/bodies/owned/domain_cell.hpp"
#include "core/bodies/owned/part_rows.hpp"
#include "core/cuda/launch.cuh"
#include "core/spatial/keys.hpp"

namespace orrery::cuda {

/// Contribution of a cell to the sources of another rank.
enum class CellUse : std::uint8_t {
    kNone,    ///< nothing: a cell above it is accepted, or it has no mass
    kPoints,  ///< its points
    kBodies,  ///< its bodies: it must be opened and is of level 0, or has no more bodies than points
    kOpened   ///< its children decide
};

/// Cells per block of fill_cells_of_bodies(): their bodies fit into shared memory.
template <class Real>
inline constexpr unsigned kCellsOfBlock = sizeof(Real) == 4 ? 64 : 32;

/// One thread per cell, after its block has loaded the bodies in order.
template <class Real>
__global__ void __launch_bounds__(kCellsOfBlock<Real>)
    fill_cells_of_bodies(const CellLevels levels, const Vec4<Real>* bodies, const Vec4<Real>* accelerations,
                         double heavy_from, DomainCell<Real>* cells) {
    constexpr unsigned kCells = kCellsOfBlock<Real>;
    constexpr unsigned kPitch = kCellBodies + 1;  // odd: without bank conflicts
    __shared__ Vec4<Real> x[kCells * kPitch], a[kCells * kPitch];
    const std::uint64_t first = std::uint64_t{blockIdx.x} * kCells * kCellBodies;
    for (unsigned i = threadIdx.x; i < kCells * kCellBodies && first + i < levels.bodies; i += kCells) {
        const unsigned at = i / kCellBodies * kPitch + i % kCellBodies;
        x[at] = bodies[first + i], a[at] = accelerations[first + i];
    }
    __syncthreads();
    const std::uint64_t cell = thread_index();
    if (cell >= levels.cells(0)) return;
    cells[cell] =
        cell_of_bodies(x + threadIdx.x * kPitch, a + threadIdx.x * kPitch, levels.bodies_of(0, cell), heavy_from);
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

/// The boxes of a rank, boxes around 32 of them, and boxes around 32 of these.
struct BoxLevels {
    static constexpr int kCount = 3;
    const DomainBox* boxes[kCount];
    std::uint64_t counts[kCount];
};

/// True if the cell must be opened for any of the boxes. Every lane of a warp takes part and gets the result.
template <class Real>
__device__ bool opened_by_any(const DomainCell<Real>& cell, const BoxLevels& of, const PointRule& rule) {
    const unsigned lane = threadIdx.x % 32;
    const auto near = [&](int level, std::uint64_t at) {
        return at < of.counts[level] && !accept_points(cell, of.boxes[level][at], rule);
    };
    const auto next = [](unsigned& left) {
        const int first = __ffs(static_cast<int>(left)) - 1;
        left &= left - 1;
        return static_cast<std::uint64_t>(first);
    };
    for (std::uint64_t first = 0; first < of.counts[2]; first += 32)
        for (unsigned coarse = __ballot_sync(~0u, near(2, first + lane)); coarse != 0;) {
            const std::uint64_t parents = 32 * (first + next(coarse));
            for (unsigned middle = __ballot_sync(~0u, near(1, parents + lane)); middle != 0;)
                if (__any_sync(~0u, near(0, 32 * (parents + next(middle)) + lane))) return true;
        }
    return false;
}

/// One warp per kCellChildren cells of a level, after the level above: decides by all boxes, and counts the sources.
template <class Real>
__global__ void mark_cells(const CellLevels levels, int level, const DomainCell<Real>* cells, const Vec4<Real>* bodies,
                           const BoxLevels boxes, const PointRule rule, CellUse* uses, std::uint32_t* numbers) {
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
        const bool open = opened_by_any(cell, boxes, rule);
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

/// One block: the sum of kForceBlocks shares, in a fixed order.
static __global__ void __launch_bounds__(kCentreThreads) add_shares(const Vec4d* shares, Vec4d* sum) {
    __shared__ Vec4d shared[kCentreThreads];
    const auto add = [](Vec4d& to, const Vec4d& more) {
        to = {to.x + more.x, to.y + more.y, to.z + more.z, to.w + more.w};
    };
    Vec4d own{};
    for (unsigned i = threadIdx.x; i < kForceBlocks; i += kCentreThreads) add(own, shares[i]);
    shared[threadIdx.x] = own;
    for (unsigned half = kCentreThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) add(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) *sum = shared[0];
}

/// Subtracts the mean acceleration, given the forces on the bodies of each rank and the mass of all.
template <class Real>
__global__ void subtract_mean(Vec4<Real>* accelerations, std::uint64_t count, const Vec4d* forces, int ranks,
                              double mass) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    double x = 0, y = 0, z = 0;
    for (int r = 0; r < ranks; ++r) x += forces[r].x, y += forces[r].y, z += forces[r].z;
    const double each = -1 / mass;
    Vec4<Real> a = accelerations[i];
    a.x += Real(each * x), a.y += Real(each * y), a.z += Real(each * z);
    accelerations[i] = a;
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

/// Corners of the box of some bodies; coordinates that are not finite are ignored.
struct BodyBox {
    double low[3], high[3];
};

/// One box for each of kCentreBlocks blocks.
template <class Real>
__global__ void __launch_bounds__(kCentreThreads)
    enclose_own_bodies(const Vec4<Real>* bodies, std::uint64_t count, BodyBox* out) {
    constexpr double kFar = INFINITY;
    __shared__ BodyBox shared[kCentreThreads];
    BodyBox own{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    const auto widen = [&own](int axis, double x) {
        if (!(fabs(x) < kFar)) return;
        own.low[axis] = fmin(own.low[axis], x), own.high[axis] = fmax(own.high[axis], x);
    };
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{kCentreThreads} * kCentreBlocks)
        widen(0, bodies[i].x), widen(1, bodies[i].y), widen(2, bodies[i].z);
    shared[threadIdx.x] = own;
    for (unsigned half = kCentreThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        const BodyBox& other = shared[threadIdx.x + half];
        BodyBox& mine = shared[threadIdx.x];
        for (int axis = 0; axis < 3; ++axis) {
            mine.low[axis] = fmin(mine.low[axis], other.low[axis]);
            mine.high[axis] = fmax(mine.high[axis], other.high[axis]);
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

/// Keys along the curve, and the places 0, 1, 2 ... to sort with them.
template <class Real>
__global__ void fill_curve_keys(const Vec4<Real>* bodies, std::uint64_t count, const KeyGrid<double> grid,
                                std::uint64_t* keys, std::uint32_t* places) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    keys[i] = key_of(grid, Vec3d{double(bodies[i].x), double(bodies[i].y), double(bodies[i].z)});
    places[i] = static_cast<std::uint32_t>(i);
}

/// Replaces each key by the number of the rank that owns the body: of those before `own`, then those after it, and last
/// `own` itself. `cuts`: see cuts_of(). counts[number] is increased.
static __global__ void replace_by_owner(std::uint64_t* keys, const std::uint64_t* tags, std::uint64_t count,
                                        const CurvePlace* cuts, std::uint32_t ranks, std::uint32_t own,
                                        unsigned long long* counts) {
    const std::uint64_t i = thread_index();
    std::uint32_t first = 0;
    if (i < count) {
        const std::uint64_t key = keys[i], id = tags[i];
        std::uint32_t last = ranks - 1;  // the number of cuts
        while (first < last) {           // the first cut after the body
            const std::uint32_t middle = first + (last - first) / 2;
            const bool after = key < cuts[middle].key || (key == cuts[middle].key && id < cuts[middle].id);
            if (after)
                last = middle;
            else
                first = middle + 1;
        }
        first = first == own ? ranks - 1 : first > own ? first - 1 : first;
        keys[i] = first;
    }
    // One addition per number and warp: nearly all bodies of a warp have the same owner.
    const unsigned active = __ballot_sync(~0u, i < count);
    if (i < count) {
        const unsigned same = __match_any_sync(active, first);
        if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1))
            atomicAdd(&counts[first], static_cast<unsigned long long>(__popc(same)));
    }
}

/// The largest mass, as bits of a float or double: masses are not negative, so their bits have their order.
template <class Real>
__global__ void find_heaviest(const Vec4<Real>* bodies, std::uint64_t count, unsigned long long* most) {
    double own = 0;
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * blockDim.x)
        own = fmax(own, double(bodies[i].w));
    for (int lanes = 16; lanes > 0; lanes /= 2) own = fmax(own, __shfl_xor_sync(~0u, own, lanes));
    if (threadIdx.x % 32 == 0) atomicMax(most, static_cast<unsigned long long>(__double_as_longlong(own)));
}

}  // namespace orrery::cuda
