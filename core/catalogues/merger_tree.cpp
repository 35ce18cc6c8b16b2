// SPDX-License-Identifier: MIT
#include "core/catalogues/merger_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// A mass to compare; those that are not stated are the least.
double mass_or_zero(const Halo& halo) { return halo.mass > 0 ? halo.mass : 0; }

/// All branches of a tree, without rows.
std::vector<TreeBranch> all_branches(const HaloCatalogue& catalogue, const Progenitors& progenitors,
                                     std::uint32_t root) {
    std::vector<TreeBranch> branches;
    std::vector<TreeBranch> begun{{.halos = {root}}};
    while (!begun.empty()) {
        TreeBranch branch = std::move(begun.back());
        begun.pop_back();
        const std::size_t index = branches.size();
        for (std::uint32_t at = branch.halos.front();;) {
            branch.most_mass = std::max(branch.most_mass, mass_or_zero(catalogue.halos[at]));
            const auto earlier = progenitors.of(at);
            for (std::size_t i = 1; i < earlier.size(); ++i)
                begun.push_back({.halos = {earlier[i]}, .into = index, .merger = at});
            if (earlier.empty()) break;
            at = earlier.front();
            branch.halos.push_back(at);
        }
        std::ranges::reverse(branch.halos);
        branches.push_back(std::move(branch));
    }
    return branches;
}

/// Keeps the main branch and the heaviest others; a branch is kept only with the one that it merges into.
std::vector<TreeBranch> heaviest(std::vector<TreeBranch> branches, std::size_t most) {
    if (branches.size() <= most) return branches;
    // A branch counts as no heavier than the one that it merges into, so that the kept ones are connected.
    std::vector<double> weight(branches.size());
    for (std::size_t i = 0; i < branches.size(); ++i)
        weight[i] = i == 0 ? branches[i].most_mass : std::min(branches[i].most_mass, weight[branches[i].into]);
    std::vector<std::size_t> order(branches.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin() + 1, order.end(),
                     [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
    order.resize(std::max<std::size_t>(1, most));
    std::ranges::sort(order);
    std::vector<std::size_t> moved(branches.size(), kNoBranch);
    std::vector<TreeBranch> kept;
    for (const std::size_t i : order) {
        if (branches[i].into != kNoBranch && moved[branches[i].into] == kNoBranch) continue;
        moved[i] = kept.size();
        kept.push_back(std::move(branches[i]));
        if (kept.back().into != kNoBranch) kept.back().into = moved[kept.back().into];
    }
    return kept;
}

/// Rows above and below a branch that it and the branches which merge into it take.
struct RowExtent {
    double up = 0, down = 0;
};

/// Sets rows relative to the branch that each merges into. A branch comes after that one, so they are placed from the
/// last to the first.
std::vector<RowExtent> place_rows(MergerTree& tree, const HaloCatalogue& catalogue) {
    std::vector<std::vector<std::size_t>> merging(tree.branches.size());
    for (std::size_t i = 1; i < tree.branches.size(); ++i) merging[tree.branches[i].into].push_back(i);
    std::vector<RowExtent> extents(tree.branches.size());
    for (std::size_t i = tree.branches.size(); i-- > 0;) {
        std::ranges::stable_sort(merging[i], {}, [&](std::size_t branch) {
            return tree.time_of(catalogue.halos[tree.branches[branch].merger]);
        });
        RowExtent& own = extents[i];
        for (const std::size_t branch : merging[i]) {
            const RowExtent& other = extents[branch];
            if (own.up <= own.down) {
                tree.branches[branch].row = own.up + other.down + 1;
                own.up = tree.branches[branch].row + other.up;
            } else {
                tree.branches[branch].row = -(own.down + other.up + 1);
                own.down = -tree.branches[branch].row + other.down;
            }
        }
    }
    return extents;
}

}  // namespace

Progenitors::Progenitors(const HaloCatalogue& catalogue)
    : first_(catalogue.halos.size() + 1),
      halos_(static_cast<std::size_t>(
          std::ranges::count_if(catalogue.descendants, [](std::uint32_t d) { return d != kNoHalo; }))) {
    for (const std::uint32_t descendant : catalogue.descendants)
        if (descendant != kNoHalo) ++first_[descendant + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < catalogue.descendants.size(); ++i)
        if (catalogue.descendants[i] != kNoHalo) halos_[next[catalogue.descendants[i]]++] = i;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const Halo &left = catalogue.halos[a], &right = catalogue.halos[b];
        if (left.main_progenitor != right.main_progenitor) return left.main_progenitor;
        return mass_or_zero(left) > mass_or_zero(right);
    };
    for (std::size_t i = 0; i + 1 < first_.size(); ++i)
        if (first_[i + 1] - first_[i] > 1)
            std::stable_sort(halos_.begin() + first_[i], halos_.begin() + first_[i + 1], before);
}

