// SPDX-License-Identifier: MIT
#pragma once
// The menu of compiled walk kernels.
#include <algorithm>
#include <array>
#include <span>

#include "core/engines/cuda/tree/walk.cuh"

namespace orrery::cuda {

/// One compiled kernel of the family.
template <class Real>
struct WalkVariant {
    int bodies, order;  ///< bodies per lane; a group has up to 32 times as many
    bool softened, potential;
    int warps;  ///< per block
    void (*kernel)(WalkArgs<Real>);
};

/// Variants for all numbers of bodies per lane.
template <class Real, int kOrder, Softened kSoftened, bool kPotential, Split kSplit, int kWarps>
constexpr std::array<WalkVariant<Real>, 3> walks_of_lanes() {
    constexpr bool softened = kSoftened == Softened::kYes;
    return {
        {{1, kOrder, softened, kPotential, kWarps, &walk_tree<Real, 1, kOrder, kSoftened, kPotential, kSplit, kWarps>},
         {2, kOrder, softened, kPotential, kWarps, &walk_tree<Real, 2, kOrder, kSoftened, kPotential, kSplit, kWarps>},
         {4, kOrder, softened, kPotential, kWarps,
          &walk_tree<Real, 4, kOrder, kSoftened, kPotential, kSplit, kWarps>}}};
}

/// The same for both orders, with and without potentials, with few and with many warps.
template <class Real, Softened kSoftened, Split kSplit>
constexpr auto walks_of() {
    std::array<WalkVariant<Real>, 24> menu{};
    auto to = menu.begin();
    const auto add = [&to](const auto& variants) { to = std::copy(variants.begin(), variants.end(), to); };
    add(walks_of_lanes<Real, 1, kSoftened, false, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 2, kSoftened, false, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 1, kSoftened, true, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 2, kSoftened, true, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 1, kSoftened, false, kSplit, kWarpsOfMany>());
    add(walks_of_lanes<Real, 2, kSoftened, false, kSplit, kWarpsOfMany>());
    add(walks_of_lanes<Real, 1, kSoftened, true, kSplit, kWarpsOfMany>());
    add(walks_of_lanes<Real, 2, kSoftened, true, kSplit, kWarpsOfMany>());
    return menu;
}

/// The same with and without softening.
template <class Real>
std::span<const WalkVariant<Real>> walk_variants() {
    static constexpr auto both = [] {
        constexpr auto with = walks_of<Real, Softened::kYes, Split::kNo>(),
                       without = walks_of<Real, Softened::kNo, Split::kNo>();
        std::array<WalkVariant<Real>, with.size() + without.size()> menu{};
        std::copy(without.begin(), without.end(), std::copy(with.begin(), with.end(), menu.begin()));
        return menu;
    }();
    return both;
}
/// For split positions, with or without softening.
template <class Real>
std::span<const WalkVariant<Real>> split_walk_variants() {
    static constexpr auto menu = walks_of<Real, Softened::kNo, Split::kYes>();
    return menu;
}

// core/CMakeLists.txt compiles each in its own unit.
extern template std::span<const WalkVariant<float>> walk_variants<float>();
extern template std::span<const WalkVariant<double>> walk_variants<double>();
extern template std::span<const WalkVariant<float>> split_walk_variants<float>();

/// The variant for groups of this size; `split`: positions have low parts.
template <class Real>
const WalkVariant<Real>& walk_for(std::uint64_t bodies, int group, int order, bool softened, bool potential,
                                  bool split) {
    auto variants = walk_variants<Real>();
    if constexpr (std::is_same_v<Real, float>)
        if (split) variants = split_walk_variants<float>();
    const int wanted = (group + 31) / 32, warps = bodies < kManyBodies ? kWarpsOfFew : kWarpsOfMany;
    return *std::ranges::find_if(variants, [&](const WalkVariant<Real>& v) {
        return v.bodies >= wanted && v.bodies < 2 * wanted && v.order == order && (split || v.softened == softened) &&
               v.potential == potential && v.warps == warps;
    });
}

}  // namespace orrery::cuda
