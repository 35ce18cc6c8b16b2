// SPDX-License-Identifier: MIT
// How exact a thread map is, by its results alone.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/maps/map.hpp"

namespace orrery {

/// A map that is known only by its results: its grid, and the tiles of an interval of its blocks, x first.
struct EvaluatedMap {
    std::function<Grid(std::uint32_t rows)> grid;
    std::function<void(std::uint32_t rows, std::uint64_t first, std::uint64_t last, Tile* out)> tiles;
};

/// The tiles of one triangle that a map gets wrong. Blocks outside of the triangle are not wrong, but waste.
struct MapExactness {
    std::uint32_t rows = 0;
    std::uint64_t launched = 0;            ///< blocks of the grid
    std::uint64_t missing = 0, twice = 0;  ///< tiles without a block, and with more than one
    std::uint64_t outside = 0;             ///< blocks outside of the triangle
    std::optional<Tile> first;             ///< the first wrong tile in row order

    bool exact() const { return missing == 0 && twice == 0; }
};

/// Evaluates the whole grid. Throws Error{kUsage} for a grid of more than 4 rows² + 1024 blocks.
MapExactness exactness_of(const EvaluatedMap& map, std::uint32_t rows);

/// How exact a map is over the numbers of rows.
struct MapVerdict {
    std::uint32_t tested = 0;                 ///< the largest number of rows that was evaluated
    std::optional<MapExactness> first_wrong;  ///< with one row less it is exact; empty: exact wherever it was evaluated
    MapExactness last;                        ///< for `tested` rows
    std::vector<MapExactness> samples;        ///< all evaluations, by rising number of rows
};
/// Evaluates 1 … 64 rows, then ever larger steps up to `most`; between an exact and a wrong number of rows it bisects.
/// Returns early, with the evaluations so far, if `stop` returns true between two of them.
MapVerdict judge_map(const EvaluatedMap& map, std::uint32_t most, const std::function<bool()>& stop = {});

/// "wrong from 2049 rows on: 1 of 2 100 225 tiles missing, 1 twice, first (2048, 0)" or "exact up to 4096 rows, …".
std::string describe(const MapVerdict& verdict);

/// Throws Error{kUsage}, with `name`, unless each tile of a triangle of `rows` rows has exactly one block.
void require_exact(const EvaluatedMap& map, const std::string& name, std::uint32_t rows);

}  // namespace orrery
