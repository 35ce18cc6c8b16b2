// SPDX-License-Identifier: MIT
#include "core/maps/picture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/bits.hpp"
#include "core/maps/lambda.hpp"
#include "core/maps/maps.hpp"

namespace orrery {

MapCounts counts(const MapEntry& map, std::uint32_t rows) {
    return {.launched = AnyMap{.map = map.map}.grid(rows).count(), .useful = triangular(rows)};
}

std::uint32_t drawn_rows(std::uint32_t rows) {
    if (rows <= kMostDrawnRows) return rows;
    const std::uint32_t leading = rows >> (bit_width(rows) - 6), odd = rows % 2;
    if (is_power_of_two(rows)) return 64;
    const std::uint32_t few = (leading & ~1u) | odd;
    return is_power_of_two(few) ? few + 2 : few;
}

MapPicture::MapPicture(std::string_view map_id, std::string_view root_id, std::uint32_t rows)
    : map_{map_id}, root_{root_id}, rows_{rows}, drawn_{drawn_rows(rows)} {
    const MapEntry& entry = orrery::map(map_id);
    misplaced_ = first_misplaced(entry, orrery::root(root_id).root, rows);
    const MapPlan walked = plan(map_id, root_id, drawn_);  // throws for zero rows
    counts_ = counts(entry, rows);
    grid_ = walked.grid();
    columns_ = static_cast<std::uint32_t>(grid_.y > 1 ? grid_.x : balanced_side(drawn_));
    tiles_.reserve(grid_.count());
    blocks_.resize(triangular(drawn_));
    for (std::uint32_t index = 0; index < grid_.count(); ++index) {
        const Tile tile = walked.tile(block_at(grid_, index));
        tiles_.push_back(tile);
        if (walked.useful(block_at(grid_, index))) blocks_[triangular(tile.row) + tile.col] = index;
    }
    if (misplaced_) look_for_wrong_rows(walked.map());
}

MapPicture::MapPicture(std::string_view name, std::uint32_t rows, Grid grid, std::vector<Tile> tiles)
    : map_{name}, rows_{rows}, drawn_{rows}, grid_{grid}, tiles_{std::move(tiles)} {
    columns_ = static_cast<std::uint32_t>(grid_.y > 1 ? grid_.x : balanced_side(std::max(1u, drawn_)));
    blocks_.resize(triangular(drawn_));
    times_.resize(triangular(drawn_));
    for (std::uint32_t index = 0; index < blocks(); ++index) {
        if (!useful(index)) continue;
        const std::uint64_t place = triangular(tiles_[index].row) + tiles_[index].col;
        blocks_[place] = index;
        ++times_[place];
    }
    counts_.launched = blocks();
    for (const std::uint32_t each : times_) counts_.useful += each > 0 ? 1 : 0;
}

/// Checks a sample of the rows that each drawn row represents.
void MapPicture::look_for_wrong_rows(const AnyMap& map) {
    constexpr std::uint64_t kLooks = 512;
    for (std::uint64_t row = 0; row < drawn_; ++row) {
        const std::uint64_t first = row * rows_ / drawn_, last = (row + 1) * rows_ / drawn_;
        const std::uint64_t step = 1 + (last - first) / kLooks;
        bool wrong = misplaced_->wanted.row >= first && misplaced_->wanted.row < last;
        for (std::uint64_t look = first; look < last && !wrong; look += step)
            wrong = !places_row(map, static_cast<std::uint32_t>(look), rows_);
        wrong_.push_back(wrong);
    }
}

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
