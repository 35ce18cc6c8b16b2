// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace orrery {

/// The expanding universe of a snapshot, 0 where it states none, and its convention: powers of the scale factor a and
/// of h by which numbers of the file are multiplied for physical lengths and peculiar velocities.
struct Cosmology {
    double omega = 0, lambda = 0;  ///< densities of matter and of the cosmological constant now
    double hubble = 0;             ///< h = H₀ / (100 km/s/Mpc)
    double scale_factor = 0;       ///< a; also of files whose time is none
    double length_a = 0, length_h = 0, velocity_a = 0;

    bool known() const { return omega > 0 && hubble > 0; }
    bool flat() const { return known() && omega <= 1 && omega + lambda > 0.99 && omega + lambda < 1.01; }
    friend bool operator==(const Cosmology&, const Cosmology&) = default;
};

/// Peculiar speeds over those of the file; 0 if the universe does not expand. `scale_factor`: at the time shown, 0:
/// that of the file.
inline double peculiar_factor(const Cosmology& cosmology, double scale_factor) {
    const double a = scale_factor > 0 ? scale_factor : cosmology.scale_factor;
    return a > 0 && cosmology.scale_factor > 0 ? std::pow(a, cosmology.velocity_a) : 0;
}
/// Physical lengths over those of the file, as peculiar_factor().
inline double physical_factor(const Cosmology& cosmology, double scale_factor) {
    const double a = scale_factor > 0 ? scale_factor : cosmology.scale_factor, h = cosmology.hubble;
    if (!(a > 0) || !(cosmology.scale_factor > 0) || (cosmology.length_h != 0 && !(h > 0))) return 0;
    return std::pow(a, cosmology.length_a) * (cosmology.length_h != 0 ? std::pow(h, cosmology.length_h) : 1);
}

/// Gadget's convention (user guide of Gadget-2, section 7.2): comoving lengths in units with 1/h, peculiar velocities
/// over √a.
constexpr Cosmology gadget_convention(double omega, double lambda, double hubble, double a) {
    return {omega, lambda, hubble, a, 1, -1, 0.5};
}

}  // namespace orrery
