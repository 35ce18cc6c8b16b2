// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "core/maps/picture.hpp"

namespace orrery {

/// The map that the Maps tab shows.
struct MapState {
    std::shared_ptr<const MapPicture> picture;  ///< null while there are no bodies, or where `problem` says why
    std::string problem;
    int tile_side = 0;              ///< ρ, of which the picture is
    bool walked = false;            ///< by the engine in force; else it is what `half` would launch
    bool chosen_by_engine = false;  ///< `auto` has taken this map by itself
};

/// An engine as it was tried in this session, and how fast it was.
struct TriedEngine {
    std::string name;
    double pairs_per_second = 0;
    bool now = false;  ///< in force
};

}  // namespace orrery
