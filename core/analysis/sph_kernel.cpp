// SPDX-License-Identifier: MIT
#include "core/analysis/sph_kernel.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/spatial/neighbours.hpp"

namespace orrery {
namespace {

constexpr int kNeighboursOfKernel = 32;  // its support without lengths in the file

/// A field of smoothing lengths, and the radius of the kernel's support in units of them.
struct SmoothingField {
    std::string_view name;
    double support;
};
constexpr auto kSmoothingFields = std::to_array<SmoothingField>({
    {"SmoothingLength", 1},  // Gadget, GIZMO, EAGLE: W = 0 from h on (Springel 2005, eq. 4)
    {"HSML", 1},
    {"Hsml", 1},
    {"SmoothingLengths", 1.825742},  // SWIFT, cubic spline: Dehnen & Aly 2012, MNRAS 425, 1068, table 1
    {"hsmooth", 2},                  // TIPSY: W = 0 from 2h on (Wadsley, Stadel & Quinn 2004, New Astronomy 9, 137)
});

}  // namespace

std::vector<double> kernel_supports(Pool& pool, const std::vector<BodyField>& fields, std::span<const Vec4d> places,
                                    std::span<const std::uint32_t> rows) {
    std::vector<double> all(places.size(), std::numeric_limits<double>::quiet_NaN());
    for (const SmoothingField& known : kSmoothingFields)
        if (const auto field = std::ranges::find(fields, known.name, &BodyField::name); field != fields.end()) {
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] = known.support * static_cast<double>((*field->values)[rows.empty() ? i : rows[i]]);
            break;
        }
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
