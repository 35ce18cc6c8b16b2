// SPDX-License-Identifier: MIT
#include "core/engines/gl/map_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "core/base/error.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/maps/map.hpp"

namespace orrery::gl {
namespace {

/// "lambda-grid" as "LAMBDA_GRID".
std::string constant_of(std::string_view id) {
    std::string name{id};
    for (char& c : name) c = c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return name;
}

/// Blocks of a dispatch: a map takes less than a microsecond per thousand.
constexpr std::uint64_t kMostBlocks = 1u << 22;

/// Runs a map over its grid: counts how often each tile is taken and, if `tiles` is large enough, writes each tile.
void run_map(const MapEntry& map, const RootEntry& root, std::uint32_t rows, unsigned table, const Buffer& tiles,
             const Buffer& taken) {
    Device& device = Device::get();
    const AnyMap any{map.map, root.root, nullptr};
    const Grid grid = any.grid(rows);
    PairArguments<float> arguments;
    arguments.tile_rows = rows;
    arguments.grid_x = static_cast<std::uint32_t>(grid.x);
    arguments.map = static_cast<std::uint32_t>(map.map);
    arguments.root = static_cast<std::uint32_t>(root.root);
    arguments.balanced_side = static_cast<std::uint32_t>(balanced_side(rows));
    const Program& program = device.program("maps.comp:tiles", map_defines(root));
    for (std::uint64_t first = 0; first < grid.count(); first += kMostBlocks) {
        const std::uint64_t last = std::min(grid.count(), first + kMostBlocks);
        arguments.first_item = static_cast<std::uint32_t>(first),
        arguments.last_item = static_cast<std::uint32_t>(last);
        device.dispatch(program, {tiles.name(), taken.name(), table != 0 ? table : taken.name()}, arguments,
                        (last - first + 63) / 64);
    }
}

}  // namespace

std::string map_defines(const RootEntry& root) {
    std::string defines, tiles;
    for (const std::span<const MapEntry> menu : {maps(), study_maps()})
        for (const MapEntry& each : menu) {
            const auto number = static_cast<unsigned>(each.map);
            defines += fmt::format("#define MAP_{} {}u\n", constant_of(each.id), number);
            tiles += fmt::format(" if (map == {}u) {{ {} }}", number, each.glsl);
        }
    defines += fmt::format("#define TILE_OF_MAPS{}\n", tiles);
    for (const RootEntry& each : roots())
        defines += fmt::format("#define ROOT_{}{} {}u\n", constant_of(each.id), each.id == "fp64" ? "_ID" : "",
                               static_cast<unsigned>(each.root));
    return defines + fmt::format("#define ROOT_FP64 {}\n", root.id == "fp64" ? 1 : 0);
}

void require_rows(const MapEntry& map, std::uint64_t rows) {
    if (rows <= kNarrowRows) return;
    usage_error(
        fmt::format("map {} on gl has up to {} rows of tiles, not {}; use larger tiles", map.id, kNarrowRows, rows));
}

void require_every_tile(const MapEntry& map, const RootEntry& root, std::uint32_t rows, unsigned table) {
    // By renderer, map, root and rows. Used on the GL thread.
    static std::set<std::tuple<std::string, std::string_view, std::string_view, std::uint32_t>> exact;
    const std::tuple key{Device::info().devices.front().renderer, map.id, map.takes_root ? root.id : std::string_view{},
                         rows};
    if (exact.contains(key)) return;
    Device& device = Device::get();
    const std::uint64_t tiles = triangular(rows);
    Buffer taken{tiles * sizeof(std::uint32_t)}, misplaced{sizeof(std::uint32_t)};
    taken.clear(), misplaced.clear();
    run_map(map, root, rows, table, misplaced, taken);
    misplaced.clear();
    PairArguments<float> arguments;
    arguments.last_item = static_cast<std::uint32_t>(tiles);
    device.dispatch(device.program("maps.comp:misplaced", ""), {misplaced.name(), taken.name()}, arguments,
                    (tiles + 63) / 64);
    std::uint32_t found = 0;
    misplaced.read(std::as_writable_bytes(std::span{&found, 1}));
    if (found > 0)
        usage_error(fmt::format("map {}{}{} misplaces {} of the tiles of {} rows on this OpenGL device", map.id,
                                map.takes_root ? " with root " : "", map.takes_root ? root.id : "", found, rows));
    exact.insert(key);
}

std::vector<Tile> tiles_on_device(const MapEntry& map, const RootEntry& root, std::uint32_t rows) {
    return Device::get().run([&] {
        const Grid grid = AnyMap{map.map, root.root, nullptr}.grid(rows);
        std::vector<Tile> found(grid.count());
        const Buffer tiles{std::max<std::uint64_t>(2, grid.count()) * sizeof(Tile)};
        Buffer taken{triangular(rows) * sizeof(std::uint32_t)}, table;
        taken.clear();
        if (map.reads_table) {
            const std::vector<Tile> all = lut_table(rows);
            table = Buffer{all.size() * sizeof(Tile)};
            table.write(std::as_bytes(std::span{all}));
        }
        run_map(map, root, rows, table.name(), tiles, taken);
        tiles.read(std::as_writable_bytes(std::span{found}));
        return found;
    });
}

std::uint32_t exact_misplaced(int order, std::uint32_t first, std::uint32_t last, std::uint32_t n) {
    return Device::get().run([&] {
        Device& device = Device::get();
        Buffer misplaced{sizeof(std::uint32_t)};
        misplaced.clear();
        PairArguments<float> arguments;
        arguments.tile_rows = n;
        const Program& program = device.program("maps.comp:exact", fmt::format("#define ORDER {}\n", order));
        for (std::uint64_t begin = first; begin < last; begin += kMostBlocks) {
            const std::uint64_t end = std::min<std::uint64_t>(last, begin + kMostBlocks);
            arguments.first_item = static_cast<std::uint32_t>(begin);
            arguments.last_item = static_cast<std::uint32_t>(end);
            device.dispatch(program, {misplaced.name()}, arguments, (end - begin + 63) / 64);
        }
        std::uint32_t found = 0;
        misplaced.read(std::as_writable_bytes(std::span{&found, 1}));
        return found;
    });
}

}  // namespace orrery::gl
