// SPDX-License-Identifier: MIT
// Potentials and accelerations for plots, under the force of all bodies.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/analysis/subject.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/references.hpp"
#include "core/physics/pair_laws.hpp"

namespace orrery {
namespace {

constexpr std::size_t kDirectBodies = 8192;  // above this `fmm` is faster
constexpr double kPotentialAccuracy = 1e-5;  // relative accuracy of the forces; potentials are more accurate
constexpr double kSlice = 0.02;              // seconds between checks for a stop

void require_gravity(const Scene& scene) {
    if (scene.gravity.law != PairLaw::kGravity)
        usage_error(fmt::format("{}: this plot needs the force of gravity, and the law is {}", scene.id,
                                pair_law(scene.gravity.law).id));
}

/// Accelerations and potentials of bodies under their own gravity. Empty if stopped.
std::vector<Vec4d> field_of(const Subject& subject, const Bodies& bodies, const std::stop_token& stop) {
    EngineConfig config{.engine = bodies.size() > kDirectBodies ? "fmm" : "direct",
                        .precision = Precision::kDouble,
                        .threads = subject.pool().threads()};
    config.tree.accuracy = config.engine == "fmm" ? kPotentialAccuracy : 0;
    const auto system = make_body_system(config, bodies);
    const std::uint64_t items = system->begin_forces(subject.scene().gravity, Potential::kCompute);
    double rate = 0;  // items per second
    for (std::uint64_t first = 0; first < items;) {
        if (stop.stop_requested()) return {};
        const auto start = std::chrono::steady_clock::now();
        const auto slice = static_cast<std::uint64_t>(std::max(1.0, kSlice * rate));
        const std::uint64_t last = std::min(items, first + slice);
        system->run_forces(first, last);
        system->wait();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        rate = static_cast<double>(last - first) / std::max(1e-6, took.count());
        first = last;
    }
    return system->accelerations();
}

/// All bodies of the scene, followed by the points as massless bodies, since the engines compute forces on bodies.
std::vector<Vec4d> with_points(const Subject& subject, const std::vector<Vec3d>& points) {
    std::vector<Vec4d> bodies = subject.scene().bodies.position_mass;
    bodies.reserve(bodies.size() + points.size());
    for (const Vec3d& point : points) {
        const Vec3d at = subject.in_scene(point);
        bodies.push_back({at.x, at.y, at.z, 0});
    }
    return bodies;
}

}  // namespace

std::vector<double> potentials_of(const Subject& subject, const std::stop_token& stop) {
    require_gravity(subject.scene());
    const std::vector<Vec4d> field = field_of(subject, subject.scene().bodies, stop);
    std::vector<double> potentials;
    for (std::size_t i = 0; i < subject.size() && !field.empty(); ++i) potentials.push_back(field[subject.index(i)].w);
    return potentials;
}

std::vector<double> potentials_at(const Subject& subject, const std::vector<Vec3d>& points,
                                  const std::stop_token& stop) {
    require_gravity(subject.scene());
    Bodies bodies;
    bodies.position_mass = with_points(subject, points);
    bodies.velocity.resize(bodies.position_mass.size());
    const std::vector<Vec4d> field = field_of(subject, bodies, stop);
    std::vector<double> potentials;
    for (std::size_t i = subject.scene().bodies.size(); i < field.size(); ++i) potentials.push_back(field[i].w);
    return potentials;
}

std::vector<Vec3d> accelerations_at(const Subject& subject, const std::vector<Vec3d>& points,
                                    const std::stop_token& stop) {
    const Scene& scene = subject.scene();
    require_gravity(scene);
    const std::vector<Vec4d> bodies = with_points(subject, points);
    const std::size_t first = scene.bodies.size();
    std::vector<Vec4d> found(points.size());
    const std::size_t blocks = (points.size() + kReferenceBlock - 1) / kReferenceBlock;
    subject.pool().parallel_for(0, blocks, [&](std::uint64_t block) {
        if (stop.stop_requested()) return;
        const std::size_t begin = block * kReferenceBlock, count = std::min(kReferenceBlock, points.size() - begin);
        std::uint32_t which[kReferenceBlock];
        for (std::size_t k = 0; k < count; ++k) which[k] = static_cast<std::uint32_t>(first + begin + k);
        references_of_block({bodies.data(), first + points.size()}, {which, count}, scene.gravity, &found[begin]);
    });
    if (stop.stop_requested()) return {};
    std::vector<Vec3d> accelerations;
    for (const Vec4d& each : found) accelerations.push_back(subject.from_scene(xyz(each)));
    return accelerations;
}

}  // namespace orrery
