// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {

/// Sorts bodies along the Hilbert curve and converts them to internal units: the bounding cube has a side in [1, 2) ·
/// 2^zoom (or ε has that length, if it is longer) and the total mass is in [1, 2). Units are powers of two, so the
/// scaling is exact, and no intermediate result of the tree leaves the range of float, whatever the scale of a scene.
///
/// Each call starts from the previous order, because bodies move little in a step. Bodies with the same key are ordered
/// by index, so the result does not depend on earlier calls.
template <class Real>
class CurveOrder {
public:
    explicit CurveOrder(int zoom = 0) : zoom_{zoom} {}

    /// `low`: as in BodyView::low.
    void update(Pool& pool, const Vec4<Real>* bodies, const Vec4<Real>* low, std::size_t count, double softening);

    /// Updates the positions, but keeps the order, keys and units of the last update().
    void follow(Pool& pool, const Vec4<Real>* bodies, const Vec4<Real>* low);

    const std::vector<std::uint64_t>& keys() const { return keys_; }
    const std::vector<std::uint32_t>& order() const { return order_; }  ///< position along the curve to index of a body
    const std::vector<Vec4<Real>>& bodies() const { return sorted_; }   ///< sorted along the curve, in internal units
    /// The sorted BodyView::low; empty if there are no low parts.
    const std::vector<Vec4<Real>>& low_parts() const { return low_parts_; }
    Vec3<Real> low() const { return low_; }  ///< corner of the cube, in internal units
    Real side() const { return side_; }
    /// A length in the scene's units is 2^this times the internal one.
    int length_exponent() const { return length_exponent_; }
    int mass_exponent() const { return mass_exponent_; }
    /// Sorted positions of the heavy bodies (see heavy_from()), ascending.
    const std::vector<std::uint32_t>& heavy() const { return heavy_; }

private:
    struct Entry {
        std::uint64_t key;
        std::uint32_t body, at;  // index of the body, and its position in work_
        friend bool operator<(const Entry& a, const Entry& b) {
            return a.key != b.key ? a.key < b.key : a.body < b.body;
        }
    };

    void measure(Pool& pool, const Vec4<Real>* bodies, double softening);
    void sort_block(std::uint64_t block, const Vec4<Real>* bodies);
    void choose_borders();
    void merge_bucket(std::uint64_t bucket);
    void sort_low_parts(Pool& pool, const Vec4<Real>* low);
    std::size_t start(std::uint64_t block) const { return block * order_.size() / blocks_; }

    int zoom_;
    std::uint64_t blocks_ = 1;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> order_;
    std::vector<Vec4<Real>> sorted_, low_parts_, work_;
    std::vector<Entry> entries_, merged_;
    std::vector<std::size_t> pieces_;  // [block][bucket]: start of a block's piece of a bucket
    std::vector<std::size_t> bucket_start_;
    Vec3<Real> low_{};
    Real side_ = 1;
    int length_exponent_ = 0, mass_exponent_ = 0;
    Real heavy_from_ = 0;
    std::vector<std::vector<std::uint32_t>> heavy_of_;  // by bucket
    std::vector<std::uint32_t> heavy_;
};

extern template class CurveOrder<float>;
extern template class CurveOrder<double>;

}  // namespace orrery
