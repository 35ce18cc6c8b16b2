// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/backend.hpp"

namespace orrery {

/// From where radii and velocities are measured.
enum class AnalysisCentre : std::uint8_t {
    kDensity,  ///< density_centre(); at rest with the tenth of the mass that is nearest to it
    kMass,     ///< centre of mass, at rest with it
    kOrigin    ///< that of the scene, at rest in it
};
/// The axis of cylindrical radii, heights and tangential velocities.
enum class AnalysisAxis : std::uint8_t {
    kAuto,  ///< kSpin for what is of discs, kZ for all else
    kSpin,  ///< angular momentum of the half of the mass that is nearest to the centre
    kX,
    kY,
    kZ
};
enum class AnalysisScale : std::uint8_t { kAuto, kLinear, kLogarithmic };
enum class AnalysisWeight : std::uint8_t { kNumber, kMass };

/// What a plot of the bodies shows. Not every kind reads every member; see AnalysisEntry::reads.
struct AnalysisSettings {
    std::string kind = "surface-density";  ///< of analyses()
    std::string of;  ///< the bodies: "" all, a species, or "100-199" (first and last index, from 0); several by commas
    AnalysisCentre centre = AnalysisCentre::kDensity;
    AnalysisAxis axis = AnalysisAxis::kAuto;
    int bins = 0;                                ///< of an axis; 0: chosen by kind and number of bodies
    std::optional<double> from, to;              ///< ends of the x axis; empty: chosen by the bodies
    AnalysisScale scale = AnalysisScale::kAuto;  ///< of the x axis
    std::string x = "r", y = "v_r";              ///< of quantities(), in histograms
    AnalysisWeight weight = AnalysisWeight::kNumber;
    double link = 0.2;                  ///< linking length in mean separations
    std::optional<double> link_length;  ///< likewise, as a length
    double period = 0;                  ///< edge of the periodic box whose lower corner is the origin; 0: none
    Backend backend = Backend::kCpu;    ///< that finds groups
    int least = 20;                     ///< bodies of a group that is listed
    friend bool operator==(const AnalysisSettings&, const AnalysisSettings&) = default;
};

}  // namespace orrery
