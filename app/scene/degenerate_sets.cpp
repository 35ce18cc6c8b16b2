// SPDX-License-Identifier: MIT
#include "app/scene/degenerate_sets.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <string>

namespace orrery {
namespace {

/// A ball of unit size and mass; `change` is applied to each body.
Scene ball(std::size_t bodies, std::string id, double G, double softening,
           const std::function<void(std::size_t, Vec4d&)>& change) {
    std::mt19937_64 random{7};
    std::normal_distribution<double> normal;
    Scene scene;
    scene.id = std::move(id);
    scene.gravity = {.constant = G, .softening = softening};
    for (std::size_t i = 0; i < bodies; ++i) {
        Vec4d body{normal(random), normal(random), normal(random), 1.0 / static_cast<double>(bodies)};
        change(i, body);
        // Rounded to float first, so that rounding does not count as an engine's error.
        body = convert<double>(convert<float>(body));
        scene.bodies.add(xyz(body), {}, body.w);
    }
    return scene;
}

Scene scaled(std::size_t bodies, std::string id, double length) {
    return ball(bodies, std::move(id), length * length, 0.02 * length,
                [=](std::size_t, Vec4d& b) { b.x *= length, b.y *= length, b.z *= length; });
}

/// A star with 999 light bodies about it, more on one side.
void star_in_a_disc(std::size_t i, Vec4d& b) {
    if (i == 0) {
        b = {0.01, 0.02, 0, 1};
        return;
    }
    const double angle = std::atan2(b.y, b.x), radius = 1 + std::hypot(b.x, b.y);
    b = {radius * std::cos(angle) * (1 + 0.3 * std::cos(angle)), radius * std::sin(angle), 0.02 * b.z, 1e-9};
}

}  // namespace

std::vector<Scene> degenerate_sets(std::size_t bodies) {
    return {ball(bodies, "two-places", 1, 0.1,
                 [](std::size_t i, Vec4d& b) {
                     b = {i % 2 ? 1.0 : 4.0, 2, 3, b.w};
                 }),
            ball(bodies, "crowd-in-a-point", 1, 0.05,
                 [](std::size_t i, Vec4d& b) {
                     if (i % 4 == 0) b = {0.1, 0.2, 0.3, b.w};
                 }),
            ball(bodies, "line", 1, 0.02, [](std::size_t, Vec4d& b) { b.y = b.z = 0; }),
            ball(bodies, "masses-of-all-sizes", 1, 0.02,
                 [](std::size_t i, Vec4d& b) { b.w = std::pow(10.0, -12.0 * static_cast<double>(i % 100) / 99); }),
            ball(bodies, "without-mass", 1, 0.02,
                 [](std::size_t i, Vec4d& b) {
                     if (i % 2) b.w = 0;
                 }),
            ball(bodies, "star-in-a-disc", 1, 0.001, star_in_a_disc),
            ball(bodies, "one-far-away", 1, 0.001,
                 [](std::size_t i, Vec4d& b) {
                     if (i == 0) b.x = 3e8;
                 }),
            scaled(bodies, "tiny", 1e-15),
            scaled(bodies, "huge", 1e15)};
}

}  // namespace orrery
