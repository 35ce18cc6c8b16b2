// SPDX-License-Identifier: MIT
// The menu of thread maps and roots, and a plan: one map over one triangle, evaluated on the host.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/backend.hpp"
#include "core/maps/any_map.hpp"

namespace orrery {

/// "Bounding box" of "Bounding box (bb)".
constexpr std::string_view without_id(std::string_view title) { return title.substr(0, title.rfind(" (")); }

/// A line of the map menu. --map, --list, the UI, docs/maps.md and the tests read it.
struct MapEntry {
    std::string_view id, label, doc;
    std::string_view title, formula, source, glsl;  ///< as in TriangleMap
    bool takes_root;
    bool reads_table;        ///< needs AnyMap::table, from lut_table()
    bool for_study;          ///< as published: exact only up to exact_rows()
    const ExactRows* exact;  ///< for maps that trust their root; null: exact up to kMostRows
    MapId map;
};
struct RootEntry {
    std::string_view id, label, doc;
    std::string_view title;    ///< with the id: "Newton steps, N (newton)"
    std::string_view formula;  ///< of √x
    RootId root;
};

/// The maps that are exact.
std::span<const MapEntry> maps();
/// Maps for study: as published, and exact only up to exact_rows(), beyond which engines refuse them.
std::span<const MapEntry> study_maps();
std::span<const RootEntry> roots();

/// Looks up maps() and study_maps(). Throws Error{kUsage} for an unknown id, as root() does.
const MapEntry& map(std::string_view id);
const RootEntry& root(std::string_view id);

/// Number of rows up to which this map is exact with this root: for the published forms measured on an x86-64 host and
/// on an H200, where 2²⁰ is the end of the measured range; kMostRows for all others. On OpenGL the smaller of both,
/// because roots depend on the driver; its engines also check every tile on the device.
std::uint32_t exact_rows(const MapEntry& map, RootId root, Backend where);
/// A tile that a map misplaces.
struct Misplaced {
    Tile wanted, found;
};
/// The first tile that the map misplaces in a triangle of `rows` rows, on the host; empty within its exact range.
std::optional<Misplaced> first_misplaced(const MapEntry& map, RootId root, std::uint32_t rows);

/// Throws Error{kUsage}, naming the range, if `rows` exceeds exact_rows().
void require_exact(const MapEntry& map, const RootEntry& root, std::uint32_t rows, Backend where);

/// A map over a triangle of `rows` rows of tiles, with its table if it needs one: for drawings and CPU engines.
class MapPlan {
public:
    MapPlan(const MapEntry& map, const RootEntry& root, std::uint32_t rows);

    Grid grid() const { return map_.grid(rows_); }
    Tile tile(Block block) const { return map_(block, rows_); }
    /// True if this block of the grid has work.
    bool useful(Block block) const { return orrery::useful(tile(block), rows_); }
    std::uint32_t rows() const { return rows_; }
    const AnyMap& map() const { return map_; }  ///< refers to the table of this plan

    std::uint64_t launched() const { return grid().count(); }
    std::uint64_t useful() const { return triangular(rows_); }  ///< tiles of the domain, each from one block
    std::uint64_t wasted() const { return launched() - useful(); }

private:
    AnyMap map_;
    std::uint32_t rows_;
    std::shared_ptr<const std::vector<Tile>> table_;  // copies of a plan share it
};

/// Throws Error{kUsage} for unknown ids, zero rows, more than kMostRows, or a published form beyond its range.
MapPlan plan(std::string_view map, std::string_view root, std::uint32_t rows);

// The menu of maps of the 3-simplex. They use the roots of core/maps/maps.hpp.

struct Map3Entry {
    std::string_view id, label, doc;
    std::string_view title, formula, source;  ///< as in MapEntry
    bool takes_root;
    Map3Id map;
};

/// All maps are exact over the whole tetrahedron of up to kMostLayers layers.
std::span<const Map3Entry> simplex3_maps();
/// Throws Error{kUsage} for an unknown id.
const Map3Entry& simplex3_map(std::string_view id);

/// The first layer in which the form without integer correction, Lambda3Published in Real with this ε, misplaces a
/// triple: the first, the last, or one at an end of a row. Returns `limit` if there is none below.
template <class Real>
std::uint32_t first_wrong_layer(Real epsilon, std::uint32_t limit);

}  // namespace orrery
