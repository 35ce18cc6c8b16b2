// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "core/maps/picture.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {

/// The map that the Maps tab shows.
struct MapState {
    std::shared_ptr<const MapPicture> picture;  ///< null while there are no bodies, or if there is a `problem`
    /// The map of triples of an engine that walks them, with at most kMostDrawnLayers layers; null for other engines.
    std::shared_ptr<const Map3Picture> picture3;
    std::uint64_t layers = 0;  ///< layers of the tetrahedron that the engine walks
    std::string problem;
    int tile_size = 0;              ///< ρ of the picture
    bool walked = false;            ///< used by the current engine; otherwise it shows what `half` would launch
    bool chosen_by_engine = false;  ///< `auto` chose this map
    std::string refused;            ///< why the engine refuses the map shown; the engine keeps its own
};

/// The map chosen for display.
struct DisplayedMap {
    std::string map, root;
    friend bool operator==(const DisplayedMap&, const DisplayedMap&) = default;
};

/// An engine configuration tried in this session, and its speed.
struct TriedEngine {
    std::string name;
    double pairs_per_second = 0;
    double seconds = 0;     ///< of one evaluation, the median
    bool all_pairs = true;  ///< the engine sums all pairs, so pairs_per_second is its rate
    bool now = false;       ///< current
};

}  // namespace orrery
