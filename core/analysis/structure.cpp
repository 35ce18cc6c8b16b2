// SPDX-License-Identifier: MIT
#include "core/analysis/structure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSample = 1 << 15, kLeast = 32;
constexpr double kShrink = 0.9;

double distance2(Vec3d a, Vec3d b) {
    const Vec3d d = a - b;
    return dot(d, d);
}

Vec3d centre_of_mass(std::span<const Vec4d> bodies) {
    CompensatedSum mass;
    VectorSum moment;
    for (const Vec4d& b : bodies) mass.add(b.w), moment.add(b.w * xyz(b));
    return (1 / mass.value()) * moment.value();
}

/// Shrinks the sphere until a smaller one would hold fewer than `least` bodies, or until all bodies in it are at its
/// centre, where no smaller sphere could exclude one. Removes the bodies outside from `bodies`.
DensityCentre shrink(std::vector<Vec4d>& bodies, DensityCentre from, std::size_t least) {
    while (bodies.size() > least) {
        const double radius = kShrink * from.radius;
        double farthest2 = 0;
        const auto outside = std::partition(bodies.begin(), bodies.end(), [&](const Vec4d& b) {
            const double r2 = distance2(xyz(b), from.place);
            farthest2 = std::max(farthest2, r2);
            return r2 <= radius * radius;
        });
        const auto inside = static_cast<std::size_t>(outside - bodies.begin());
        if (inside < least || farthest2 == 0) break;
        bodies.resize(inside);
        from = {centre_of_mass(bodies), radius};
    }
    return from;
}

/// Distances from the centre, sorted only into bins of 1/64 of an octave of r², by its bits.
class Radii {
public:
    Radii(Pool& pool, std::span<const Vec4d> bodies, Vec3d centre)
        : pool_{pool}, bodies_{bodies}, distance2_(bodies.size()) {
        double most = 0;
        for (const double part : by_blocks(pool, bodies.size(), [&](std::size_t first, std::size_t last) {
                 double largest = 0;
                 for (std::size_t i = first; i < last; ++i)
                     largest = std::max(largest, distance2_[i] = distance2(xyz(bodies_[i]), centre));
                 return largest;
             }))
            most = std::max(most, part);
        most_ = most;
        first_key_ = std::max<std::int64_t>(raw_key(most) - kBins + 1, 0);
        fill();
    }

    /// The smallest r with at least `fraction` of the total mass within it.
    template <std::size_t count>
    std::array<double, count> lagrangian(const std::array<double, count>& fractions) const {
        double all = 0;
        for (const Bin& bin : bins_) all += bin.mass;
        std::array<double, count> radii{};
        for (std::size_t i = 0; i < count; ++i) {
            const double wanted =
                fractions[i] * all * (1 - 1e-12);  // tolerates rounding errors, which are smaller than any body
            double inside = 0;
            std::size_t bin = 0;
            while (bin + 1 < kBins && inside + bins_[bin].mass < wanted) inside += bins_[bin++].mass;
            radii[i] = within(bin, wanted - inside);
        }
        return radii;
    }

    std::vector<DensityShell> profile() const {
        constexpr std::size_t kBall = 10;
        std::vector<DensityShell> shells;
        DensityShell shell{};
        double mass = 0;
        for (std::size_t bin = 0; bin < kBins && most_ > 0; ++bin) {
            shell.bodies += bins_[bin].bodies, mass += bins_[bin].mass;
            const std::int64_t next = first_key_ + static_cast<std::int64_t>(bin) + 1;
            if (bin + 1 < kBins && (next % kPerDoubling != 0 || (shells.empty() && shell.bodies < kBall))) continue;
            shell.outer = std::sqrt(std::bit_cast<double>((next + kPerDoubling - 1) / kPerDoubling << 52));
            if (shell.bodies > 0) {
                const double volume = 4 * std::numbers::pi / 3 * (cube(shell.outer) - cube(shell.inner));
                shell.density = mass / volume;
                shells.push_back(shell);
            }
            shell = {.inner = shell.outer}, mass = 0;
        }
        return shells;
    }

private:
    static constexpr std::int64_t kPerDoubling = 64;
    static constexpr std::size_t kBins = 4096;
    struct Bin {
        double mass = 0;
        std::size_t bodies = 0;
    };

