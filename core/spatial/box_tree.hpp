// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/pool.hpp"
#include "core/spatial/box.hpp"

namespace orrery {

/// A hierarchy of bounding boxes: a leaf per kLeaf consecutive bodies, and a cell per kChildren boxes of the level
/// below, up to one root. The boxes are tight if consecutive bodies are close to each other, as along a Hilbert curve.
template <class Vector, std::size_t kLeaf, std::size_t kChildren>
class BoxTree {
    static_assert(std::has_single_bit(kChildren));

public:
    /// `box_of(i)` returns the box of body i. At most 2³² bodies.
    template <class BoxOf>
    void build(Pool& pool, std::size_t count, const BoxOf& box_of) {
        count_ = count;
        levels_.assign(1, std::vector<Box<Vector>>((count + kLeaf - 1) / kLeaf));
        for_each_in_blocks(
            pool, leaves(),
            [&](std::size_t leaf) {
                Box<Vector> box = Box<Vector>::none();
                for (std::size_t i = leaf * kLeaf; i < end_of(leaf); ++i) box.include(box_of(i));
                levels_[0][leaf] = box;
            },
            512);
        while (levels_.back().size() > 1) {
            const std::vector<Box<Vector>>& below = levels_.back();
            std::vector<Box<Vector>> above((below.size() + kChildren - 1) / kChildren, Box<Vector>::none());
            for (std::size_t i = 0; i < below.size(); ++i) above[i / kChildren].include(below[i]);
            levels_.push_back(std::move(above));
        }
    }

    std::size_t leaves() const { return levels_[0].size(); }
    const Box<Vector>& leaf(std::size_t i) const { return levels_[0][i]; }
    /// Leaf i has the bodies from i · kLeaf to this one, exclusively.
    std::size_t end_of(std::size_t leaf) const { return std::min(count_, (leaf + 1) * kLeaf); }

    /// Calls visit(leaf), in order, for each leaf that enter() accepts together with all cells above it.
    /// `enter(box, end)`: `end` is an upper bound of the cell's bodies.
    template <class Enter, class Visit>
    void for_leaves(const Enter& enter, const Visit& visit) const {
        struct Node {
            std::size_t level, index;
        };
        std::array<Node, kChildren * 33> waiting;  // at most kChildren per level
        std::size_t left = 0;
        waiting[left++] = {levels_.size() - 1, 0};
        while (left > 0) {
            const Node node = waiting[--left];
            const std::size_t end = ((node.index + 1) << node.level * std::countr_zero(kChildren)) * kLeaf;
            if (!enter(levels_[node.level][node.index], end)) continue;
            if (node.level == 0) {
                visit(node.index);
                continue;
            }
            for (std::size_t child = (node.index + 1) * kChildren; child-- > node.index * kChildren;)
                if (child < levels_[node.level - 1].size()) waiting[left++] = {node.level - 1, child};
        }
    }

private:
    std::size_t count_ = 0;
    std::vector<std::vector<Box<Vector>>> levels_{1};  // leaves first
};

}  // namespace orrery
