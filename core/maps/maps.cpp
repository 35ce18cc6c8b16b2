// SPDX-License-Identifier: MIT
#include "core/maps/maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

template <class Listed>
constexpr MapEntry entry_of() {
    using Map = Sample<Listed>;
    static_assert(TriangleMap<Map>);
    const ExactRows* exact = nullptr;
    if constexpr (trusts_root<Map>) exact = &Map::exact;
    return {.id = Map::name,
            .label = Map::label,
            .doc = Map::doc,
            .title = Map::title,
            .formula = Map::formula,
            .source = Map::source,
            .glsl = Map::glsl,
            .takes_root = takes_root<Listed>,
            .reads_table = reads_table<Map>,
            .for_study = trusts_root<Map>,
            .exact = exact,
            .map = map_id<Listed>};
}

template <class... Listed>
constexpr auto entries_of(TypeList<Listed...>) {
    return std::array{entry_of<Listed>()...};
}
constexpr auto kMapsMaps = entries_of(Maps{});
constexpr auto kForEngines =
    static_cast<std::size_t>(std::ranges::find_if(kMapsMaps, &MapEntry::for_study) - kMapsMaps.begin());
static_assert(std::ranges::all_of(kMapsMaps.begin() + kForEngines, kMapsMaps.end(), &MapEntry::for_study),
              "maps for study stand at the end of the list");

template <class... R>
constexpr auto entries_of_roots(TypeList<R...>) {
    return std::array{RootEntry{R::name, R::label, R::doc, R::title, R::formula, root_id<R>}...};
}
constexpr auto kRoots = entries_of_roots(Roots{});

}  // namespace

std::span<const MapEntry> maps() { return std::span{kMapsMaps}.first(kForEngines); }
std::span<const MapEntry> study_maps() { return std::span{kMapsMaps}.subspan(kForEngines); }
std::span<const RootEntry> roots() { return kRoots; }

const MapEntry& map(std::string_view id) { return find_in_menu(std::span<const MapEntry>{kMapsMaps}, "map", id); }
const RootEntry& root(std::string_view id) { return find_in_menu(roots(), "root", id); }

std::uint32_t exact_rows(const MapEntry& map, RootId root, Backend where) {
    if (!map.exact) return kMostRows;
    const auto column = static_cast<std::size_t>(root);
    const std::uint32_t host = map.exact->host[column], device = map.exact->device[column];
    return where == Backend::kCpu ? host : where == Backend::kCuda ? device : std::min(host, device);
}

std::optional<Misplaced> first_misplaced(const MapEntry& map, RootId root, std::uint32_t rows) {
    const std::uint32_t row = exact_rows(map, root, Backend::kCpu);
    if (row >= rows) return std::nullopt;
    const AnyMap any{map.map, root};
    const auto found = [&](std::uint32_t col) { return any(block_of_row(any, {row, col}, rows), rows); };
    const Tile first{row, 0}, last{row, row};
    return found(0) == first ? Misplaced{last, found(row)} : Misplaced{first, found(0)};
}

void require_exact(const MapEntry& map, const RootEntry& root, std::uint32_t rows, Backend where) {
    const std::uint32_t most = exact_rows(map, root.root, where);
    if (rows <= most) return;
    usage_error(fmt::format("map {}{}{} is exact up to {} rows of tiles on {}, not for {}", map.id,
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
    if (!map.reads_table) return;
    table_ = std::make_shared<const std::vector<Tile>>(lut_table(rows));
    map_.table = table_->data();
}

MapPlan plan(std::string_view map_id, std::string_view root_id, std::uint32_t rows) {
    return {map(map_id), root(root_id), rows};
}

namespace {

template <class... Listed>
constexpr auto map3_entries_of(TypeList<Listed...>) {
    static_assert((Simplex3Map<Sample<Listed>> && ...));
    return std::array{Map3Entry{Sample<Listed>::name, Sample<Listed>::label, Sample<Listed>::doc, Sample<Listed>::title,
                                Sample<Listed>::formula, Sample<Listed>::source, takes_root<Listed>,
                                map3_id<Listed>}...};
}
constexpr auto kMaps3Maps = map3_entries_of(Maps3{});

}  // namespace

std::span<const Map3Entry> simplex3_maps() { return kMaps3Maps; }

const Map3Entry& simplex3_map(std::string_view id) { return find_in_menu(simplex3_maps(), "map of three tiles", id); }

template <class Real>
std::uint32_t first_wrong_layer(Real epsilon, std::uint32_t limit) {
    const Lambda3Published<Real> map{epsilon};
    const auto right = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        return map(Block3{tetrahedral(k) + triangular(j) + i, 0, 0}, k + 1) == TileTriple{i, j, k};
    };
    for (std::uint32_t k = 0; k < limit; ++k)
        for (std::uint32_t j = k < 1024 ? 0 : k; j <= k; ++j)  // rows within a layer do not fail before its last row
            if (!right(0, j, k) || !right(j, j, k) || !right(0, 0, k)) return k;
    return limit;
}
template std::uint32_t first_wrong_layer(float, std::uint32_t);
template std::uint32_t first_wrong_layer(double, std::uint32_t);

}  // namespace orrery
