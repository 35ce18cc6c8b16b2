// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/backend.hpp"

namespace orrery {

/// Reference point of positions and velocities.
enum class AnalysisCentre : std::uint8_t {
    kDensity,  ///< density_centre(), at rest relative to the nearest tenth of the mass
    kMass,     ///< centre of mass, at rest relative to it
    kOrigin    ///< origin and rest frame of the scene
};
/// The axis of cylindrical radii, heights and tangential velocities.
enum class AnalysisAxis : std::uint8_t {
    kAuto,  ///< kSpin for plots of discs, otherwise kZ
    kSpin,  ///< angular momentum of the half of the mass nearest to the centre
    kX,
    kY,
    kZ
};
enum class AnalysisScale : std::uint8_t { kAuto, kLinear, kLogarithmic };
enum class AnalysisWeight : std::uint8_t {
    kAuto,  ///< kMass for projections and slices, otherwise kNumber
    kNumber,
    kMass,
    kVolume,  ///< mass over density; only for projections and slices
    kMaximum  ///< the largest value along the line of sight; only for projections
};

/// Settings of a plot of the bodies. Not every kind reads every member; see AnalysisEntry::reads.
struct AnalysisSettings {
    std::string kind = "surface-density";  ///< id in analyses()
    std::string of;  ///< bodies: "" all, or species and ranges "100-199" (indices from 0), separated by commas
    AnalysisCentre centre = AnalysisCentre::kDensity;
    AnalysisAxis axis = AnalysisAxis::kAuto;
    int bins = 0;                                ///< per axis; 0: depends on kind and number of bodies
    std::optional<double> from, to;              ///< ends of the x axis; empty: depends on the bodies
    AnalysisScale scale = AnalysisScale::kAuto;  ///< of the x axis
    std::string x = "r", y = "v_r";              ///< ids in quantities(), for histograms
    std::string x_field, y_field;                ///< fields of the bodies, in place of x and y; "": none
    AnalysisWeight weight = AnalysisWeight::kAuto;
    std::string field;                  ///< of projections and slices; "": density
    std::string arrows;                 ///< vectors of slices: "v", or a field of three components; "": none
    double height = 0;                  ///< of a slice along the axis, from the centre
    double link = 0.2;                  ///< linking length in mean separations
    std::optional<double> link_length;  ///< linking length as a length; overrides `link`
    double period = 0;                  ///< edge of the periodic box whose lower corner is the origin; 0: none
    Backend backend = Backend::kCpu;    ///< where groups are found, pairs and triangles counted
    int least = 20;                     ///< fewest bodies of a listed group
    int sample = 0;                     ///< bodies of a correlation function, evenly from all; 0: depends on kind
    std::string randoms;                ///< random catalogue: bodies as in `of`; "": uniform in the box of the bodies
    friend bool operator==(const AnalysisSettings&, const AnalysisSettings&) = default;
};

}  // namespace orrery
