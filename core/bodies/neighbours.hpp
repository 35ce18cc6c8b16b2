// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

template <class Real>
class CurveOrder;

/// Finds the distances of bodies to their k-th neighbours, from which densities are computed.
///
/// Bodies are sorted along the Hilbert curve of the tree engines. 16 consecutive bodies form a leaf; eight leaves form
/// a cell with a bounding box, as do eight cells of each level. The bodies of a leaf search the surrounding leaves,
/// within the neighbour distance of the leaf's middle body; few have to search farther.
class Neighbours {
public:
    Neighbours();
    ~Neighbours();
    /// Distance of each body to its k-th nearest neighbour, exact up to rounding of floats; to the farthest body if
    /// there are fewer. 0 for a single body and for non-finite positions, which are not neighbours of any body.
    /// `places`: w is ignored. k ≥ 1.
    void find(Pool& pool, std::span<const Vec4f> places, int k, std::vector<float>& distances);

private:
    struct Box {
        Vec3f low, high;
    };
    struct Scratch;
    void make_boxes(Pool& pool);
    void search(std::size_t leaf, std::size_t k, Scratch& scratch, std::vector<float>& distances) const;
    float bound(std::size_t body, std::size_t k, Scratch& scratch) const;
    float alone(const Vec4f& body, float within2, std::size_t k, Scratch& scratch) const;
    void collect(const Box& box, float reach2, Scratch& scratch) const;

    std::unique_ptr<CurveOrder<float>> order_;
    std::vector<Vec4f> bodies_;
    std::vector<std::vector<Box>> levels_;  // leaves first
};

}  // namespace orrery
