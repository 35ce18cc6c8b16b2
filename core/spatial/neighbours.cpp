// SPDX-License-Identifier: MIT
#include "core/spatial/neighbours.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "core/base/pool.hpp"
#include "core/spatial/box_tree.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {
namespace {

constexpr std::size_t kLeafBodies = 16;
constexpr std::size_t kLeavesAtOnce = 64;  // per task, sharing candidates memory
constexpr float kMore = 1.00001f;          // allows for rounding of squared distances

float squared(float x) { return x * x; }

/// Candidates as columns, so that their distances are computed with vector instructions.
struct Candidates {
    std::vector<float> x, y, z, near, all;
    std::size_t count = 0;

    void clear() { count = 0; }
    void add(const Vec4f* first, const Vec4f* last) {
        const auto more = static_cast<std::size_t>(last - first);
        if (x.size() < count + more)
            for (auto* column : {&x, &y, &z, &all, &near}) column->resize(2 * (count + more) + 1);
        for (std::size_t i = 0; i < more; ++i)
            x[count + i] = first[i].x, y[count + i] = first[i].y, z[count + i] = first[i].z;
        count += more;
    }
    /// Writes the squared distances to the candidates within reach to `near`; returns their number.
    std::size_t measure(const Vec4f& from, float reach2) {
        const float *px = x.data(), *py = y.data(), *pz = z.data();
        float *to = all.data(), *within = near.data();
        const float fx = from.x, fy = from.y, fz = from.z;
        for (std::size_t i = 0; i < count; ++i) {
            const float dx = px[i] - fx, dy = py[i] - fy, dz = pz[i] - fz;
            to[i] = dx * dx + dy * dy + dz * dz;
        }
        std::size_t found = 0;
        for (std::size_t i = 0; i < count; ++i) within[found] = to[i], found += to[i] <= reach2 ? 1 : 0;
        return found;
    }
    /// The entry of `near` with k smaller ones before it; the nearest is the body itself.
    float kth(std::size_t found, std::size_t k) {
        std::nth_element(near.data(), near.data() + k, near.data() + found);
        return near[k];
    }
};

}  // namespace

struct Neighbours::Search {
    void update(Pool& pool, std::span<const Vec4f> places);
    void search(std::size_t leaf, std::size_t k, Candidates& candidates, std::vector<float>& distances) const;
    float bound(std::size_t body, std::size_t k, Candidates& candidates) const;
    float alone(const Vec4f& body, float within2, std::size_t k, Candidates& candidates) const;
    void collect(const Box<Vec3f>& box, float reach2, Candidates& candidates) const;

    CurveOrder<float> order;
    std::vector<Vec4f> bodies;  // along the curve
    BoxTree<Vec3f, kLeafBodies, 8> tree;
};

Neighbours::Neighbours() : search_{std::make_unique<Search>()} {}
Neighbours::~Neighbours() = default;

void Neighbours::Search::update(Pool& pool, std::span<const Vec4f> places) {
    bodies.resize(places.size());
    for_each_in_blocks(pool, places.size(), [&](std::size_t i) {
        bodies[i] = {places[i].x, places[i].y, places[i].z, 1};
    });
    order.update(pool, bodies.data(), nullptr, bodies.size(), 0);
    for_each_in_blocks(pool, places.size(), [&](std::size_t i) {
        const Vec4f& b = places[order.order()[i]];
        bodies[i] = {b.x, b.y, b.z, 1};
    });
    tree.build(pool, bodies.size(), [this](std::size_t i) {
        const Vec3f at = xyz(bodies[i]);
        return Box<Vec3f>{at, at};
    });
}

/// Squared distance within which a body has at least k others, found among its neighbours on the curve.
float Neighbours::Search::bound(std::size_t body, std::size_t k, Candidates& candidates) const {
    const std::size_t begin = body > k ? body - k : 0, end = std::min(bodies.size(), body + k + 1);
    candidates.clear();
    candidates.add(bodies.data() + begin, bodies.data() + end);
    return candidates.kth(candidates.measure(bodies[body], std::numeric_limits<float>::infinity()), k);
}

