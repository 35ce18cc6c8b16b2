// SPDX-License-Identifier: MIT
#include "core/maps/maps.hpp"

#include <fmt/format.h>

#include <array>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

constexpr bool kTakesRoot = true, kNoRoot = false;

constexpr std::array kMaps{
    MapEntry{"bb", "Bounding box", "the whole square of blocks; those above the diagonal return at once", kNoRoot,
             MapId::kBoundingBox},
    MapEntry{"lambda", "Lambda", "tile k in row order, found with a square root; a line of blocks, none wasted",
             kTakesRoot, MapId::kLambda},
    MapEntry{"lambda-grid", "Lambda, balanced grid",
             "the same on the papers' square grid; less than two rows of blocks wasted", kTakesRoot,
             MapId::kLambdaGrid},
    MapEntry{"rb", "Rectangular box",
             "one half of the triangle, turned by 180 degrees, fills the gap above the other half", kNoRoot,
             MapId::kRectangularBox},
    MapEntry{"rec", "Recursive partition", "the diagonal, then squares of side 1, 2, 4, ... in one launch", kNoRoot,
             MapId::kRecursive},
    MapEntry{"utm", "Upper triangular", "tile k in column order, found with a square root, counted from the end",
             kTakesRoot, MapId::kUtm},
    MapEntry{"lut", "Look-up table", "the tiles of lambda, read from a table of 8 bytes per tile", kNoRoot,
             MapId::kLut},
    MapEntry{"hadouken", "Hadouken (H)",
             "squares of powers of two, found by bit operations; trapezoids for other sizes", kNoRoot,
             MapId::kHadouken},
    // For study:
    MapEntry{"lambda-strict", "Lambda without diagonal",
             "tile k below the diagonal; the diagonal must be processed separately", kTakesRoot, MapId::kLambdaStrict},
    MapEntry{"lambda-published", "Lambda as published",
             "epsilon = 1e-4 instead of integer correction; its exact range is measured", kTakesRoot,
             MapId::kLambdaPublished},
    MapEntry{"lambda-offset", "Lambda, -0.4999",
             "the authors' later constant, for every root; its exact range is measured", kTakesRoot,
             MapId::kLambdaOffset},
};
constexpr std::size_t kForEngines = 8;

constexpr std::array kRoots{
    RootEntry{"sqrt", "sqrt", "the library's square root (X)", RootId::kSqrt},
    RootEntry{"newton", "Newton", "the bit trick 0x5f3759df and three Newton steps (N)", RootId::kNewton},
    RootEntry{"rsqrt", "rsqrt", "x times the hardware's reciprocal root (R)", RootId::kRsqrt},
    RootEntry{"fp64", "fp64", "the library's square root in double", RootId::kFp64},
};

// first_wrong_row(…, 2²⁰, where) of core/lab/exactness.hpp, by RootId: a triangle of as many rows is still right. The
// tests measure them again.
using ByRoot = std::array<std::uint32_t, 4>;
constexpr ByRoot kPublishedOnHost{4607, 1622, 2054, 1u << 20}, kOffsetOnHost{4607, 1622, 2054, 9999};
constexpr ByRoot kPublishedOnDevice{4607, 1949, 2055, 1u << 20}, kOffsetOnDevice{4607, 1527, 1967, 9999};

}  // namespace

std::span<const MapEntry> maps() { return std::span{kMaps}.first(kForEngines); }
std::span<const MapEntry> study_maps() { return std::span{kMaps}.subspan(kForEngines); }
std::span<const RootEntry> roots() { return kRoots; }

const MapEntry& map(std::string_view id) { return find_in_menu(std::span<const MapEntry>{kMaps}, "map", id); }
const RootEntry& root(std::string_view id) { return find_in_menu(roots(), "root", id); }

const MapEntry& engine_map(std::string_view id) {
    const MapEntry& entry = map(id);
    if (entry.map == MapId::kLambdaStrict)
        usage_error(fmt::format("map {} is for study: it omits the diagonal, and forces would be wrong", entry.id));
    return entry;
}

std::uint32_t exact_rows(MapId map, RootId root, Backend where) {
    const bool host = where == Backend::kCpu;
    const auto of = static_cast<std::size_t>(root);
    if (map == MapId::kLambdaPublished) return (host ? kPublishedOnHost : kPublishedOnDevice)[of];
    if (map == MapId::kLambdaOffset) return (host ? kOffsetOnHost : kOffsetOnDevice)[of];
    return kMostRows;
}

void require_exact(const MapEntry& map, const RootEntry& root, std::uint32_t rows, Backend where) {
    const std::uint32_t most = exact_rows(map.map, root.root, where);
    if (rows <= most) return;
    usage_error(fmt::format("map {}{}{} is exact up to {} rows of tiles on {}, asked for {}", map.id,
                            map.takes_root ? " with root " : "", map.takes_root ? root.id : "", most, name(where),
                            rows));
}

std::vector<Tile> lut_table(std::uint32_t rows) {
    require_memory(fmt::format("map lut with {} rows of tiles", rows), triangular(rows) * sizeof(Tile));
    std::vector<Tile> table;
    table.reserve(triangular(rows));
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t col = 0; col <= row; ++col) table.push_back({row, col});
    return table;
}

MapPlan::MapPlan(const MapEntry& map, const RootEntry& root, std::uint32_t rows)
    : map_{map.map, root.root}, rows_{rows} {
    if (rows == 0) usage_error(fmt::format("map {} needs at least one row of tiles", map.id));
    require_exact(map, root, rows, Backend::kCpu);
    if (map.map != MapId::kLut) return;
    table_ = std::make_shared<const std::vector<Tile>>(lut_table(rows));
    map_.table = table_->data();
}

std::uint64_t MapPlan::useful() const {
    return map_.map == MapId::kLambdaStrict ? triangular(rows_) - rows_ : triangular(rows_);
}

MapPlan plan(std::string_view map_id, std::string_view root_id, std::uint32_t rows) {
    return {map(map_id), root(root_id), rows};
}

}  // namespace orrery
