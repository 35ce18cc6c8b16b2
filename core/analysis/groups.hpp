// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/result.hpp"
#include "core/analysis/subject.hpp"

namespace orrery {

/// The linking length of the settings as a length. The mean separation is that of the half of the bodies nearest to the
/// centre, (4π r³ / 3n)^(1/3), or in a periodic box L / N^(1/3).
double linking_length(const Subject& subject, const AnalysisSettings& settings);

/// Groups of at least `least` bodies, by descending mass, then by index. `group_of`: for each body the smallest index
/// in its group.
std::vector<BodyGroup> list_groups(std::span<const Vec4d> bodies, std::span<const Vec3d> velocities,
                                   std::span<const std::uint32_t> group_of, std::size_t least, double period = 0);

}  // namespace orrery
