// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <string_view>

namespace orrery {

/// Days in the unit of time for which G = 1 with AU and solar masses: 1/k, where k = 0.01720209895 is the Gaussian
/// constant (IAU 1976). It is labelled "yr/2π", but its year is the Gaussian year of 365.2568983 days, not 365.25.
inline constexpr double kGaussianDays = 1 / 0.01720209895;
inline constexpr double kGravitySi = 6.6743e-11;  ///< G in m³/kg/s² (CODATA 2018)
inline constexpr double kDaysOfYear = 365.25;     ///< the Julian year

struct TimeUnit {
    std::string_view name;
    double days;
};
/// The largest of Gyr, Myr, kyr, yr, d, h, min and s that does not exceed this duration; s for less than one second.
const TimeUnit& time_unit_of(double days);

/// "978 Myr": a duration in a suitable unit; a plain number if the scene has no physical units.
std::string duration_text(double time, double days_per_time);
/// Text of a clock: "978 Myr"; for a cosmological snapshot "a = 0.25, z = 3", and "a = 0.25 + 12 Myr" after simulating
/// on from it. `scale_factor`: Scene::scale_factor.
std::string clock_text(double time, double days_per_time, double scale_factor);
/// The same, with "t = " in front of a time.
std::string named_clock_text(double time, double days_per_time, double scale_factor);

/// Scene::scale_factor of a snapshot: its time if that equals 1/(1 + z), else 0. `cosmological`: the file states an
/// expanding universe, as a redshift other than 0 does.
double scale_factor_of(double time, double redshift, bool cosmological);
/// The redshift at this time if the time is a scale factor, else 0.
double redshift_of(double time, double scale_factor);

/// Kilometres in a named unit of length: m, km, AU, pc, kpc, Mpc, Gpc, R☉; 0 for other names.
double kilometres_in(std::string_view length_unit);
/// One unit of length per unit of time in km/s; 0 if the unit of length or of time is unknown.
double kilometres_per_second(std::string_view length_unit, double days_per_time);

/// The age of a flat universe of matter and a cosmological constant at scale factor a, in Gyr: Peebles 1993, Principles
/// of Physical Cosmology, eq. 13.20. `omega`: density of matter now, 0 < Ω₀ ≤ 1; `h`: H₀ / (100 km/s/Mpc). Radiation,
/// which matters at z > 1000, is left out.
inline double age_of_universe(double a, double omega, double h) {
    constexpr double kHubbleTime = 9.777922216807891;  // Gyr: Mpc / (100 km/s) of a Julian year
    const double lambda = 1 - omega;
    const double age = lambda > 0 ? 2 / (3 * std::sqrt(lambda)) * std::asinh(std::sqrt(lambda / omega * a * a * a))
                                  : 2.0 / 3 * std::sqrt(a * a * a);
    return kHubbleTime / h * age;
}

}  // namespace orrery
