//! title = Newton
//! author = Orrery
//! kind = pair
//! language = c++
// Gravity: r2 is the squared distance plus the squared softening length.
#include <orrery/kernel.h>

template <class Real>
orrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) {
    const Real y = 1 / std::sqrt(r2);
    return {other * y * y * y, other * y};
}