MergerTree merger_tree(const HaloCatalogue& catalogue, const Progenitors& progenitors, std::uint32_t root,
                       std::size_t most) {
    if (!catalogue.has_tree())
        usage_error(
            fmt::format("{}: its haloes have no descendants; give a merger tree, or the catalogues of several "
                        "snapshots",
                        catalogue.path));
    MergerTree tree{.root = root};
    tree.by_scale_factor = catalogue.halos[root].scale_factor > 0;
    std::vector<TreeBranch> all = all_branches(catalogue, progenitors, root);
    const std::size_t found = all.size();
    tree.branches = heaviest(std::move(all), most);
    tree.left_out = found - tree.branches.size();
    const std::vector<RowExtent> extents = place_rows(tree, catalogue);
    tree.highest_row = extents.front().up, tree.lowest_row = -extents.front().down;
    tree.first = tree.last = tree.time_of(catalogue.halos[root]);
    for (TreeBranch& branch : tree.branches) {
        if (branch.into != kNoBranch) branch.row += tree.branches[branch.into].row;
        tree.most_mass = std::max(tree.most_mass, branch.most_mass);
        tree.first = std::min(tree.first, tree.time_of(catalogue.halos[branch.halos.front()]));
    }
    return tree;
}

std::vector<std::uint32_t> line_of(const HaloCatalogue& catalogue, const Progenitors& progenitors, std::uint32_t halo) {
    std::vector<std::uint32_t> line{halo};
    while (!progenitors.of(line.back()).empty()) line.push_back(progenitors.of(line.back()).front());
    std::ranges::reverse(line);
    for (std::uint32_t at = catalogue.descendants[halo]; at != kNoHalo; at = catalogue.descendants[at])
        line.push_back(at);
    return line;
}

std::uint32_t default_root(const HaloCatalogue& catalogue) {
    const auto last = catalogue.at(catalogue.times.back());
    return *std::ranges::max_element(last, {}, [&](std::uint32_t i) { return mass_or_zero(catalogue.halos[i]); });
}

std::size_t branch_of(const MergerTree& tree, std::uint32_t halo) {
    for (std::size_t i = 0; i < tree.branches.size(); ++i)
        if (std::ranges::find(tree.branches[i].halos, halo) != tree.branches[i].halos.end()) return i;
    return kNoBranch;
}

double line_width(const MergerTree& tree, const Halo& halo, double least, double most) {
    if (!(tree.most_mass > 0)) return least;
    return std::max(least, most * std::cbrt(mass_or_zero(halo) / tree.most_mass));
}

std::string merger_tree_csv(const HaloCatalogue& catalogue, const MergerTree& tree) {
    std::string text = "branch,into,row,id,scale_factor,snapshot,mass,x,y,z\n";
    const auto or_empty = [](bool stated, auto value) { return stated ? fmt::format("{}", value) : std::string{}; };
    for (std::size_t i = 0; i < tree.branches.size(); ++i)
        for (const std::uint32_t index : tree.branches[i].halos) {
            const Halo& halo = catalogue.halos[index];
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{}\n", i,
                           or_empty(i > 0, tree.branches[i].into), tree.branches[i].row, halo.id,
                           or_empty(halo.scale_factor > 0, halo.scale_factor),
                           or_empty(halo.snapshot >= 0, halo.snapshot), or_empty(!std::isnan(halo.mass), halo.mass),
                           halo.position.x, halo.position.y, halo.position.z);
        }
    return text;
}

}  // namespace orrery
