// SPDX-License-Identifier: MIT
// Pairs, triples and quadruples of points counted by the lengths of their sides: the sums of correlation functions.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/bins.hpp"
#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

// The points of a catalogue in tiles, whose pairs and triples are counted by maps of simplices on a CPU or a device.

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

/// Sums of weight products over all tuples of `order` points, by class and by the number of data points among them.
class TupleCounts {
public:
    TupleCounts(std::size_t order, std::size_t classes);

    std::size_t order() const { return order_; }
    std::size_t classes() const { return classes_; }
    /// Sum over the tuples with `data` data points.
    double sum(std::size_t data, std::size_t kind) const { return sums_[data * classes_ + kind]; }
    /// The same without the tuples that have a point in this region.
    double without(std::size_t region, std::size_t data, std::size_t kind) const {
        return sum(data, kind) - sums_[place(region + 1, data) + kind];
    }
    /// Adds the sums of tuples with `data` data points, all in these regions.
    void add(std::span<const double> sums, std::size_t data, std::span<const std::uint8_t> regions);
    TupleCounts& operator+=(const TupleCounts& other);

private:
    std::size_t place(std::size_t layer, std::size_t data) const { return (layer * (order_ + 1) + data) * classes_; }

    std::size_t order_, classes_;
    std::vector<double> sums_;  // all, then for each region those that have a point in it
};

/// Number of classes of triangles by the bins of their sides r1 ≤ r2 ≤ r3: bins(bins + 1)(bins + 2)/6.
std::size_t triangle_classes(std::size_t bins);

/// Counts all tuples of `order` points, each once: tiles of points are assigned by the triangular, tetrahedral or
/// 4-simplex map of core/maps/exact. The class of a pair is the bin of its length, of a triple the index of its sorted
/// bins in the tetrahedron b1 ≤ b2 ≤ b3, and of a quadruple the bin that all six lengths share; other tuples are left
/// out. `period`: edge of a periodic box, whose nearest images count; 0: none. The result does not depend on the number
/// of threads. Incomplete after a stop.
TupleCounts count_tuples(Pool& pool, std::size_t order, std::vector<CataloguePoint> points, const Bins& bins,
                         double period, const std::stop_token& stop = {});

struct TimedCounts {
    TupleCounts counts;
    double seconds;  ///< on the device, without copies
};
/// count_tuples() of order 2 or 3 on the first CUDA device: the same classes of the same distances in double. Equal to
/// those sums where all data points and all random points have one weight each and sums of products are exact;
/// otherwise up to rounding. Throws Error{kEnvironment} without a device, or without memory for a byte per two pairs of
/// points of order 3.
TimedCounts count_tuples_on_device(std::size_t order, std::vector<CataloguePoint> points, const Bins& bins,
                                   double period, const std::stop_token& stop = {});

/// count_tuples() of order 3 on the device of OpenGL, which adds up the triples; bins of distances are found on the
/// CPU. Equal to those sums. Throws Error{kUsage} if weights of a kind differ or for more than 32 768 points, and
/// Error{kEnvironment} without a device.
TimedCounts count_triples_on_gl(Pool& pool, std::vector<CataloguePoint> points, const Bins& bins, double period,
                                const std::stop_token& stop = {});

/// An estimate with its jackknife error.
struct Estimate {
    double value, error;
};

/// The estimator (D − R)ⁿ/Rⁿ of each class, n the order: Landy & Szalay 1993, ApJ 412, 64, for pairs; Szapudi & Szalay
/// 1998, ApJ 494, L41, for all orders. Errors leave out one region at a time. NaN where no tuple of random points is in
/// a class.
std::vector<Estimate> correlation(const TupleCounts& counts, std::span<const CataloguePoint> points);

/// Sum of the products of the weights of all groups of n points, n = 0 … 4, of one kind, without one region unless it
/// is kJackknifeRegions.
std::array<double, 5> products_of(std::span<const CataloguePoint> points, bool data, std::size_t without);

}  // namespace orrery
