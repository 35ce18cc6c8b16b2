// SPDX-License-Identifier: MIT
#include "core/analysis/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>

#include "core/base/error.hpp"
#include "core/bodies/optics.hpp"
#include "core/spatial/neighbours.hpp"

namespace orrery {
namespace {

constexpr int kNeighboursOfKernel = 32;  // its support without lengths in the file

constexpr double kMostReach = 32;          // voxels
constexpr double kLargestIndex = 1 << 30;  // of a voxel
constexpr double kVoxelsOfRadius = 64;
constexpr std::size_t kBricksAtOnce = 64;

using Cell = std::array<int, 3>;

/// A body in units of voxels.
struct Grain {
    double at[3], support, share;  // share: mass over the sum of the kernel
};

/// First and last voxel along an axis whose middles lie within the support.
struct Span {
    int first, last;
};
Span span_of(const Grain& grain, int axis) {
    return {static_cast<int>(std::ceil(grain.at[axis] - grain.support)),
            static_cast<int>(std::floor(grain.at[axis] + grain.support))};
}

double square(double x) { return x * x; }

/// Calls add(x, y, z, kernel) for the voxels of a box that a grain reaches.
template <class Add>
void visit(const Grain& grain, const Cell& low, const Cell& high, const Add& add) {
    const Span x = span_of(grain, 0), y = span_of(grain, 1), z = span_of(grain, 2);
    const double scale = 1 / grain.support;
    for (int k = std::max(z.first, low[2]); k <= std::min(z.last, high[2]); ++k)
        for (int j = std::max(y.first, low[1]); j <= std::min(y.last, high[1]); ++j) {
            const double across = square(k - grain.at[2]) + square(j - grain.at[1]);
            for (int i = std::max(x.first, low[0]); i <= std::min(x.last, high[0]); ++i) {
                const double q = std::sqrt(across + square(i - grain.at[0])) * scale;
                if (q < 1) add(i, j, k, sph_kernel(q));
            }
        }
}

constexpr Cell kLow{std::numeric_limits<int>::min(), std::numeric_limits<int>::min(), std::numeric_limits<int>::min()};
constexpr Cell kHigh{std::numeric_limits<int>::max(), std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};

std::vector<Grain> grains_of(Pool& pool, const Bodies& bodies, double voxel) {
    const std::vector<double> supports = kernel_supports(pool, bodies.fields, bodies.position_mass);
    std::vector<Grain> grains(bodies.size());
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const Vec4d& p = bodies.position_mass[i];
        Grain& grain =
            grains[i] = {{p.x / voxel, p.y / voxel, p.z / voxel}, std::clamp(supports[i] / voxel, 1.0, kMostReach), 0};
        for (const double at : grain.at)
            if (!(std::abs(at) < kLargestIndex))
                usage_error(fmt::format("voxels of {:g} are too small: body {} lies {:g} of them from the origin",
                                        voxel, i, std::abs(at)));
    }
    for_each_in_blocks(
        pool, grains.size(),
        [&](std::size_t i) {
            double sum = 0;
            visit(grains[i], kLow, kHigh, [&](int, int, int, double kernel) { sum += kernel; });
            grains[i].share = bodies.position_mass[i].w / sum;
        },
        256);
    return grains;
}

int brick_of(int voxel) {
    return voxel >= 0 ? voxel / VoxelBrick::kSide : -((VoxelBrick::kSide - 1 - voxel) / VoxelBrick::kSide);
}

/// The bricks by z, y, x with the grains that reach them, in their order.
std::map<Cell, std::vector<std::uint32_t>> sorted(const std::vector<Grain>& grains) {
    std::map<Cell, std::vector<std::uint32_t>> bricks;
    for (std::uint32_t n = 0; n < grains.size(); ++n) {
        if (!(grains[n].share > 0)) continue;
        Span of[3];
        for (int axis = 0; axis < 3; ++axis) {
            const Span all = span_of(grains[n], axis);
            of[axis] = {brick_of(all.first), brick_of(all.last)};
        }
        for (int z = of[2].first; z <= of[2].last; ++z)
            for (int y = of[1].first; y <= of[1].last; ++y)
                for (int x = of[0].first; x <= of[0].last; ++x) bricks[{z, y, x}].push_back(n);
    }
    return bricks;
}

VoxelBrick made(const Bodies& bodies, const std::vector<Grain>& grains, double voxel, const Cell& where,
                const std::vector<std::uint32_t>& here) {
    constexpr int kSide = VoxelBrick::kSide;
    VoxelBrick brick;
    brick.first = {where[2] * kSide, where[1] * kSide, where[0] * kSide};
    const Cell& low = brick.first;
    const Cell high{low[0] + kSide - 1, low[1] + kSide - 1, low[2] + kSide - 1};
    const std::size_t count = bodies.fields.size();
    std::vector<double> mass(VoxelBrick::kVoxels), sums(VoxelBrick::kVoxels * count), weights(sums.size());
    std::vector<Vec3d> momentum(VoxelBrick::kVoxels);
    for (const std::uint32_t n : here)
        visit(grains[n], low, high, [&](int i, int j, int k, double kernel) {
            const auto at = static_cast<std::size_t>(((k - low[2]) * kSide + j - low[1]) * kSide + i - low[0]);
            const double part = grains[n].share * kernel;
            mass[at] += part;
            momentum[at] = momentum[at] + part * bodies.velocity[n];
            for (std::size_t f = 0; f < count; ++f) {
                const auto value = static_cast<double>((*bodies.fields[f].values)[n]);
                if (!std::isfinite(value)) continue;
                sums[at * count + f] += part * value, weights[at * count + f] += part;
            }
        });
    const double per_volume = 1 / (voxel * voxel * voxel);
    brick.density.resize(VoxelBrick::kVoxels);
    brick.velocity.resize(VoxelBrick::kVoxels);
    brick.fields.assign(count, std::vector<float>(VoxelBrick::kVoxels, std::numeric_limits<float>::quiet_NaN()));
    for (std::size_t at = 0; at < VoxelBrick::kVoxels; ++at) {
        if (!(mass[at] > 0)) continue;
        brick.density[at] = static_cast<float>(mass[at] * per_volume);
        const Vec3d mean = (1 / mass[at]) * momentum[at];
        brick.velocity[at] = {static_cast<float>(mean.x), static_cast<float>(mean.y), static_cast<float>(mean.z)};
        for (std::size_t f = 0; f < count; ++f)
            if (const double weight = weights[at * count + f]; weight > 0)
                brick.fields[f][at] = static_cast<float>(sums[at * count + f] / weight);
    }
    return brick;
}

}  // namespace

