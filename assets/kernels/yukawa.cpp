//! title = Yukawa
//! author = Orrery
//! kind = pair
//! language = c++
//! law = own
//! parameter length = 0.5 [0.01, 100] range of the force
// A screened force: the potential is −m exp(−r/length)/r.
#include <orrery/kernel.h>

template <class Real>
orrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) {
    const Real r = std::sqrt(r2), y = 1 / r;
    const Real depth = other * y * std::exp(-r / p.length);
    return {depth * (y + 1 / p.length) * y, depth};
}
