// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/plot.hpp"
#include "app/ui/widgets.hpp"
#include "core/lab/figures.hpp"
#include "core/maps/picture.hpp"

namespace orrery {

/// A block of a drawing, selected by itself or by its tile.
struct MapPick {
    std::uint32_t block;
    friend bool operator==(const MapPick&, const MapPick&) = default;
};
/// "block (3, 5) → tile (7, 2)", "block (5, 2) → no tile: wasted".
std::string pick_text(const MapPicture& picture, MapPick pick);
std::string pick_text(const Map3Picture& picture, MapPick pick);
/// The arithmetic of the block, with its numbers: "ω = 53, row = ⌊√(2·53 + ¼) − ½⌋ = 9, col = 53 − 9·10/2 = 8".
std::string worked_text(const MapPicture& picture, MapPick pick);
std::string worked_text(const Map3Picture& picture, MapPick pick);

/// Marks of a drawing.
struct MapMarks {
    std::optional<MapPick> lit;  ///< a block, with its tile
    double walked = -1;          ///< number of blocks begun, with a fraction; the others are dimmed. Negative: no walk
    double fading = 0;           ///< idle blocks stay red until this many blocks later
};

/// Size of the boards in cells: the launch grid, and the side of the triangle.
struct BoardShape {
    std::uint32_t columns, lines, rows;
};
BoardShape shape_of(const MapPicture& picture);
/// Places of the boards of a map: upper left corners and the side of a cell, in pixels.
struct MapPlaces {
    ImVec2 grid, triangle;
    float cell;
    bool over_grid = false, over_triangle = false;  ///< the mouse is over this board
    bool pressed = false;                           ///< a mouse button is held over one of them
};

/// Labels of the boards in the widget map.
struct BoardNames {
    std::string_view grid = "Launch grid", triangle = "Triangle";
};
/// Reserves the space of both boards. `second`: distance from the grid's left end to the triangle, in pixels.
MapPlaces map_places(Widgets& ui, const BoardShape& shape, float cell, float second, const BoardNames& names = {});
std::optional<MapPick> pick_under_mouse(const MapPlaces& places, const MapPicture& picture);
/// Draws the launch grid and the triangle, with a line between the lit block and its tile. A block and its tile have
/// the same colour, by the index of the block; rows with misplaced tiles are crossed out.
void draw_map(const MapPlaces& places, const MapPicture& picture, const MapMarks& marks, float scale);

/// All of it for one map, with the block under the mouse lit.
std::optional<MapPick> map_canvas(Widgets& ui, const MapPicture& picture, float cell, float second);

/// Draws the launch grid on the left, slice by slice, the tetrahedron to the right of it, layer by layer, and, if there
/// is room, the tetrahedron in space. A block and its triple have the same colour, by the index of the block; wasted
/// blocks are crossed out. Returns the block under the mouse, which it lights if there is one.
std::optional<MapPick> map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture,
                                    const MapMarks& marks = {});

/// Draws the layers of a map of the 4-simplex, colours as above.
void map4_drawing(const Pen& pen, const Box& box, const Map4Picture& picture);

}  // namespace orrery
