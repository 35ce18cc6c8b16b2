// SPDX-License-Identifier: MIT
// Draws blocks and tiles of a map like the papers: squares of the triangle, cubes of the tetrahedron.
#include <fmt/format.h>

#include <algorithm>

#include "core/lab/papers.hpp"
#include "core/maps/picture.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {
namespace {

constexpr unsigned kDrawingGap = 40;

/// A block and its tile share a shade, darker from block to block; without work it is white.
unsigned light_of(std::uint32_t block, std::uint32_t blocks, bool useful) {
    return useful ? 235 - 150 * block / std::max(1u, blocks) : 255;
}

std::string captioned(std::string_view words, unsigned width, unsigned height, std::string_view svg) {
    return fmt::format(
        "<div><p>{}</p><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n{}</svg></div>\n", words,
        width, height, svg);
}

std::string triangle_drawing(std::string_view map) {
    constexpr std::uint32_t kDrawnRows = 8;
    constexpr unsigned kCell = 22;
    const MapPicture picture{map, "rsqrt", kDrawnRows};
    std::string svg;
    const auto cell = [&](std::uint32_t column, std::uint32_t line, std::uint32_t block, bool useful, unsigned left) {
        const unsigned light = light_of(block, picture.blocks(), useful);
        svg += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"rgb({},{},255)\" stroke=\"#666\"/>\n",
            left + column * kCell, line * kCell, kCell, kCell, light, light);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\">{}</text>\n",
                           left + column * kCell + kCell / 2, line * kCell + kCell / 2 + 3,
                           useful ? fmt::format("{}", block) : "×");
    };
    for (std::uint32_t block = 0; block < picture.blocks(); ++block)
        cell(block % picture.columns(), block / picture.columns(), block, picture.useful(block), 0);
    const unsigned second = picture.columns() * kCell + kDrawingGap;
    for (std::uint32_t row = 0; row < kDrawnRows; ++row)
        for (std::uint32_t col = 0; col <= row; ++col) cell(col, row, picture.block_of({row, col}), true, second);
    return captioned(fmt::format("{}: blocks launched, and the tiles that they take; m = {}, {} blocks wasted", map,
                                 kDrawnRows, picture.true_counts().wasted()),
                     second + kDrawnRows * kCell + 2, std::max(picture.lines(), kDrawnRows) * kCell + 2, svg);
}

/// Draws polygons; blocks without work are outlines.
std::string cubes_svg(const CubeDrawing& drawing, std::uint32_t blocks, float edge, float left) {
    std::string svg;
    for (const CubeFace& face : drawing.faces) {
        std::string points;
        for (const auto& [x, y] : face.corners) points += fmt::format("{:.1f},{:.1f} ", left + edge * x, 1 + edge * y);
        const auto light = static_cast<float>(light_of(face.block, blocks, face.useful));
        const int grey = static_cast<int>(face.light * light), blue = static_cast<int>(face.light * 255);
        svg += fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", points,
                           face.useful ? fmt::format("rgb({0},{0},{1})", grey, blue) : std::string{"none"},
                           face.useful ? "#666" : "#ddd");
    }
    return svg;
}

std::string tetrahedron_drawing(std::string_view map) {
    constexpr std::uint32_t kDrawnLayers = 6;
    constexpr float kEdge = 18;
    const Map3Picture picture{map, "rsqrt", kDrawnLayers};
    const CubeDrawing blocks = blocks_in_space(picture), triples = triples_in_space(picture);
    const float second = 1 + kEdge * blocks.width + kDrawingGap;
    const std::uint64_t wasted = picture.blocks() - tetrahedral(kDrawnLayers);
    return captioned(
        fmt::format("{}: blocks launched, and the triples of tiles that they take; m = {}, {} of {} blocks wasted", map,
                    kDrawnLayers, wasted, picture.blocks()),
        static_cast<unsigned>(second + kEdge * triples.width) + 2,
        static_cast<unsigned>(kEdge * std::max(blocks.height, triples.height)) + 3,
        cubes_svg(blocks, picture.blocks(), kEdge, 1) + cubes_svg(triples, picture.blocks(), kEdge, second));
}

}  // namespace

std::string map_drawing(std::string_view map) {
    const bool triples = std::ranges::find(simplex3_maps(), map, &Map3Entry::id) != simplex3_maps().end();
    return triples ? tetrahedron_drawing(map) : triangle_drawing(map);
}

}  // namespace orrery