/// The exact squared distance to the k-th neighbour, if at least k lie within `within2`.
float Neighbours::Search::alone(const Vec4f& body, float within2, std::size_t k, Candidates& candidates) const {
    collect({xyz(body), xyz(body)}, within2 * kMore, candidates);
    return candidates.kth(candidates.measure(body, within2 * kMore), k);
}

/// Collects all bodies of leaves within reach of `box`.
void Neighbours::Search::collect(const Box<Vec3f>& box, float reach2, Candidates& candidates) const {
    candidates.clear();
    tree.for_leaves([&](const Box<Vec3f>& other, std::size_t) { return distance2(box, other) <= reach2; },
                    [&](std::size_t leaf) {
                        candidates.add(bodies.data() + leaf * kLeafBodies, bodies.data() + tree.end_of(leaf));
                    });
}

/// The k-th neighbour of the leaf's middle body gives a search radius that is probably large enough for the others.
/// Bodies for which it is not search again, with a radius that certainly contains the middle body's neighbours.
void Neighbours::Search::search(std::size_t leaf, std::size_t k, Candidates& candidates,
                                std::vector<float>& distances) const {
    constexpr float kProbably = 1.12f;
    const std::size_t first = leaf * kLeafBodies, count = tree.end_of(leaf) - first;
    const Vec4f& middle = bodies[first + count / 2];
    const float its2 = alone(middle, bound(first + count / 2, k, candidates), k, candidates);
    const float reach2 = kProbably * kProbably * its2;
    collect(tree.leaf(leaf), reach2 * kMore, candidates);
    std::array<std::size_t, kLeafBodies> again;
    std::size_t left = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        const std::size_t found = candidates.measure(bodies[i], reach2);
        if (found > k)
            distances[order.order()[i]] = std::sqrt(candidates.kth(found, k));
        else
            again[left++] = i;
    }
    for (std::size_t n = 0; n < left; ++n) {
        const Vec4f& body = bodies[again[n]];
        const float away =
            std::sqrt(squared(body.x - middle.x) + squared(body.y - middle.y) + squared(body.z - middle.z));
        distances[order.order()[again[n]]] = std::sqrt(alone(body, squared(std::sqrt(its2) + away), k, candidates));
    }
}

void Neighbours::find(Pool& pool, std::span<const Vec4f> places, int k, std::vector<float>& distances) {
    distances.assign(places.size(), 0.0f);
    if (places.size() < 2) return;
    const auto finite = [](const Vec4f& b) { return std::isfinite(b.x) && std::isfinite(b.y) && std::isfinite(b.z); };
    if (!std::ranges::all_of(places, finite)) {
        std::vector<Vec4f> some;
        std::ranges::copy_if(places, std::back_inserter(some), finite);
        std::vector<float> theirs;
        find(pool, some, k, theirs);
        for (std::size_t i = 0, next = 0; i < places.size(); ++i)
            if (finite(places[i])) distances[i] = theirs[next++];
        return;
    }
    const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(std::max(k, 1)), places.size() - 1);
    search_->update(pool, places);
    const std::size_t leaves = search_->tree.leaves();
    tbb::enumerable_thread_specific<Candidates> of_thread;  // freed at the end of the call, unlike thread_local
    pool.parallel_for(0, (leaves + kLeavesAtOnce - 1) / kLeavesAtOnce, [&](std::uint64_t block) {
        Candidates& candidates = of_thread.local();
        for (std::size_t leaf = block * kLeavesAtOnce; leaf < std::min(leaves, (block + 1) * kLeavesAtOnce); ++leaf)
            search_->search(leaf, wanted, candidates, distances);
    });
}

}  // namespace orrery
