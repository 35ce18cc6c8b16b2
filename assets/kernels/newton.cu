//! title = Newton
//! author = Orrery
//! kind = pair
//! language = cuda
// Gravity: r2 is the squared distance plus the squared softening length.
#include <orrery/kernel.h>

template <class Real>
__device__ orrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) {
    const Real y = rsqrt(r2);
    return {other * y * y * y, other * y};
}
