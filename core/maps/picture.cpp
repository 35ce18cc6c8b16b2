// SPDX-License-Identifier: MIT
#include "core/maps/picture.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bits.hpp"
#include "core/maps/lambda.hpp"

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

}  // namespace orrery
