// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis_settings.hpp"
#include "core/analysis/result.hpp"
#include "core/analysis/subject.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// A line of the menu of plots.
struct AnalysisEntry {
    std::string_view id, label, doc;
    std::string_view source;  ///< of the definition
    /// Throws Error{kUsage} if the settings do not fit these bodies. After a stop the result is incomplete and
    /// unusable.
    AnalysisResult (*run)(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop);
    AnalysisAxis axis = AnalysisAxis::kZ;     ///< axis selected by AnalysisAxis::kAuto
    std::span<const std::string_view> reads;  ///< ids of the settings it reads, besides those that all kinds read
    bool in_plane = false;                    ///< a plot over a plane of the scene, whose contours can be drawn there
};

std::span<const AnalysisEntry> analyses();
/// Throws Error{kUsage} if there is no such kind.
const AnalysisEntry& analysis_of(std::string_view id);

/// All settings except the kind, in the order of the panel.
std::span<const Setting<AnalysisSettings>> analysis_settings();
/// True if the selected kind reads the setting with this id.
bool reads(const AnalysisSettings& settings, std::string_view id);

/// Makes the plot `settings.kind` for the bodies of a scene, in its units. Throws Error{kUsage} for an unknown kind,
/// and as AnalysisEntry::run does.
AnalysisResult analyse(Pool& pool, const Scene& scene, const AnalysisSettings& settings,
                       const std::stop_token& stop = {});

// Functions of the menu entries.
AnalysisResult surface_density_profile(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult density_profile(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult dispersion_profile(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult disc_dispersion_profile(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult rotation_curve(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult toomre_profile(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult histogram(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult histogram_2d(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult profile_of_two(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult phase_space_radial(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult phase_space_speed(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult energy_momentum(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult potential_in_plane(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult projection(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult slice(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult two_point(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult three_point(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult four_point(const Subject&, const AnalysisSettings&, const std::stop_token&);
AnalysisResult groups_of_friends(const Subject&, const AnalysisSettings&, const std::stop_token&);

/// The linking length of the settings as a length. The mean separation is that of the half of the bodies nearest to the
/// centre, (4π r³ / 3n)^(1/3), or in a periodic box L / N^(1/3).
double linking_length(const Subject& subject, const AnalysisSettings& settings);

/// Groups of at least `least` bodies, by descending mass, then by index. `group_of`: for each body the smallest index
/// in its group.
std::vector<BodyGroup> list_groups(std::span<const Vec4d> bodies, std::span<const Vec3d> velocities,
                                   std::span<const std::uint32_t> group_of, std::size_t least, double period = 0);

/// A line of the menu of quantities of a body that histograms can show.
struct QuantityEntry {
    std::string_view id, label, doc;
    std::string_view symbol;
    std::string (UnitNames::*unit)() const;
    /// Value for one body; `potential` is the body's own, per mass, if `needs_potential`.
    double (*of)(const Subject& subject, std::size_t i, double potential);
    bool needs_potential = false;
    bool never_negative = false;  ///< suitable for a logarithmic axis
};

std::span<const QuantityEntry> quantities();

/// Values for all bodies of the subject. Empty if stopped.
std::vector<double> values_of(const QuantityEntry& quantity, const Subject& subject,
                              std::span<const double> potentials);
std::string label_of(const QuantityEntry& quantity, const UnitNames& units);

}  // namespace orrery
