// SPDX-License-Identifier: MIT
#include "core/catalogues/merger_tree.hpp"

#include <algorithm>
#include <random>

#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Halo 1 at a = 1 has the progenitors 2 (main) and 3 at 0.8; 2 has 4 and 5 at 0.6; 3 has 6.
HaloCatalogue small_tree() {
    HaloCatalogue catalogue;
    catalogue.ids_are_unique = true;
    const auto add = [&](std::uint64_t id, std::uint64_t descendant, double a, double mass) {
        catalogue.halos.push_back({.id = id, .descendant = descendant, .mass = mass, .scale_factor = a});
    };
    add(1, kNoHaloId, 1, 10), add(2, 1, 0.8, 6), add(3, 1, 0.8, 3), add(4, 2, 0.6, 2), add(5, 2, 0.6, 3),
        add(6, 3, 0.6, 1);
    link_halos(catalogue);
    return catalogue;
}

/// A random tree: each halo before the last time becomes a part of a random one at the next.
HaloCatalogue random_tree(unsigned seed, int times, int halos) {
    std::mt19937 random{seed};
    HaloCatalogue catalogue;
    catalogue.ids_are_unique = true;
    std::uint64_t id = 0;
    for (int t = 0; t < times; ++t)
        for (int i = 0; i < (t + 1 == times ? 1 : halos); ++i) {
            Halo halo{.id = id++, .mass = 1.0 + static_cast<double>(random() % 1000), .snapshot = t};
            if (t + 1 < times) {
                const int next = t + 2 == times ? 1 : halos;
                halo.descendant = static_cast<std::uint64_t>((t + 1) * halos) + random() % static_cast<unsigned>(next);
            }
            catalogue.halos.push_back(halo);
        }
    link_halos(catalogue);
    return catalogue;
}

TEST(MergerTrees, MainBranchFollowsTheHeaviestProgenitors) {
    const HaloCatalogue catalogue = small_tree();
    const MergerTree tree = merger_tree(catalogue, Progenitors{catalogue}, 0, 100);
    ASSERT_EQ(tree.branches.size(), 3u);
    EXPECT_THAT(tree.branches[0].halos, ElementsAre(4, 1, 0));  // ids 5, 2, 1
    EXPECT_EQ(tree.branches[0].row, 0);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_EQ(tree.branches[i].into, 0u);
        EXPECT_NE(tree.branches[i].row, 0);
    }
    EXPECT_EQ(tree.first, 0.6);
    EXPECT_EQ(tree.last, 1);
    EXPECT_EQ(default_root(catalogue), 0u);
    EXPECT_EQ(branch_of(tree, 5), branch_of(tree, 2));
    EXPECT_THAT(line_of(catalogue, Progenitors{catalogue}, 1), ElementsAre(4, 1, 0));
}

TEST(MergerTrees, MainProgenitorOfTheFileComesBeforeHeavierOnes) {
    HaloCatalogue catalogue = small_tree();
    catalogue.halos[3].main_progenitor = true;
    const MergerTree tree = merger_tree(catalogue, Progenitors{catalogue}, 0, 100);
    EXPECT_THAT(tree.branches[0].halos, ElementsAre(3, 1, 0));
}

TEST(MergerTrees, LightBranchesAreLeftOutAndCounted) {
    const HaloCatalogue catalogue = random_tree(3, 20, 30);
    const std::uint32_t root = default_root(catalogue);
    const MergerTree all = merger_tree(catalogue, Progenitors{catalogue}, root, 100'000);
    const MergerTree some = merger_tree(catalogue, Progenitors{catalogue}, root, 10);
    EXPECT_EQ(all.left_out, 0u);
    EXPECT_EQ(some.branches.size(), 10u);
    EXPECT_EQ(some.left_out, all.branches.size() - 10);
    EXPECT_EQ(some.branches[0].halos, all.branches[0].halos);
    std::size_t halos = 0;
    for (const TreeBranch& branch : all.branches) halos += branch.halos.size();
    EXPECT_EQ(halos, catalogue.halos.size()) << "each halo is in one branch";
}

/// The line from a branch to the one that it merges into, at its time, must not pass over a third branch.
TEST(MergerTrees, BranchesDoNotCross) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const HaloCatalogue catalogue = random_tree(seed, 12, 15);
        const MergerTree tree = merger_tree(catalogue, Progenitors{catalogue}, default_root(catalogue), 100'000);
        const auto time = [&](std::uint32_t halo) { return tree.time_of(catalogue.halos[halo]); };
        for (const TreeBranch& branch : tree.branches) {
            if (branch.into == kNoBranch) continue;
            const auto [low, high] = std::minmax(branch.row, tree.branches[branch.into].row);
            for (const TreeBranch& other : tree.branches) {
                if (!(other.row > low && other.row < high)) continue;
                // The other one has ended, by merging, before this one merges.
                ASSERT_NE(other.into, kNoBranch);
                EXPECT_LE(time(other.merger), time(branch.merger)) << "seed " << seed;
            }
        }
        std::vector<double> rows;
        for (const TreeBranch& branch : tree.branches) rows.push_back(branch.row);
        std::ranges::sort(rows);
        EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end()) << "each branch has a row of its own";
    }
}

TEST(MergerTrees, CataloguesWithoutDescendantsAreRefused) {
    HaloCatalogue catalogue;
    catalogue.path = "out.list";
    catalogue.halos = {{.id = 1, .mass = 1}};
    link_halos(catalogue);
    expect_error([&] { merger_tree(catalogue, Progenitors{catalogue}, 0, 10); }, Blame::kUsage, "out.list",
                 "no descendants", "give a merger tree");
}

TEST(MergerTrees, FigureAndTableHoldEachBranch) {
    const HaloCatalogue catalogue = small_tree();
    const MergerTree tree = merger_tree(catalogue, Progenitors{catalogue}, 0, 100);
    const std::string svg = merger_tree_svg(catalogue, tree, "Tree", branch_of(tree, 2));
    EXPECT_THAT(svg, HasSubstr("3 branches"));
    EXPECT_THAT(svg, HasSubstr("lit: the branch of halo 3"));
    EXPECT_THAT(svg, HasSubstr("scale factor a"));
    const std::string csv = merger_tree_csv(catalogue, tree);
    EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 6);
    EXPECT_THAT(csv, HasSubstr("branch,into,row,id,scale_factor,snapshot,mass,x,y,z\n0,,0,5,0.6,,3,0,0,0\n"));
}

TEST(MergerTrees, WidthsGrowWithTheCubeRootOfTheMass) {
    MergerTree tree;
    tree.most_mass = 8;
    EXPECT_DOUBLE_EQ(line_width(tree, {.mass = 8}, 1, 10), 10);
    EXPECT_DOUBLE_EQ(line_width(tree, {.mass = 1}, 1, 10), 5);
    EXPECT_DOUBLE_EQ(line_width(tree, {.mass = 1e-9}, 1, 10), 1);
}

}  // namespace
}  // namespace orrery::test
