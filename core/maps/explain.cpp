// SPDX-License-Identifier: MIT
#include "core/maps/explain.hpp"

#include <fmt/format.h>

#include <utility>

namespace orrery {
namespace {

/// Collects the lines of an explanation.
struct Say {
    std::vector<std::string> lines;
    template <class... Values>
    void operator()(fmt::format_string<Values...> text, Values&&... values) {
        lines.push_back(fmt::format(text, std::forward<Values>(values)...));
    }
};

}  // namespace

std::vector<std::string> worked_out(const MapEntry& map, const RootEntry& root, Block block, std::uint32_t rows) {
    std::vector<Tile> table;
    AnyMap any{map.map, root.root};
    if (map.reads_table) table = lut_table(rows), any.table = table.data();
    const Tile tile = any(block, rows);
    Say say;
    with_rooted<Maps>(static_cast<std::size_t>(map.map), root.root, [&]<class Map>() {
        Map::explain({block.x, block.y, rows, tile.row, tile.col}, say);
    });
    return std::move(say.lines);
}

std::vector<std::string> worked_out(const Map3Entry& map, const RootEntry& root, Block3 block, std::uint32_t side) {
    const TileTriple triple = AnyMap3{map.map, root.root}(block, side);
    Say say;
    with_rooted<Maps3>(static_cast<std::size_t>(map.map), root.root, [&]<class Map>() {
        Map::explain({block.x, block.y, block.z, side, triple.i, triple.j, triple.k}, say);
    });
    return std::move(say.lines);
}

}  // namespace orrery
