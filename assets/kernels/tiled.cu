//! title = Tiled loop
//! author = Orrery
//! kind = forces
//! language = cuda
//! threads = 128
//! rows = 128
// GPU Gems 3, chapter 31: the threads of a block load a tile of bodies into shared memory together.
#include <orrery/kernel.h>

template <class Real>
__device__ void forces(const orrery::Bodies<Real>& b, unsigned first, const Parameters<Real>& p) {
    const unsigned kTile = 128;
    __shared__ orrery::Vec4<Real> tile[kTile];
    const unsigned i = first + threadIdx.x;
    const orrery::Vec4<Real> self = b.body[i < b.count ? i : b.count - 1];
    Real x = 0, y = 0, z = 0, depth = 0;
    for (unsigned begin = 0; begin < b.count; begin += kTile) {
        __syncthreads();
        const unsigned column = begin + threadIdx.x;
        if (column < b.count) tile[threadIdx.x] = b.body[column];
        __syncthreads();
        const unsigned end = b.count - begin < kTile ? b.count - begin : kTile;
        for (unsigned j = 0; j < end; ++j) {
            const orrery::Vec4<Real> other = tile[j];
            const Real dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
            const Real r2 = dx * dx + dy * dy + dz * dz + b.softening2;
            if (begin + j == i || !(r2 > orrery::kTouching<Real>)) continue;
            const Real inverse = rsqrt(r2), pull = other.w * inverse * inverse * inverse;
            x += pull * dx, y += pull * dy, z += pull * dz, depth += other.w * inverse;
        }
    }
    if (i < b.count) b.acceleration[i] = {b.constant * x, b.constant * y, b.constant * z, -b.constant * depth};
}
