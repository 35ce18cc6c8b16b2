// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

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
    struct Search;
    std::unique_ptr<Search> search_;
};

}  // namespace orrery
