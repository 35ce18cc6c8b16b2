// SPDX-License-Identifier: MIT
// Blocks and tiles of a map as the papers draw them: squares of the triangle, cubes of the tetrahedron.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/lab/papers.hpp"
#include "core/maps/picture.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {
namespace {

constexpr unsigned kDrawingGap = 40;

/// A block and its tile have one shade, darker from block to block; without work it is white.
unsigned light_of(std::uint32_t block, std::uint32_t blocks, bool useful) {
    return useful ? 235 - 150 * block / std::max(1u, blocks) : 255;
}

std::string captioned(std::string_view words, unsigned width, unsigned height, std::string_view svg) {
    return fmt::format(
        "<div><p>{}</p><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n{}</svg></div>\n", words,
        width, height, svg);
}

std::string triangle_drawing(std::string_view map) {
    constexpr std::uint32_t kDrawnSide = 8;
    constexpr unsigned kCell = 22;
    const MapPicture picture{map, "rsqrt", kDrawnSide};
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
    for (std::uint32_t row = 0; row < kDrawnSide; ++row)
        for (std::uint32_t col = 0; col <= row; ++col) cell(col, row, picture.block_of({row, col}), true, second);
    return captioned(fmt::format("{}: blocks launched, and the tiles that they take; m = {}, {} blocks wasted", map,
                                 kDrawnSide, picture.true_counts().wasted()),
                     second + kDrawnSide * kCell + 2, std::max(picture.lines(), kDrawnSide) * kCell + 2, svg);
}

struct Cube {
    std::uint32_t x, y, z, block;
    bool useful;
};

/// Cubes seen from where all coordinates grow, in parallel projection: z upwards, x to the right and towards us, y to
/// the left. What is without work is an outline.
class CubeDrawing {
public:
    /// Of so many cubes along x, y and z, beginning at `left`.
    CubeDrawing(std::uint32_t x, std::uint32_t y, std::uint32_t z, double left)
        : width{kWide * (x + y)}, height{kDeep * (x + y) + kTall * z}, origin_{left + kWide * y, kTall * z} {}

    std::string svg(std::vector<Cube> cubes, std::uint32_t blocks) const {
        std::ranges::stable_sort(cubes, {}, [](const Cube& cube) { return cube.x + cube.y + cube.z; });
        std::string all;
        for (const Cube& cube : cubes) {
            const unsigned light = light_of(cube.block, blocks, cube.useful);
            for (const Face& face : kFaces) all += polygon(cube, face, light);
        }
        return all;
    }

    double width, height;

private:
    static constexpr double kWide = 15.6, kDeep = 9, kTall = 18;  // of a cube with edges of 18
    struct Face {
        std::array<std::array<std::uint32_t, 3>, 4> corners;
        double shade;
    };
    static constexpr std::array<Face, 3> kFaces{{{{{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}, 1},
                                                 {{{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}}, 0.85},
                                                 {{{{0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}}}, 0.7}}};

    std::string polygon(const Cube& cube, const Face& face, unsigned light) const {
        std::string points;
        for (const auto& [dx, dy, dz] : face.corners) {
            const double x = cube.x + dx, y = cube.y + dy, z = cube.z + dz;
            points +=
                fmt::format("{:.1f},{:.1f} ", origin_[0] + (x - y) * kWide, origin_[1] + (x + y) * kDeep - z * kTall);
        }
        const auto shaded = [&](unsigned of) { return static_cast<int>(face.shade * of); };
        const std::string fill =
            cube.useful ? fmt::format("rgb({},{},{})", shaded(light), shaded(light), shaded(255)) : std::string{"none"};
        return fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", points, fill,
                           cube.useful ? "#666" : "#ddd");
    }

    std::array<double, 2> origin_;
};

/// Slices of the grid and layers of the tetrahedron lie on each other, the first on top, the layers with their right
/// angles in the corner away from us.
std::string tetrahedron_drawing(std::string_view map) {
    constexpr std::uint32_t kDrawnSide = 6;
    const Map3Picture picture{map, "rsqrt", kDrawnSide};
    std::vector<Cube> blocks, tiles;
    const std::uint32_t slice = picture.columns() * picture.lines();
    for (std::uint32_t block = 0; block < picture.blocks(); ++block)
        blocks.push_back({block % picture.columns(), block % slice / picture.columns(),
                          picture.slices() - 1 - block / slice, block, picture.useful(block)});
    for (std::uint32_t k = 0; k < kDrawnSide; ++k)
        for (std::uint32_t j = 0; j <= k; ++j)
            for (std::uint32_t i = 0; i <= j; ++i)
                tiles.push_back({i, k - j, kDrawnSide - 1 - k, picture.block_of({i, j, k}), true});
    const CubeDrawing grid{picture.columns(), picture.lines(), picture.slices(), 1};
    const CubeDrawing layers{kDrawnSide, kDrawnSide, kDrawnSide, grid.width + kDrawingGap};
    const std::uint64_t wasted = picture.blocks() - tiles.size();
    return captioned(
        fmt::format("{}: blocks launched, and the triples of tiles that they take; m = {}, {} of {} blocks wasted", map,
                    kDrawnSide, wasted, picture.blocks()),
        static_cast<unsigned>(grid.width + kDrawingGap + layers.width) + 2,
        static_cast<unsigned>(std::max(grid.height, layers.height)) + 2,
        grid.svg(std::move(blocks), picture.blocks()) + layers.svg(std::move(tiles), picture.blocks()));
}

}  // namespace

std::string map_drawing(std::string_view map) {
    const bool triples = std::ranges::find(simplex3_maps(), map, &Map3Entry::id) != simplex3_maps().end();
    return triples ? tetrahedron_drawing(map) : triangle_drawing(map);
}

}  // namespace orrery
