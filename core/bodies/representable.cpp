// SPDX-License-Identifier: MIT
#include "core/bodies/representable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"

namespace orrery {
namespace {

/// Decimal logarithms of typical distance over largest distance. Engines with internal units treat pairs closer than
/// 1e-12 of the largest distance as touching in single precision; mixed precision resolves 2⁻⁴⁸ of it.
constexpr double kLeastOfOwnUnits = -10, kLeastOfMixed = -8;

/// Decimal logarithms, because products of doubles may overflow.
struct Range {
    double least, most, touching;  ///< normal numbers, and the squared distance up to which bodies count as touching
};
template <class Real>
Range range_of() {
    return {std::log10(double{std::numeric_limits<Real>::min()}), std::log10(double{std::numeric_limits<Real>::max()}),
            std::log10(double{kTouching<Real>})};
}

/// Median distance from the median of the coordinates, which outliers do not affect. Ignores bodies exactly there; 0 if
/// all are.
double typical_distance(const std::vector<Vec3d>& sample) {
    const auto median = [](std::vector<double>& values) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::ranges::nth_element(values, middle);
        return *middle;
    };
    std::vector<double> x, y, z, distances;
    for (const Vec3d& at : sample)
        if (std::isfinite(at.x + at.y + at.z)) x.push_back(at.x), y.push_back(at.y), z.push_back(at.z);
    if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
    const Vec3d centre{median(x), median(y), median(z)};
    for (const Vec3d& at : sample) {
        const Vec3d d = at - centre;
        if (const double r = std::hypot(d.x, d.y, d.z); r > 0) distances.push_back(r);
    }
    return distances.empty() ? 0 : median(distances);
}

/// The diagonal of the bounding box of all bodies.
double largest_distance(const BodyExtent& all) {
    return std::hypot(all.high.x - all.low.x, all.high.y - all.low.y, all.high.z - all.low.z);
}

std::string limit(double logarithm) { return fmt::format("{:.2g}", std::pow(10, logarithm)); }

}  // namespace

std::string unrepresentable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& config) {
    const BodiesInMemory source{bodies};
    return unrepresentable(MeasuredSource{source, kMeasuredSample}, gravity, config);
}

std::string unrepresentable(const MeasuredSource& bodies, const Gravity& gravity, const EngineConfig& config) {
    const EngineEntry* entry = find_engine(config);
    if (!entry || bodies.size() == 0) return {};
    const bool triplets = entry->law != Law::kPairs;
    if (!triplets && gravity.law != PairLaw::kGravity) return {};
    const Range range = config.precision == Precision::kDouble ? range_of<double>() : range_of<float>();
    double total = 0, heaviest = 0, before = 0;
    const MassReader masses{bodies};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double mass = masses(i);
        total += mass, heaviest = std::max(heaviest, mass);
        const bool known = mass == std::exchange(before, mass);
        if (!known && mass > 0 && std::log10(mass) < range.least)
            return fmt::format("body {} has a mass of {:g}, below {}", i, mass, limit(range.least));
    }
    if (total > 0 && std::log10(total) > range.most)
        return fmt::format("a total mass of {:g}, above {}", total, limit(range.most));
    const BodyExtent& extent = bodies.extent();
    const double largest = largest_distance(extent), typical = typical_distance(extent.sample);
    const double far = std::log10(std::hypot(largest, gravity.softening)),
                 near = std::log10(std::hypot(typical, gravity.softening));
    // A single body, all bodies at one position without softening, or a body already lost.
    if (!(far > -std::numeric_limits<double>::infinity()) || std::isnan(near)) return {};
    if (!entry->own_units) {
        if (2 * far > range.most - std::log10(4))  // the reciprocal of the square must be normal too
            return fmt::format("distances (with softening) of up to {:g}: their squares exceed {}", std::pow(10, far),
                               limit(range.most - std::log10(4)));
        if (2 * near <= range.touching)
            return fmt::format("most bodies are within {:g} of each other, but pairs within {} count as touching",
                               typical, limit(range.touching / 2));
    }
    const bool mixed = config.precision == Precision::kMixed,
               own_in_single = entry->own_units && config.precision == Precision::kSingle;
    if ((mixed && near - far < kLeastOfMixed) || (own_in_single && near - far < kLeastOfOwnUnits))
        return fmt::format("most bodies are within {:.2g} of each other, while the largest distances are {:.2g}",
                           std::pow(10, near), std::pow(10, far));
    if (!(heaviest > 0) || !(near > -std::numeric_limits<double>::infinity())) return {};
    const auto outside = [&](const char* what, double logarithm) {
        if (logarithm >= range.least && logarithm <= range.most) return std::string{};
        return fmt::format("{} of about 1e{:.0f}, {} {}", what, logarithm, logarithm < range.least ? "below" : "above",
                           limit(logarithm < range.least ? range.least : range.most));
    };
    std::string found;
    if (triplets)
        return gravity.constant > 0 ? outside("forces of triplets", std::log10(gravity.constant) - 10 * near) : found;
    if (!entry->own_units) found = outside("masses over cubes of distances", std::log10(heaviest) - 3 * near);
    if (!(gravity.constant > 0)) return found;
    const double strength = std::log10(gravity.constant);
    if (found.empty() && !entry->own_units) found = outside("a constant of gravity", strength);
    if (found.empty()) found = outside("accelerations", strength + std::log10(total) - 2 * near);
    if (found.empty()) found = outside("potentials", strength + std::log10(total) - near);
    return found;
}

void require_representable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine) {
    const BodiesInMemory source{bodies};
    require_representable(MeasuredSource{source, kMeasuredSample}, gravity, engine);
}

void require_representable(const MeasuredSource& bodies, const Gravity& gravity, const EngineConfig& engine) {
    const std::string what = unrepresentable(bodies, gravity, engine);
    if (what.empty()) return;
    const bool is_double = engine.precision == Precision::kDouble;
    usage_error(fmt::format("engine '{}' in {} precision cannot compute these bodies: {}; use {}", engine.engine,
                            name(engine.precision), what, is_double ? "other units" : "--precision double"));
}

}  // namespace orrery
