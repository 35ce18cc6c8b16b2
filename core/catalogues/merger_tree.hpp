// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/catalogues/catalogue.hpp"

namespace orrery {

/// The haloes whose descendant is a given one.
class Progenitors {
public:
    /// The catalogue must have links.
    explicit Progenitors(const HaloCatalogue& catalogue);
    /// The main progenitor first: the one that the file names, otherwise the heaviest.
    std::span<const std::uint32_t> of(std::uint32_t halo) const {
        return std::span{halos_}.subspan(first_[halo], first_[halo + 1] - first_[halo]);
    }

private:
    std::vector<std::uint32_t> first_, halos_;
};

inline constexpr std::size_t kNoBranch = static_cast<std::size_t>(-1);

/// A halo followed through time by its main progenitors.
struct TreeBranch {
    std::vector<std::uint32_t> halos;  ///< indices, the earliest first
    std::size_t into = kNoBranch;      ///< the branch that it merges into
    std::uint32_t merger = kNoHalo;    ///< the halo of that branch which it becomes a part of
    double most_mass = 0;              ///< of its haloes
    double row = 0;                    ///< its place across the timeline; 0: the main branch
};

/// The merger tree of a halo as a timeline.
struct MergerTree {
    std::uint32_t root = kNoHalo;
    std::vector<TreeBranch> branches;  ///< the main branch first; a branch comes after the one that it merges into
    std::size_t left_out = 0;          ///< branches that are lighter than those kept
    bool by_scale_factor = true;       ///< time is the scale factor, otherwise the number of the snapshot
    double first = 0, last = 0;        ///< times
    double lowest_row = 0, highest_row = 0;
    double most_mass = 0;

    double time_of(const Halo& halo) const {
        return by_scale_factor ? halo.scale_factor : static_cast<double>(halo.snapshot);
    }
};

/// The tree of all progenitors of a halo, with at most `most` branches, the heaviest. No two branches cross: those that
/// merge early are next to the branch that they merge into. Throws Error{kUsage} if the catalogue has no links.
MergerTree merger_tree(const HaloCatalogue& catalogue, const Progenitors& progenitors, std::uint32_t root,
                       std::size_t most);

/// A halo through time: its main progenitors, itself, and its descendants, the earliest first.
std::vector<std::uint32_t> line_of(const HaloCatalogue& catalogue, const Progenitors& progenitors, std::uint32_t halo);

/// The root of a tree: the heaviest halo of the last time.
std::uint32_t default_root(const HaloCatalogue& catalogue);
/// The branch that contains a halo, or kNoBranch.
std::size_t branch_of(const MergerTree& tree, std::uint32_t halo);

/// Width of a line for a halo, from `least` to `most`: proportional to the cube root of its mass.
double line_width(const MergerTree& tree, const Halo& halo, double least, double most);

/// The tree as a figure; the branch `lit` is coloured.
std::string merger_tree_svg(const HaloCatalogue& catalogue, const MergerTree& tree, const std::string& title,
                            std::size_t lit = kNoBranch);
/// A row for each halo of the tree: branch, into, row, id, scale_factor, snapshot, mass, x, y, z.
std::string merger_tree_csv(const HaloCatalogue& catalogue, const MergerTree& tree);

}  // namespace orrery
