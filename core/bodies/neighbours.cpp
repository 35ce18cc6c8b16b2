// SPDX-License-Identifier: MIT
#include "core/bodies/neighbours.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "core/spatial/curve_order.hpp"

namespace orrery {
namespace {

constexpr std::size_t kLeafBodies = 16, kChildren = 8;
constexpr std::size_t kLeavesAtOnce = 64;  // per task, sharing scratch memory
constexpr float kMore = 1.00001f;          // allows for rounding of squared distances

template <class T>
std::size_t parts(std::size_t count, T of) {
    return (count + of - 1) / of;
}

float squared(float x) { return x * x; }

float gap(float low_a, float high_a, float low_b, float high_b) {
    return std::max({low_a - high_b, low_b - high_a, 0.0f});
}

}  // namespace

Neighbours::Neighbours() : order_{std::make_unique<CurveOrder<float>>()} {}
Neighbours::~Neighbours() = default;

/// Candidates as columns, so that their distances are computed with vector instructions.
struct Neighbours::Scratch {
    std::vector<float> x, y, z, near, all;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;  // level, cell

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

void Neighbours::make_boxes(Pool& pool) {
    levels_.clear();
    const std::size_t leaves = parts(bodies_.size(), kLeafBodies);
    levels_.emplace_back(leaves);
    pool.parallel_for(0, parts(leaves, kLeavesAtOnce), [&](std::uint64_t block) {
        for (std::size_t leaf = block * kLeavesAtOnce; leaf < std::min(leaves, (block + 1) * kLeavesAtOnce); ++leaf) {
            constexpr float kFar = std::numeric_limits<float>::infinity();
            Box box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
            const std::size_t end = std::min(bodies_.size(), (leaf + 1) * kLeafBodies);
            for (std::size_t i = leaf * kLeafBodies; i < end; ++i) {
                const Vec4f& b = bodies_[i];
                box.low = {std::min(box.low.x, b.x), std::min(box.low.y, b.y), std::min(box.low.z, b.z)};
                box.high = {std::max(box.high.x, b.x), std::max(box.high.y, b.y), std::max(box.high.z, b.z)};
            }
            levels_[0][leaf] = box;
        }
    });
    while (levels_.back().size() > 1) {
        const std::vector<Box>& below = levels_.back();
        std::vector<Box> above(parts(below.size(), kChildren));
        for (std::size_t cell = 0; cell < above.size(); ++cell) {
            Box box = below[cell * kChildren];
            for (std::size_t i = cell * kChildren + 1; i < std::min(below.size(), (cell + 1) * kChildren); ++i) {
                const Box& child = below[i];
                box.low = {std::min(box.low.x, child.low.x), std::min(box.low.y, child.low.y),
                           std::min(box.low.z, child.low.z)};
                box.high = {std::max(box.high.x, child.high.x), std::max(box.high.y, child.high.y),
                            std::max(box.high.z, child.high.z)};
            }
            above[cell] = box;
        }
        levels_.push_back(std::move(above));
    }
}

/// Squared distance within which a body has at least k others, found among its neighbours on the curve.
float Neighbours::bound(std::size_t body, std::size_t k, Scratch& scratch) const {
    const std::size_t begin = body > k ? body - k : 0, end = std::min(bodies_.size(), body + k + 1);
    scratch.clear();
    scratch.add(bodies_.data() + begin, bodies_.data() + end);
    return scratch.kth(scratch.measure(bodies_[body], std::numeric_limits<float>::infinity()), k);
}

/// The exact squared distance to the k-th neighbour, if at least k lie within `within2`.
float Neighbours::alone(const Vec4f& body, float within2, std::size_t k, Scratch& scratch) const {
    const Vec3f at{body.x, body.y, body.z};
    collect({at, at}, within2 * kMore, scratch);
    return scratch.kth(scratch.measure(body, within2 * kMore), k);
}

/// Collects all bodies of leaves within reach of `box`.
void Neighbours::collect(const Box& box, float reach2, Scratch& scratch) const {
    scratch.clear();
    scratch.cells.assign(1, {static_cast<std::uint32_t>(levels_.size() - 1), 0u});
    while (!scratch.cells.empty()) {
        const auto [level, cell] = scratch.cells.back();
        scratch.cells.pop_back();
        const Box& other = levels_[level][cell];
        const float away2 = squared(gap(box.low.x, box.high.x, other.low.x, other.high.x)) +
                            squared(gap(box.low.y, box.high.y, other.low.y, other.high.y)) +
                            squared(gap(box.low.z, box.high.z, other.low.z, other.high.z));
        if (away2 > reach2) continue;
        if (level == 0) {
            const std::size_t first = cell * kLeafBodies, last = std::min(bodies_.size(), first + kLeafBodies);
            scratch.add(bodies_.data() + first, bodies_.data() + last);
            continue;
        }
        const auto end = std::min(levels_[level - 1].size(), (std::size_t{cell} + 1) * kChildren);
        for (std::size_t child = std::size_t{cell} * kChildren; child < end; ++child)
            scratch.cells.emplace_back(level - 1, static_cast<std::uint32_t>(child));
    }
}

/// The k-th neighbour of the leaf's middle body gives a search radius that is probably large enough for the others.
/// Bodies for which it is not search again, with a radius that certainly contains the middle body's neighbours.
void Neighbours::search(std::size_t leaf, std::size_t k, Scratch& scratch, std::vector<float>& distances) const {
    constexpr float kProbably = 1.12f;
    const std::size_t first = leaf * kLeafBodies, count = std::min(kLeafBodies, bodies_.size() - first);
    const Vec4f& middle = bodies_[first + count / 2];
    const float its2 = alone(middle, bound(first + count / 2, k, scratch), k, scratch);
    const float reach2 = kProbably * kProbably * its2;
    collect(levels_[0][leaf], reach2 * kMore, scratch);
    std::array<std::size_t, kLeafBodies> again;
    std::size_t left = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        const std::size_t found = scratch.measure(bodies_[i], reach2);
        if (found > k)
            distances[order_->order()[i]] = std::sqrt(scratch.kth(found, k));
        else
            again[left++] = i;
    }
    for (std::size_t n = 0; n < left; ++n) {
        const Vec4f& body = bodies_[again[n]];
        const float away =
            std::sqrt(squared(body.x - middle.x) + squared(body.y - middle.y) + squared(body.z - middle.z));
        distances[order_->order()[again[n]]] = std::sqrt(alone(body, squared(std::sqrt(its2) + away), k, scratch));
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
    const std::size_t blocks = parts(places.size(), 8192);
    const auto for_blocks = [&](const auto& body) {
        pool.parallel_for(0, blocks, [&](std::uint64_t block) {
            for (std::size_t i = block * 8192; i < std::min(places.size(), (block + 1) * 8192); ++i) body(i);
        });
    };
    bodies_.resize(places.size());
    for_blocks([&](std::size_t i) { bodies_[i] = {places[i].x, places[i].y, places[i].z, 1}; });
    order_->update(pool, bodies_.data(), nullptr, bodies_.size(), 0);
    for_blocks([&](std::size_t i) {
        const Vec4f& b = places[order_->order()[i]];
        bodies_[i] = {b.x, b.y, b.z, 1};
    });
    make_boxes(pool);
    const std::size_t leaves = levels_[0].size();
    tbb::enumerable_thread_specific<Scratch> scratches;  // freed at the end of the call, unlike thread_local
    pool.parallel_for(0, parts(leaves, kLeavesAtOnce), [&](std::uint64_t block) {
        Scratch& scratch = scratches.local();
        for (std::size_t leaf = block * kLeavesAtOnce; leaf < std::min(leaves, (block + 1) * kLeavesAtOnce); ++leaf)
            search(leaf, wanted, scratch, distances);
    });
}

}  // namespace orrery
