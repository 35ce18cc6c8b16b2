// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_cut.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace orrery {
namespace {

/// Whether all corners of the cube lie beyond one side of the picture.
bool unseen(const CloudSight& sight, Vec3d low, double side, double margin) {
    if (sight.everywhere) return false;
    std::array<int, 5> beyond{};
    const auto& m = sight.clip_from_world;
    for (int corner = 0; corner < 8; ++corner) {
        const double p[3] = {low.x + (corner & 1 ? side : 0), low.y + (corner & 2 ? side : 0),
                             low.z + (corner & 4 ? side : 0)};
        const auto row = [&](std::size_t k) { return m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]; };
        const double x = row(0), y = row(1), z = row(2), w = row(3);
        beyond[0] += x > margin * w, beyond[1] += -x > margin * w;
        beyond[2] += y > margin * w, beyond[3] += -y > margin * w;
        beyond[4] += z < -w;
    }
    return std::ranges::find(beyond, 8) != beyond.end();
}

/// Pixels between the bodies of a cell that is not whole, where it is nearest.
double spacing_of(const CloudSight& sight, const CloudNode& node, const CloudCube& cube) {
    if (node.shown == node.bodies) return 0;
    const double side = node.side(cube);
    const Vec3d low = node.low(cube);
    const auto away = [&](double eye, double from) { return std::max({from - eye, eye - from - side, 0.0}); };
    const Vec3d to{away(sight.eye.x, low.x), away(sight.eye.y, low.y), away(sight.eye.z, low.z)};
    const double distance = std::max(length(to), side / 8);  // an eye within it
    return side / std::cbrt(static_cast<double>(node.shown)) * sight.pixels_per_length / distance;
}

struct Candidate {
    double spacing;
    std::uint32_t node;
    bool operator<(const Candidate& other) const {
        return spacing != other.spacing ? spacing < other.spacing : node > other.node;
    }
};

}  // namespace

CloudCut cloud_cut(const std::vector<CloudNode>& nodes, const CloudCube& cube, const CloudSight& sight,
                   const std::function<bool(std::uint32_t)>& at_hand, double margin) {
    CloudCut cut;
    std::priority_queue<Candidate> open;
    const auto add = [&](std::uint32_t node) {
        open.push({spacing_of(sight, nodes[node], cube), node});
        cut.bodies += nodes[node].shown;
        cut.visited.push_back(node);
    };
    const auto show = [&](const Candidate& c) {
        const CloudNode& node = nodes[c.node];
        cut.shown.push_back(c.node);
        cut.stands_for += node.bodies;
        cut.most = std::max(cut.most, static_cast<double>(node.bodies) / node.shown);
        cut.spacing = std::max(cut.spacing, c.spacing);
    };
    if (!unseen(sight, cube.low, cube.side, margin)) add(0);
    std::vector<std::uint32_t> seen;
    for (; !open.empty();) {
        const Candidate c = open.top();
        open.pop();
        const CloudNode& node = nodes[c.node];
        if (node.children == 0 || c.spacing <= sight.spacing) {
            show(c);
            continue;
        }
        seen.clear();
        std::uint64_t bodies = 0;
        bool all = true;
        for (std::uint32_t k = 0; k < node.children; ++k) {
            const std::uint32_t child = node.first_child + k;
            if (unseen(sight, nodes[child].low(cube), nodes[child].side(cube), margin)) continue;
            seen.push_back(child);
            bodies += nodes[child].shown;
            all &= at_hand(child);
        }
        if (cut.bodies - node.shown + bodies > std::max<std::uint64_t>(sight.bodies, nodes[0].shown)) {
            cut.full = true;
            show(c);
        } else if (!all) {
            std::ranges::copy_if(seen, std::back_inserter(cut.wanted), [&](std::uint32_t n) { return !at_hand(n); });
            show(c);
        } else {
            cut.bodies -= node.shown;
            for (const std::uint32_t child : seen) add(child);
        }
    }
    std::ranges::sort(cut.shown);
    return cut;
}

}  // namespace orrery
