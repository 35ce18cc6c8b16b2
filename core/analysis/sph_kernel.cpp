// SPDX-License-Identifier: MIT
#include "core/analysis/sph_kernel.hpp"

#include <algorithm>
#include <limits>

#include "core/bodies/optics.hpp"
#include "core/spatial/neighbours.hpp"

namespace orrery {
namespace {

constexpr int kNeighboursOfKernel = 32;  // its support without lengths in the file

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

}  // namespace orrery
