// SPDX-License-Identifier: MIT
// The points of a catalogue in tiles, whose pairs and triples are counted by maps of simplices on a CPU or a device.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A point of a catalogue: data, or of the random catalogue with the same selection.
struct CataloguePoint {
    Vec3d position;
    double weight = 1;
    bool data = true;
    std::uint8_t region = 0;  ///< of the jackknife, below kJackknifeRegions
};
inline constexpr std::size_t kJackknifeRegions = 8;

inline constexpr std::uint32_t kTilePoints = 32;
/// Tiles of one group have the same kind and region: group = 2 · region + data.
inline constexpr std::uint32_t kTileGroups = 2 * kJackknifeRegions;

/// Consecutive points of one group.
struct TileOfPoints {
    std::uint32_t first, count, group;
    bool data() const { return group % 2 == 1; }
    std::uint8_t region() const { return static_cast<std::uint8_t>(group / 2); }
};

/// Points sorted by group, in their order within a group.
struct TiledCatalogue {
    std::vector<CataloguePoint> points;
    std::vector<TileOfPoints> tiles;
};
TiledCatalogue tiled(std::vector<CataloguePoint> points);

/// Weights of random points and of data.
using KindWeights = std::array<double, 2>;
/// The weight that all points of each kind have; empty if weights of a kind differ.
std::optional<KindWeights> common_weights(const TiledCatalogue& catalogue);
/// The groups g1 ≤ g2 (≤ g3) of this index in their triangle or tetrahedron.
std::array<std::uint32_t, 3> groups_at(std::size_t order, std::uint64_t index);
/// Turns counts of tuples, as in DeviceSums, into sums of products of weights.
void multiply_weights(std::vector<double>& counts, std::size_t order, std::size_t classes, const KindWeights& weights);

/// Number of tiles, and squares of the edges of the bins of distances, as both backends use them.
struct TupleBins {
    std::vector<double> edges2;
    double period = 0;  ///< edge of a periodic box, whose nearest images count; 0: none
    std::size_t size() const { return edges2.size() - 1; }
};

/// Sums of weight products on a device.
struct DeviceSums {
    /// By class, of all tuples of the groups g1 ≤ g2 (≤ g3): [index of the groups in their simplex][class].
    std::vector<double> sums;
    double seconds = 0;  ///< on the device, without copies
};
/// Sums over all pairs (order 2) or triples (3) of points on the first CUDA device. `class_of` has the class of a
/// triple by the bins of its sides, [jk][ik][ij] with bins.size() + 1 entries per side, and the number of classes for
/// no class; of a pair the class is its bin. Exact where all points of a kind have the same weight; otherwise products
/// are added in any order in double. Incomplete after stop() returned true. Throws Error{kEnvironment} without a device
/// or memory.
DeviceSums sum_tuples_on_device(std::size_t order, const TiledCatalogue& catalogue, const TupleBins& bins,
                                std::span<const std::uint16_t> class_of, std::size_t classes,
                                const std::function<bool()>& stop);
/// The same for triples on the device of OpenGL. `tables`: for each pair of tiles (upper, lower), by its index in the
/// triangle, the bins of the distances of their points, [upper][lower], bins.size() for none. Throws Error{kUsage} if
/// weights of a kind differ, and for more than 1024 tiles.
DeviceSums sum_triples_on_gl(const TiledCatalogue& catalogue, std::span<const std::uint8_t> tables,
                             const TupleBins& bins, std::span<const std::uint16_t> class_of, std::size_t classes,
                             const std::function<bool()>& stop);

}  // namespace orrery
