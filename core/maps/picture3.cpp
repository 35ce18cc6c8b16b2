// SPDX-License-Identifier: MIT
#include "core/maps/picture3.hpp"

#include <algorithm>
#include <cmath>

#include "core/maps/maps.hpp"

namespace orrery {
/// Isometric view: z upwards, x to the right and y to the left, both towards the viewer.
CubeDrawing cubes_in_space(std::vector<DrawnCube> cubes, std::uint32_t lines, std::uint32_t slices) {
    constexpr float kAcross = 0.8660254f, kDown = 0.5f;  // per unit edge along x or y: 30° below the horizontal
    struct Face {
        std::array<std::array<std::uint32_t, 3>, 4> corners;
        float light;
    };
    constexpr std::array<Face, 3> kFaces{{{{{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}, 1},
                                          {{{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}}, 0.85f},
                                          {{{{0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}}}, 0.7f}}};
    const auto right = [&](std::uint32_t to_right, std::uint32_t to_left) {
        return kAcross * (static_cast<float>(lines + to_right) - static_cast<float>(to_left));
    };
    const auto down = [&](std::uint32_t towards_us, std::uint32_t up) {
        return kDown * static_cast<float>(towards_us) + static_cast<float>(slices - up);
    };
    std::ranges::stable_sort(cubes, {}, [](const DrawnCube& cube) { return cube.x + cube.y + cube.z; });
    CubeDrawing drawing{};
    for (const DrawnCube& cube : cubes)
        for (const Face& face : kFaces) {
            CubeFace drawn{{}, face.light, cube.block, cube.useful};
            for (std::size_t i = 0; i < face.corners.size(); ++i) {
                const auto& [dx, dy, dz] = face.corners[i];
                const float x = right(cube.x + dx, cube.y + dy), y = down(cube.x + dx + cube.y + dy, cube.z + dz);
                drawn.corners[i] = {x, y};
                drawing.width = std::max(drawing.width, x), drawing.height = std::max(drawing.height, y);
            }
            drawing.faces.push_back(drawn);
        }
    return drawing;
}

Map3Counts counts(const Map3Entry& map, std::uint64_t side) {
    const auto layers = static_cast<std::uint32_t>(side);
    return {AnyMap3{.map = map.map}.grid(layers).count(), tetrahedral(layers)};
}

Map3Picture::Map3Picture(std::string_view map, std::string_view root_id, std::uint32_t side)
    : map_{map}, root_{root_id}, side_{side} {
    const AnyMap3 walked{simplex3_map(map).map, orrery::root(root_id).root};
    const Grid3 grid = grid_ = walked.grid(side);
    const auto count = static_cast<std::uint32_t>(grid.count());
    const bool line = grid.y == 1 && grid.z == 1;
    columns_ = line ? static_cast<std::uint32_t>(std::ceil(std::sqrt(count))) : static_cast<std::uint32_t>(grid.x);
    lines_ = line ? (count + columns_ - 1) / columns_ : static_cast<std::uint32_t>(grid.y);
    slices_ = static_cast<std::uint32_t>(grid.z);
    triples_.reserve(count);
    blocks_.resize(tetrahedral(side));
    for (std::uint64_t z = 0; z < grid.z; ++z)
        for (std::uint64_t y = 0; y < grid.y; ++y)
            for (std::uint64_t x = 0; x < grid.x; ++x) {
                const TileTriple triple = walked({x, y, z}, side);
                if (orrery::useful(triple, side)) blocks_[place_of(triple)] = blocks();
                triples_.push_back(triple);
            }
}

std::uint64_t Map3Picture::place_of(TileTriple t) { return tetrahedral(t.k) + triangular(t.j) + t.i; }

CubeDrawing blocks_in_space(const Map3Picture& picture) {
    const std::uint32_t columns = picture.columns(), slice = columns * picture.lines();
    std::vector<DrawnCube> cubes;
    for (std::uint32_t block = 0; block < picture.blocks(); ++block)
        cubes.push_back({block % columns, block % slice / columns, picture.slices() - 1 - block / slice, block,
                         picture.useful(block)});
    return cubes_in_space(std::move(cubes), picture.lines(), picture.slices());
}

CubeDrawing triples_in_space(const Map3Picture& picture) {
    const std::uint32_t side = picture.side();
    std::vector<DrawnCube> cubes;
    for (std::uint32_t k = 0; k < side; ++k)
        for (std::uint32_t j = 0; j <= k; ++j)
            for (std::uint32_t i = 0; i <= j; ++i)
                cubes.push_back({i, k - j, side - 1 - k, picture.block_of({i, j, k}), true});
    return cubes_in_space(std::move(cubes), side, side);
}

}  // namespace orrery
