// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Light in three bands, drawn as red, green and blue: SDSS's i, r and g.
struct BandLight {
    double red = 0, green = 0, blue = 0;
};

/// Metal mass fraction of the Sun: Asplund et al. 2009, ARA&A 47, 481.
inline constexpr double kSolarMetals = 0.0134;

/// The light of stars formed at once, per solar mass formed, in units of the Sun's light in the same band. From a table
/// of ages from 1.3 Myr to 12.6 Gyr and metal mass fractions from 0.0002 to 0.04 (bench/starlight.py), interpolated in
/// logarithms; beyond its ends the values there.
BandLight starlight(double age_gyr, double metals);

/// Extinction in the bands of BandLight over that in V, for R_V = 3.1: Schlegel, Finkbeiner & Davis 1998, ApJ 500, 525,
/// table 6.
inline constexpr BandLight kExtinction{0.639, 0.843, 1.161};
/// Optical depth in V of interstellar gas of solar metallicity over its column of mass, in cm²/g: N_H / A_V = 1.87·10²¹
/// cm⁻² (Bohlin, Savage & Drake 1978, ApJ 224, 132, with R_V = 3.1), 1.36 hydrogen masses of gas per hydrogen atom.
inline constexpr double kOpacity = 216.4;

}  // namespace orrery
