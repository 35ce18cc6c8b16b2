// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "core/maps/picture.hpp"

namespace orrery {

/// The map that the Maps tab shows.
struct MapState {
    std::shared_ptr<const MapPicture> picture;  ///< null while there are no bodies, or if there is a `problem`
    std::string problem;
    int tile_size = 0;              ///< ρ of the picture
    bool walked = false;            ///< used by the current engine; otherwise it is what `half` would launch
    bool chosen_by_engine = false;  ///< `auto` chose this map
};

/// An engine configuration tried in this session, and its speed.
struct TriedEngine {
    std::string name;
    double pairs_per_second = 0;
    bool now = false;  ///< current
};

}  // namespace orrery
