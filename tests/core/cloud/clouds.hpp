// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/random.hpp"
#include "core/cloud/cloud_file.hpp"
#include "core/cloud/cloud_writer.hpp"

namespace orrery::test {

/// Bodies concentrated towards the origin over four decades of radius, with different masses and species; some of them
/// coincide.
inline Scene concentrated(std::size_t count, bool equal_masses = false) {
    Random random{7};
    Scene scene;
    scene.label = "concentrated";
    scene.time = 3.5;
    scene.length_unit = "kpc";
    for (std::size_t i = 0; i < count; ++i) {
        const double r = i % 97 == 0 ? 0 : std::pow(10, random.uniform(-3, 1));
        const Vec3d place = r * random.direction();
        scene.bodies.add({place.x + 2, place.y - 1, place.z}, random.uniform() * random.direction(),
                         equal_masses ? 0.25 : random.uniform(0.5, 1.5));
        if (!equal_masses) scene.bodies.species.push_back(static_cast<Species>(i % 4));
    }
    return scene;
}

inline constexpr CloudPlan kSmallCells{.sample = 64, .leaf = 200};

/// x, y, z, speed, mass and species of each body, sorted so that rows compare independently of the storage order.
using Row = std::array<float, 6>;
inline std::vector<Row> rows(const CloudFile& file, const CloudColumns& bodies) {
    std::vector<Row> all;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4f& p = bodies.places[i];
        all.push_back({p.x, p.y, p.z, p.w, static_cast<float>(file.mass_of(bodies, i)),
                       bodies.species.empty() ? 1.0f : static_cast<float>(bodies.species[i])});
    }
    std::ranges::sort(all);
    return all;
}
inline std::vector<Row> rows(const Bodies& bodies) {
    std::vector<Row> all;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4f p = convert<float>(bodies.position_mass[i]);
        const Vec3d& v = bodies.velocity[i];
        const auto x = static_cast<float>(v.x), y = static_cast<float>(v.y), z = static_cast<float>(v.z);
        all.push_back({p.x, p.y, p.z, std::sqrt(x * x + y * y + z * z), p.w, static_cast<float>(bodies.species_of(i))});
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace orrery::test
