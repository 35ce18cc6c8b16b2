//! title = MOND-like
//! author = Orrery
//! kind = pair
//! language = c++
//! law = own
//! parameter a0 = 0.1 [1e-6, 10] acceleration below which the force falls as 1/r
// Each pair attracts with √(g² + g a0), where g is Newton's attraction: far away √(m a0)/r. A pair force in the spirit
// of Milgrom (1983, ApJ 270, 365), not his field equation. The energy is not defined; the depth is Newton's.
#include <orrery/kernel.h>

template <class Real>
orrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) {
    const Real y = 1 / std::sqrt(r2), g = other * y * y;
    return {std::sqrt(g * (g + p.a0)) * y, other * y};
}
