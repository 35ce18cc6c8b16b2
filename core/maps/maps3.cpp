// SPDX-License-Identifier: MIT
#include "core/maps/maps3.hpp"

#include <array>

#include "core/base/menu.hpp"

namespace orrery {
namespace {

template <class... Listed>
constexpr auto map3_entries_of(TypeList<Listed...>) {
    static_assert((Simplex3Map<Sample<Listed>> && ...));
    return std::array{Map3Entry{Sample<Listed>::name, Sample<Listed>::label, Sample<Listed>::doc, takes_root<Listed>,
                                map3_id<Listed>}...};
}
constexpr auto kMaps3Maps = map3_entries_of(Maps3{});

}  // namespace

std::span<const Map3Entry> simplex3_maps() { return kMaps3Maps; }

const Map3Entry& simplex3_map(std::string_view id) { return find_in_menu(simplex3_maps(), "map of three tiles", id); }

template <class Real>
std::uint32_t first_wrong_layer(Real epsilon, std::uint32_t limit) {
    const Lambda3Published<Real> map{epsilon};
    const auto right = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        return map(Block3{tetrahedral(k) + triangular(j) + i, 0, 0}, k + 1) == TileTriple{i, j, k};
    };
    for (std::uint32_t k = 0; k < limit; ++k)
        for (std::uint32_t j = k < 1024 ? 0 : k; j <= k; ++j)  // rows within a layer do not fail before its last row
            if (!right(0, j, k) || !right(j, j, k) || !right(0, 0, k)) return k;
    return limit;
}
template std::uint32_t first_wrong_layer(float, std::uint32_t);
template std::uint32_t first_wrong_layer(double, std::uint32_t);

}  // namespace orrery
