// SPDX-License-Identifier: MIT
#include "app/window/hand/pick.hpp"

#include <algorithm>
#include <vector>

#include <glm/geometric.hpp>
namespace orrery {
namespace {

glm::dvec3 place_of(const Vec4f& body, const Periodic& space, int copy) {
    const Vec3d at = space.image({body.x, body.y, body.z}, copy);
    return {at.x, at.y, at.z};
}

}  // namespace

std::optional<std::uint32_t> body_at(std::span<const Vec4f> bodies, const PickView& view, glm::dvec2 place,
                                     double reach) {
    std::optional<std::uint32_t> found;
    double nearest = reach, depth = 0;
    const glm::dvec3 eye = view.camera.eye();
    const Projector project{view.camera, view.width, view.height};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (int copy = 0; copy < view.space.copies(); ++copy) {
            const glm::dvec3 body = place_of(bodies[i], view.space, copy);
            const auto at = project(body);
            if (!at) continue;
            const double off = glm::length(*at - place), far = glm::length(body - eye);
            if (off > nearest || (found && off == nearest && far >= depth)) continue;
            found = static_cast<std::uint32_t>(i), nearest = off, depth = far;
        }
    }
    return found;
}

BodySet bodies_within(std::span<const Vec4f> bodies, const Projector& project, const Outline& line,
                      const Periodic& space) {
    Pool pool{0, false};
    return BodySet::where(pool, bodies.size(), [&](std::size_t i) {
        for (int copy = 0; copy < space.copies(); ++copy)
            if (const auto at = project(place_of(bodies[i], space, copy)); at && line.holds(at->x, at->y)) return true;
        return false;
    });
}

/// A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
std::vector<glm::dvec2> hull_of(std::vector<glm::dvec2> points, double gap) {
    if (points.size() < 3) return {};
    std::ranges::sort(points, [](glm::dvec2 a, glm::dvec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    const auto turns_left = [](glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
    };
    std::vector<glm::dvec2> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t start = hull.size();
        for (const glm::dvec2 point : points) {
            while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), point)) hull.pop_back();
            hull.push_back(point);
        }
        hull.pop_back();  // the first one of the other side
        std::ranges::reverse(points);
    }
    glm::dvec2 centre{0};
    for (const glm::dvec2 point : hull) centre += point / static_cast<double>(hull.size());
    for (glm::dvec2& point : hull)
        if (const double off = glm::length(point - centre); off > 0) point += gap / off * (point - centre);
    return hull;
}

}  // namespace orrery
