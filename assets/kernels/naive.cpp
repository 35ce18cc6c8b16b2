//! title = Naive loop
//! author = Orrery
//! kind = forces
//! language = c++
// For every body a plain loop over all bodies. The accelerations of bodies first … last − 1 are computed here.
#include <orrery/kernel.h>

template <class Real>
void forces(const orrery::Bodies<Real>& b, std::size_t first, std::size_t last, const Parameters<Real>& p) {
    for (std::size_t i = first; i < last; ++i) {
        const orrery::Vec4<Real> self = b.body[i];
        Real x = 0, y = 0, z = 0, depth = 0;
        for (std::size_t j = 0; j < b.count; ++j) {
            const orrery::Vec4<Real> other = b.body[j];
            const Real dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
            const Real r2 = dx * dx + dy * dy + dz * dz + b.softening2;
            if (j == i || !(r2 > Real(1e-24))) continue;
            const Real inverse = 1 / std::sqrt(r2), pull = other.w * inverse * inverse * inverse;
            x += pull * dx, y += pull * dy, z += pull * dz, depth += other.w * inverse;
        }
        b.acceleration[i] = {b.constant * x, b.constant * y, b.constant * z, -b.constant * depth};
    }
}
