// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/analysis/bins.hpp"

namespace orrery {

/// The cells of a square plane through the centre of a subject, along each of its sides: from `from` to `to` of the
/// settings, by default as far as most of the mass reaches; as many as `bins`, by default `standard`. Throws
/// Error{kUsage} for ends in the wrong order.
Bins cells_of_plane(const Subject& subject, const AnalysisSettings& settings, std::size_t standard);

}  // namespace orrery
