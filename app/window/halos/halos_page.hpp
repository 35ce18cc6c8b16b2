// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/picture/halo_marks.hpp"
#include "app/window/features.hpp"
#include "app/window/hand/hand_state.hpp"
#include "core/catalogues/merger_tree.hpp"

namespace orrery {

/// Requests of the page in one frame.
struct HalosWish {
    std::optional<std::string> open;       ///< path of a catalogue
    std::optional<std::uint32_t> choose;   ///< index of a halo: the camera goes there, its bodies are picked
    std::optional<std::uint32_t> tree_of;  ///< index of a halo; kNoHalo closes the tree
    bool close = false;
};

/// The list of the page.
struct HaloListing {
    std::string_view sort = "mass";  ///< id of halo_columns()
    bool ascending = false;
    std::size_t rows = 20;  ///< shown
    friend bool operator==(const HaloListing&, const HaloListing&) = default;
};

/// The page Haloes. In UiState::own.
struct HalosPage {
    std::string path;  ///< as typed so far
    bool busy = false;
    ShownHalos shown;
    bool circles = true;
    HaloListing listing;
    std::optional<std::size_t> time;                         ///< of the listed haloes, as HaloCatalogue::times
    std::shared_ptr<const std::vector<std::uint32_t>> rows;  ///< haloes of that time, sorted
    std::string_view members_by;                             ///< how the bodies of the lit halo were found
    Picked picked;                                           ///< the bodies of the lit halo
    std::vector<HaloCircle> marks;                           ///< in this frame, in window coordinates
    std::vector<glm::dvec2> dots;                            ///< bodies of the lit halo, or some of them
    std::shared_ptr<const MergerTree> tree;                  ///< null: none is shown
    std::size_t branch = kNoBranch;                          ///< the lit one
    HalosWish wish;

    const HaloCatalogue* catalogue() const { return shown.catalogue.get(); }
    const Halo* lit() const {
        return shown.catalogue && shown.lit != kNoHalo ? &shown.catalogue->halos[shown.lit] : nullptr;
    }
};

inline constexpr const char* kHaloTreeWindow = "merger tree";  ///< ImGui name
/// The merger tree of a halo as a timeline at the lower edge, while it is shown. A click on a branch requests its halo
/// at that time. The widget map has the place of each branch, "branch 0".
void halo_tree_overlay(DrawnFrame& frame);
/// Height in pixels at the lower edge that the tree covers, with the gap above; 0 without it.
float halo_tree_height(float scale);

}  // namespace orrery