    static double cube(double r) { return r * r * r; }
    static std::int64_t raw_key(double r2) { return std::bit_cast<std::int64_t>(r2) >> (52 - 6); }
    std::size_t bin_of(double r2) const {
        return static_cast<std::size_t>(std::max<std::int64_t>(raw_key(r2) - first_key_, 0));
    }

    void fill() {
        for (const std::vector<Bin>&part : by_blocks(pool_, bodies_.size(), [&](std::size_t first, std::size_t last) {
                 std::vector<Bin> bins(kBins);
                 for (std::size_t i = first; i < last; ++i) {
                     Bin& bin = bins[bin_of(distance2_[i])];
                     bin.mass += bodies_[i].w, ++bin.bodies;
                 }
                 return bins;
             }))
            for (std::size_t i = 0; i < kBins; ++i) bins_[i].mass += part[i].mass, bins_[i].bodies += part[i].bodies;
    }

    /// The smallest r of a body in this bin such that the bin's bodies up to it have at least `mass`.
    double within(std::size_t bin, double mass) const {
        struct Body {
            double r2, mass;
        };
        std::vector<Body> all;
        for (const std::vector<Body>&part : by_blocks(pool_, bodies_.size(), [&](std::size_t first, std::size_t last) {
                 std::vector<Body> found;
                 for (std::size_t i = first; i < last; ++i)
                     if (bin_of(distance2_[i]) == bin) found.push_back({distance2_[i], bodies_[i].w});
                 return found;
             }))
            all.insert(all.end(), part.begin(), part.end());
        std::ranges::stable_sort(all, {}, &Body::r2);
        for (const Body& body : all)
            if ((mass -= body.mass) <= 0) return std::sqrt(body.r2);
        return all.empty() ? 0 : std::sqrt(all.back().r2);
    }

    Pool& pool_;
    std::span<const Vec4d> bodies_;
    std::vector<double> distance2_;
    double most_ = 0;  // the largest of them
    std::int64_t first_key_ = 0;
    std::vector<Bin> bins_ = std::vector<Bin>(kBins);
};

}  // namespace

DensityCentre density_centre(Pool& pool, std::span<const Vec4d> bodies) {
    if (bodies.empty()) return {};
    const std::size_t count = bodies.size(), step = (count + kSample - 1) / kSample;
    std::vector<Vec4d> some;  // test particles are ignored
    for (std::size_t i = 0; i < count; i += step)
        if (bodies[i].w > 0) some.push_back(bodies[i]);
    if (some.empty()) std::ranges::copy_if(bodies, std::back_inserter(some), [](const Vec4d& b) { return b.w > 0; });
    if (some.empty()) return {};
    DensityCentre centre{centre_of_mass(some), 0};
    for (const Vec4d& b : some) centre.radius = std::max(centre.radius, distance2(xyz(b), centre.place));
    centre.radius = std::sqrt(centre.radius) * (1 + 1e-12);
    if (step == 1) return shrink(some, centre, std::max(kLeast, count / 100));

    centre = shrink(some, centre, some.size() / 50);
    centre.radius *= 2;
    some.clear();
    for (const std::vector<Vec4d>&part : by_blocks(pool, count, [&](std::size_t first, std::size_t last) {
             std::vector<Vec4d> near;
             for (std::size_t i = first; i < last; ++i)
                 if (bodies[i].w > 0 && distance2(xyz(bodies[i]), centre.place) <= centre.radius * centre.radius)
                     near.push_back(bodies[i]);
             return near;
         }))
        some.insert(some.end(), part.begin(), part.end());
    return shrink(some, centre, std::max(kLeast, count / 100));
}

Structure structure_of(Pool& pool, const Bodies& bodies) {
    Structure result{.motion = motion_of(pool, bodies)};
    if (bodies.size() == 0) return result;
    const DensityCentre centre = density_centre(pool, bodies.position_mass);
    result.centre = centre.place, result.centre_radius = centre.radius;
    const Radii radii{pool, bodies.position_mass, centre.place};
    result.lagrangian_radii = radii.lagrangian(kMassFractions);
    result.profile = radii.profile();
    result.closest = closest_pair(pool, bodies.position_mass);
    return result;
}

}  // namespace orrery
