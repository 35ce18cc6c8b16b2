// SPDX-License-Identifier: MIT
// Kernel 5 of the thesis' program: depth-first tree walk of a warp, which opens a cell by vote.
#include "core/engines/cuda/tree_locks/kernels.cuh"

#include "core/cuda/launch.cuh"
#include "core/physics/pair.cuh"

namespace orrery::cuda {
namespace {

constexpr unsigned kWarps = kLocksBlock / 32;

struct Opened {
    std::uint32_t cell, first;  ///< first of its bodies, in tree order
};

template <class Real>
struct WarpMemory {
    Opened stack[kStackRoom];
    LocksPart<Real> parts[8];
};

/// A warp with one body per lane traverses the tree together: all lanes open a cell if any of them needs it.
template <class Real, Softened kSoftened, bool kPotential, Split kSplit>
class VotingWalk {
public:
    __device__ VotingWalk(const LocksWalk<Real>& in, WarpMemory<Real>& memory, std::uint32_t begin)
        : in_{in},
          memory_{memory},
          softening2_{in.tree.units->softening2},
          begin_{begin},
          end_{min(begin + 32, in.tree.count)},
          self_{body(min(begin + lane(), in.tree.count - 1))} {}  // idle lanes repeat the last body

    __device__ void run() {
        int waiting = 1;
        if (lane() == 0) memory_.stack[0] = {0, 0};
        while (waiting > 0) {
            __syncwarp();  // pushed entries are visible, and the previous cell's parts have been read
            const int parts = open(memory_.stack[--waiting]);
            __syncwarp();
            for (int p = 0; p < parts; ++p) {
                const LocksPart<Real>& part = memory_.parts[p];
                if (take(part)) continue;
                if (lane() == 0) memory_.stack[waiting] = {static_cast<std::uint32_t>(part.cell), part.first};
                ++waiting;
            }
        }
    }

    /// Writes the accelerations. The thesis' sixth kernel, which moves the bodies, is replaced by the integrator.
    __device__ void write() const {
        if (lane() == 0) {
            atomicAdd(&in_.tree.counts->with_bodies, with_bodies_ * (end_ - begin_));
            atomicAdd(&in_.tree.counts->with_cells, with_cells_ * (end_ - begin_));
        }
        const std::uint32_t i = begin_ + lane();
        if (i >= end_) return;
        const Vec4<Real> sum{sum_.x, sum_.y, sum_.z, sum_.w};
        const Vec4<Real> out = finished(sum, Real(1));
        const LocksUnits<Real>& units = *in_.tree.units;
        const auto a = Real(units.acceleration * in_.G), p = Real(units.potential * in_.G);
        in_.acceleration[in_.order[i]] = {a * out.x, a * out.y, a * out.z, p * out.w};
    }

private:
    using Body = PointMass<Real, kSplit>;
    static constexpr std::uint32_t kNoBody = ~0u;

    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ Body body(std::uint32_t at) const { return point_mass<kSplit>(in_.in_order, in_.low_in_order, at); }
    /// `at`: position of the body in tree order; kNoBody for a cell.
    __device__ void interact(const Body& other, std::uint32_t at) {
        add_acceleration<kSoftened, kPotential>(sum_, self_, other,
                                                mass_beside<kPotential>(other, at == begin_ + lane()), softening2_);
    }

    /// Loads the parts of a cell, one per lane, in the order of octants. Returns their number.
    __device__ int open(Opened opened) {
        const std::int32_t link = lane() < 8 ? in_.tree.child(opened.cell, lane()) : kEmpty;
        std::uint32_t bodies = 0;
        if (link != kEmpty) bodies = in_.tree.is_cell(link) ? in_.tree.bodies_in[in_.tree.cell_at(link)] : 1;
        std::uint32_t through = bodies;  // bodies of this part and of those before
        for (unsigned step = 1; step < 8; step *= 2) {
            const std::uint32_t before = __shfl_up_sync(~0u, through, step);
            if (lane() >= step) through += before;
        }
        const unsigned present = __ballot_sync(~0u, link != kEmpty);
        if (link != kEmpty)
            memory_.parts[__popc(present & ((1u << lane()) - 1))] =
                part_of(in_.tree, in_.in_order, link, opened.first + through - bodies, begin_, end_);
        return __popc(present);
    }

