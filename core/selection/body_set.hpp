// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/pool.hpp"

namespace orrery {

/// A set over the bodies of a scene, by index. Sets are combined only with sets over the same number of bodies.
class BodySet {
public:
    explicit BodySet(std::size_t bodies = 0) : bodies_{bodies}, words_((bodies + 63) / 64) {}
    /// Throws Error{kUsage} for an index beyond the last body.
    static BodySet of_rows(std::size_t bodies, std::span<const std::uint32_t> rows);
    /// A bit per body, 64 in a word. Bits beyond the last body are cleared; missing words are 0.
    static BodySet of_words(std::size_t bodies, std::vector<std::uint64_t> words);
    /// The bodies whose value is neither 0 nor NaN.
    static BodySet of_values(std::span<const float> values);
    /// The bodies whose id is in `wanted`, which is ascending. All bodies with the same id are in the set together.
    static BodySet of_ids(std::span<const std::uint64_t> ids, std::span<const std::uint64_t> wanted);
    /// The bodies i for which holds(i) is true; called on many threads.
    template <class Holds>
    static BodySet where(Pool& pool, std::size_t bodies, const Holds& holds) {
        static_assert(kBlockBodies % 64 == 0, "blocks share no word");
        BodySet set{bodies};
        by_blocks(pool, bodies, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                if (holds(i)) set.words_[i / 64] |= std::uint64_t{1} << (i % 64);
            return 0;
        });
        return set;
    }

    std::size_t bodies() const noexcept { return bodies_; }  ///< of the scene
    std::size_t count() const;                               ///< bodies in the set
    bool holds(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
    std::vector<std::uint32_t> rows() const;  ///< indices, ascending
    /// The ids of its bodies, ascending, without duplicates. `ids`: one per body.
    std::vector<std::uint64_t> ids_in(std::span<const std::uint64_t> ids) const;

    /// Throws Error{kUsage} unless the other set is over as many bodies.
    BodySet& operator&=(const BodySet& other);
    BodySet& operator|=(const BodySet& other);
    BodySet& operator-=(const BodySet& other);
    BodySet operator~() const;
    friend BodySet operator&(BodySet a, const BodySet& b) { return a &= b; }
    friend BodySet operator|(BodySet a, const BodySet& b) { return a |= b; }
    friend BodySet operator-(BodySet a, const BodySet& b) { return a -= b; }
    friend bool operator==(const BodySet&, const BodySet&) = default;

private:
    void require_same(const BodySet& other) const;

    std::size_t bodies_;
    std::vector<std::uint64_t> words_;  // a bit per body; those beyond the last are 0
};

/// Combines a newly enclosed set with the selection.
enum class SetOperation : std::uint8_t { kReplace, kAdd, kKeep, kRemove };
/// The selection afterwards: `found`, before | found, before & found, or before - found.
BodySet combined(SetOperation operation, const BodySet& before, const BodySet& found);

struct OutlinePoint {
    double x, y;
};

/// The inside of a closed line by the even-odd rule. A point costs the edges of its own strip of y, so a lasso of a
/// thousand corners costs little more than a box.
class Outline {
public:
    struct Edge {
        double x, y, slope;  ///< x + slope (y' − y) at height y'
        double low, high;    ///< heights: low ≤ y' < high
    };
    /// The edges by strips of equal height; an edge is in each strip that it crosses.
    struct Shape {
        double left = 0, right = 0, low = 0, high = 0;  ///< of all corners
        double strips_per_height = 0;
        std::vector<std::uint32_t> first;  ///< edge of each strip, and their number; empty: nothing is enclosed
        std::vector<Edge> edges;           ///< by strip
    };

    /// The line returns from its last corner to the first. Fewer than three corners enclose nothing.
    explicit Outline(const std::vector<OutlinePoint>& corners);
    bool holds(double x, double y) const;  ///< false for NaN
    const Shape& shape() const { return shape_; }

private:
    Shape shape_;
};

}  // namespace orrery
