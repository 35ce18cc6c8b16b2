// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/random.hpp"
#include "core/base/vec.hpp"

namespace orrery::test {

/// Input of a friends-of-friends search.
struct Cloud {
    std::string name;
    std::vector<Vec4d> bodies;
    double link, period = 0;
};

/// Friends of friends over all pairs, with distances in `Real`: for each body, the lowest index in its group.
template <class Real = double>
std::vector<std::uint32_t> plain_groups(const Cloud& cloud) {
    std::vector<std::uint32_t> parent(cloud.bodies.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i) i = parent[i];
        return i;
    };
    const auto nearest = [&](Real d) {
        return cloud.period > 0 ? static_cast<Real>(d - cloud.period * std::round(d / cloud.period)) : d;
    };
    for (std::uint32_t i = 0; i < parent.size(); ++i)
        for (std::uint32_t k = 0; k < i; ++k) {
            const Vec3<Real> d = xyz(convert<Real>(cloud.bodies[i])) - xyz(convert<Real>(cloud.bodies[k]));
            const Vec3<Real> near{nearest(d.x), nearest(d.y), nearest(d.z)};
            if (dot(near, near) > static_cast<Real>(cloud.link * cloud.link)) continue;
            const std::uint32_t a = root(i), b = root(k);
            parent[std::max(a, b)] = std::min(a, b);
        }
    for (std::uint32_t i = 0; i < parent.size(); ++i) parent[i] = root(i);
    return parent;
}

/// Random clouds and shapes that provoke false splits or false links. Coordinates are representable as floats.
inline std::vector<Cloud> clouds(std::uint64_t seed) {
    Random random{seed};
    const auto single = [](double x) { return static_cast<double>(static_cast<float>(x)); };
    std::vector<Cloud> all;
    const auto add = [&](std::string name, std::size_t count, double link, double period, const auto& place) {
        Cloud cloud{std::move(name), {}, single(link), period};
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3d p = place(i);
            cloud.bodies.push_back({single(p.x), single(p.y), single(p.z), 1});
        }
        all.push_back(std::move(cloud));
    };
    const auto anywhere = [&](std::size_t) { return Vec3d{random.uniform(), random.uniform(), random.uniform()}; };
    for (const double link : {0.001, 0.03, 0.06, 0.1, 0.4, 3.0})
        add("uniform, link " + std::to_string(link), 1500, link, 0, anywhere);
    for (const double link : {0.001, 0.04, 0.06, 0.3})
        add("periodic, link " + std::to_string(link), 1500, link, 1, anywhere);
    add("periodic, outside of the box", 1000, 0.06, 1, [&](std::size_t) {
        return Vec3d{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    });
    add("clumps", 1500, 0.01, 0, [&](std::size_t i) {
        const double x = 0.1 * static_cast<double>(i % 10);
        return Vec3d{x + 0.02 * random.normal(), 0.02 * random.normal(), 0.02 * random.normal()};
    });
    add("one place", 300, 0.1, 0, [](std::size_t) { return Vec3d{1, 2, 3}; });
    add("one body", 1, 0.1, 0, anywhere);
    add("two bodies at the link", 2, 1, 0, [](std::size_t i) { return Vec3d{static_cast<double>(i), 0, 0}; });
    add("a lattice at the link", 1000, 1, 0, [](std::size_t i) {
        return Vec3d{static_cast<double>(i % 10), static_cast<double>(i / 10 % 10), static_cast<double>(i / 100)};
    });
    add("a lattice beyond it", 1000, 0.99, 0, [](std::size_t i) {
        return Vec3d{static_cast<double>(i % 10), static_cast<double>(i / 10 % 10), static_cast<double>(i / 100)};
    });
    add("a chain around the box", 100, 0.0101, 1, [](std::size_t i) {
        return Vec3d{0.01 * static_cast<double>(i * 37 % 100), 0.5, 0.5};
    });
    add("a core and bodies far away", 600, 1e-3, 0, [&](std::size_t i) {
        const double scale = i < 500 ? 0.004 : std::pow(10.0, random.uniform(0, 6));
        return scale * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    });
    add("two layers", 1200, 0.05, 0, [&](std::size_t i) {
        return Vec3d{random.uniform(), random.uniform(), 0.0501 * static_cast<double>(i % 2)};
    });
    return all;
}

}  // namespace orrery::test
