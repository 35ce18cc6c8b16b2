// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

template <class Real>
class TreeOrder;

/// Finds how far away the k-th neighbours of bodies are, which says how densely they lie.
///
/// Bodies are sorted along the Hilbert curve of the tree engines. Each 16 of them are a leaf; eight leaves, and eight
/// of what they make, and so on, are a cell with a box. A leaf's bodies look at the
/// leaves around it, as far as the neighbours of the one in its middle are; few have to look farther.
class Neighbours {
public:
    Neighbours();
    ~Neighbours();
    /// The distance of each body to the k-th nearest other one, exact to the rounding of floats; to the farthest, where
    /// there are fewer. 0 for a body alone, and for places that are not finite, which are nobody's neighbours.
    /// `places`: w is not read. k from 1 on.
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

    std::unique_ptr<TreeOrder<float>> order_;
    std::vector<Vec4f> bodies_;
    std::vector<std::vector<Box>> levels_;  // leaves first
};

}  // namespace orrery
