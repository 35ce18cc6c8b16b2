// SPDX-License-Identifier: MIT
// Triples of points by compute shaders on any GPU with OpenGL 4.3. OpenGL adds 32-bit integers only, so all points of a
// kind must have the same weight.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/analysis/tuples.hpp"
#include "core/base/error.hpp"
#include "core/gl/device.hpp"
#include "core/maps/exact/exact_maps.hpp"

namespace orrery {
namespace {

/// The uniform block of core/gl/shaders/count_triangles.comp.
struct TriangleArguments {
    std::uint32_t first = 0, last = 0, none = 0, unused = 0;
};
constexpr std::uint32_t kTriplesPerDispatch = 1 << 14;  // of tiles: short enough for the time limit of a driver

template <class T>
gl::Buffer buffer_of(std::span<const T> values) {
    gl::Buffer buffer{std::max<std::size_t>(4, values.size_bytes())};
    buffer.write(std::as_bytes(values));
    return buffer;
}

}  // namespace

DeviceSums sum_triples_on_gl(const TiledCatalogue& catalogue, std::span<const std::uint8_t> tables,
                             const TupleBins& bins, std::span<const std::uint16_t> class_of, std::size_t classes,
                             const std::function<bool()>& stop) {
    const auto weights = common_weights(catalogue);
    if (!weights) usage_error("three-point: points of different weights are counted on cpu and cuda, not on gl");
    if (catalogue.tiles.size() > exact::kNarrowLayers3)
        usage_error(fmt::format("three-point: up to {} tiles of points on gl, found {}", exact::kNarrowLayers3,
                                catalogue.tiles.size()));
    if (!gl_compute_info().available) environment_error(gl_compute_info().reason);
    std::vector<std::uint32_t> groups;
    for (const TileOfPoints& tile : catalogue.tiles) groups.push_back(tile.group);
    const std::vector<std::uint32_t> cells(class_of.begin(), class_of.end());
    gl::Device& device = gl::Device::get();
    DeviceSums found;
    device.run([&] {
        const gl::Buffer d_tables = buffer_of(tables), d_groups = buffer_of(std::span<const std::uint32_t>{groups}),
                         d_cells = buffer_of(std::span<const std::uint32_t>{cells});
        std::vector<std::uint64_t> counts(exact::triple_count(kTileGroups) * classes);
        gl::Buffer d_sums{counts.size() * sizeof(std::uint64_t)};
        d_sums.clear();
        const gl::Program& program =
            device.program("count_triangles.comp", fmt::format("#define CLASSES {}\n", classes));
        gl::Timestamp begin, end;
        begin.record();
        const auto triples = static_cast<std::uint32_t>(exact::triple_count(catalogue.tiles.size()));
        for (std::uint32_t first = 0; first < triples && !stop(); first += kTriplesPerDispatch) {
            const std::uint32_t last = std::min(triples, first + kTriplesPerDispatch);
            device.dispatch(program, {d_tables.name(), d_groups.name(), d_cells.name(), d_sums.name()},
                            TriangleArguments{first, last, static_cast<std::uint32_t>(bins.size())}, last - first);
            device.functions().flush();
        }
        end.record();
        device.check("three-point on gl");
        d_sums.read(std::as_writable_bytes(std::span{counts}));
        found.seconds = 1e-9 * static_cast<double>(end.read() - begin.read());
        found.sums.assign(counts.begin(), counts.end());
    });
    multiply_weights(found.sums, 3, classes, *weights);
    return found;
}

}  // namespace orrery