    /// Evaluates a part if it is accepted; returns false if it must be opened. A bag is opened here, by interacting
    /// with its bodies.
    __device__ bool take(const LocksPart<Real>& part) {
        const Vec4<Real> place = part.place;
        const Real dx = place.x - self_.at.x, dy = place.y - self_.at.y, dz = place.z - self_.at.z;
        const Real distance2 = fma(dx, dx, fma(dy, dy, dz * dz));
        // Written so that NaN is also accepted: a body can never be opened.
        if (__all_sync(~0u, !(distance2 <= part.reach2))) {
            if (kSplit == Split::kYes && part.cell < 0)
                interact(body(part.first), part.first);
            else  // the high part alone: the low part of a cell is 0
                interact(Body{place}, part.cell < 0 ? part.first : kNoBody);
            ++(part.cell < 0 ? with_bodies_ : with_cells_);
            return true;
        }
        if (in_.tree.level[part.cell] != kBagLevel) return false;
        for (std::uint32_t k = part.first; k < part.first + part.bodies; ++k) interact(body(k), k);
        with_bodies_ += part.bodies;
        return true;
    }

    const LocksWalk<Real>& in_;
    WarpMemory<Real>& memory_;
    const Real softening2_;
    const std::uint32_t begin_, end_;  ///< the warp's bodies in tree order
    const Body self_;
    Sum<Real> sum_;
    unsigned long long with_bodies_ = 0, with_cells_ = 0;  ///< interactions of each lane
};

/// Kernel 5. Warps are independent of each other.
template <class Real, Softened kSoftened, bool kPotential, Split kSplit>
__global__ void __launch_bounds__(kLocksBlock)
    walk_voting(const __grid_constant__ LocksWalk<Real> in, std::uint32_t first) {
    __shared__ WarpMemory<Real> memory[kWarps];
    const unsigned warp = threadIdx.x / 32;
    const std::uint32_t begin = (first + blockIdx.x) * kLocksBlock + warp * 32;
    if (begin >= in.tree.count) return;  // the whole warp returns
    VotingWalk<Real, kSoftened, kPotential, kSplit> walk{in, memory[warp], begin};
    walk.run();
    walk.write();
}

template <class Real>
using WalkKernel = void (*)(LocksWalk<Real>, std::uint32_t);

template <class Real, Softened kSoftened, Split kSplit>
WalkKernel<Real> kernel_for(const LocksWalk<Real>& walk) {
    return walk.potential ? walk_voting<Real, kSoftened, true, kSplit> : walk_voting<Real, kSoftened, false, kSplit>;
}

}  // namespace

template <class Real>
void walk_locks(const LocksWalk<Real>& walk, std::uint32_t first, std::uint32_t last, cudaStream_t stream) {
    WalkKernel<Real> kernel = walk.softened ? kernel_for<Real, Softened::kYes, Split::kNo>(walk)
                                            : kernel_for<Real, Softened::kNo, Split::kNo>(walk);
    if constexpr (std::is_same_v<Real, float>)  // with split positions, one kernel handles both softened and bare
        if (walk.low_in_order) kernel = kernel_for<Real, Softened::kNo, Split::kYes>(walk);
    launch("walk_voting", {dim3(last - first), dim3(kLocksBlock)}, stream, kernel, walk, first);
}

template void walk_locks(const LocksWalk<float>&, std::uint32_t, std::uint32_t, cudaStream_t);
template void walk_locks(const LocksWalk<double>&, std::uint32_t, std::uint32_t, cudaStream_t);

}  // namespace orrery::cuda
