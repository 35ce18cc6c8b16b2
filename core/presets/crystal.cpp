// SPDX-License-Identifier: MIT
#include "core/presets/crystal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace orrery {

std::vector<Vec3d> face_centred_crystal(std::size_t count) {
    const double edge = std::numbers::sqrt2;  // edge of the cubic cell, which has four sites
    // Each site occupies a volume of 1/√2; the margin of 2 makes up for the discrete surface.
    const double radius = std::cbrt(3 / (4 * std::numbers::pi * edge) * static_cast<double>(count)) + 2;
    const int cells = static_cast<int>(std::ceil(radius / edge));
    constexpr std::array<std::array<double, 3>, 4> kSites{{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
    std::vector<Vec3d> sites;
    for (int x = -cells; x <= cells; ++x)
        for (int y = -cells; y <= cells; ++y)
            for (int z = -cells; z <= cells; ++z)
                for (const auto& site : kSites) {
                    const Vec3d at = edge * Vec3d{x + site[0] - 0.5, y + site[1], z + site[2]};
                    if (dot(at, at) <= radius * radius) sites.push_back(at);
                }
    std::ranges::stable_sort(sites, {}, [](Vec3d at) { return dot(at, at); });
    sites.resize(count);
    return sites;
}

std::vector<SaltSite> rock_salt_crystal(std::size_t count) {
    const double radius = std::cbrt(3 / (4 * std::numbers::pi) * static_cast<double>(count)) + 2;
    const int cells = static_cast<int>(std::ceil(radius));
    std::array<std::vector<SaltSite>, 2> of_charge;
    for (int x = -cells; x <= cells; ++x)
        for (int y = -cells; y <= cells; ++y)
            for (int z = -cells; z <= cells; ++z) {
                const Vec3d at{x - 0.5, y - 0.5, z - 0.5};
                const bool negative = (x + y + z) % 2 != 0;
                if (dot(at, at) <= radius * radius) of_charge[negative].push_back({at, negative ? -1.0 : 1.0});
            }
    std::vector<SaltSite> sites;
    for (const std::size_t negative : {0u, 1u}) {
        std::vector<SaltSite>& some = of_charge[negative];
        std::ranges::stable_sort(some, {}, [](const SaltSite& site) { return dot(site.at, site.at); });
        some.resize((count + 1 - negative) / 2);
        sites.insert(sites.end(), some.begin(), some.end());
    }
    return sites;
}

}  // namespace orrery
