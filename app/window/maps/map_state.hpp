// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "core/maps/picture.hpp"

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

/// Arrangement of two maps in one drawing.
enum class MapPair { kBeside, kWiped };

/// Drawing of the page: the launch with the triangle, or the loop of a block over its tile.
enum class MapDrawing { kBlocks, kTile };

/// Counts the blocks of a launch up, each lit with its tile.
struct MapWalk {
    static constexpr double kLeastSpeed = 0.05, kMostSpeed = 2000, kDefaultSpeed = 4;

    bool on = false;               ///< begun: the blocks to come are dimmed
    bool playing = false;          ///< advances by itself
    double at = 0;                 ///< index of the current block, with the fraction of its time that has passed
    double speed = kDefaultSpeed;  ///< blocks per second

    std::uint32_t block() const { return static_cast<std::uint32_t>(at); }
    double part() const { return at - std::floor(at); }  ///< of the current block's time that has passed
    /// After `seconds`, in launches of `blocks`: begins again a second after the last block.
    void advance(double seconds, double blocks);
    /// Pauses at the next block, or the previous one for by = −1; beyond an end at the other one.
    void step(int by, double blocks);
};

/// The lesson of the page Maps: a second map, and the walk.
struct MapLesson {
    MapDrawing drawing = MapDrawing::kBlocks;
    std::string second;  ///< id of a map drawn with that of the engine; empty: none
    MapPair pair = MapPair::kBeside;
    float divider = 0.5f;                       ///< of kWiped: the first map is drawn to the left of it, 0 … 1
    std::shared_ptr<const MapPicture> picture;  ///< of the second map, with the rows of the first; null: none
    MapWalk walk;

    /// Blocks of the longer launch; 0 without a picture.
    double blocks(const MapState& shown) const;
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