std::vector<double> kernel_supports(Pool& pool, const std::vector<BodyField>& fields, std::span<const Vec4d> places,
                                    std::span<const std::uint32_t> rows) {
    std::vector<double> all(places.size(), std::numeric_limits<double>::quiet_NaN());
    if (const BodyOptics optics = optics_of(fields); optics.lengths)
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = optics.support * static_cast<double>((*optics.lengths)[rows.empty() ? i : rows[i]]);
    if (std::ranges::none_of(all, [](double support) { return !(support > 0); })) return all;
    std::vector<Vec4f> points;
    for (const Vec4d& b : places)
        points.push_back({static_cast<float>(b.x), static_cast<float>(b.y), static_cast<float>(b.z), 0});
    std::vector<float> distances;
    Neighbours{}.find(pool, points, kNeighboursOfKernel, distances);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!(all[i] > 0)) all[i] = static_cast<double>(distances[i]);
    return all;
}

double suggested_voxel(const Bodies& bodies) {
    std::vector<double> coordinates[3];
    for (const Vec4d& p : bodies.position_mass)
        coordinates[0].push_back(p.x), coordinates[1].push_back(p.y), coordinates[2].push_back(p.z);
    const auto at_share = [](std::vector<double>& of, double share) {
        const auto place = of.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(of.size() - 1));
        std::nth_element(of.begin(), place, of.end());
        return *place;
    };
    const Vec3d middle{at_share(coordinates[0], 0.5), at_share(coordinates[1], 0.5), at_share(coordinates[2], 0.5)};
    std::vector<double> away;
    for (const Vec4d& p : bodies.position_mass) away.push_back(length(xyz(p) - middle));
    const double radius = at_share(away, 0.9);
    if (!(radius > 0)) return 1;
    const double wish = radius / kVoxelsOfRadius, power = std::pow(10, std::floor(std::log10(wish)));
    for (const double round : {1.0, 2.0, 5.0})
        if (round * power >= wish) return round * power;
    return 10 * power;
}

void for_each_brick(Pool& pool, const Bodies& bodies, double voxel,
                    const std::function<void(const VoxelBrick& brick)>& take) {
    const std::vector<Grain> grains = grains_of(pool, bodies, voxel);
    const auto bricks = sorted(grains);
    std::vector<VoxelBrick> some;
    for (auto next = bricks.begin(); next != bricks.end();) {
        std::vector<decltype(next)> now;
        for (; next != bricks.end() && now.size() < kBricksAtOnce; ++next) now.push_back(next);
        some.resize(now.size());
        pool.parallel_for(0, now.size(), [&](std::uint64_t i) {
            some[i] = made(bodies, grains, voxel, now[i]->first, now[i]->second);
        });
        for (const VoxelBrick& brick : some) take(brick);
    }
}

}  // namespace orrery
