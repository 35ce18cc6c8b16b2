// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/features.hpp"

namespace orrery {

inline constexpr const char* kHaloTreeWindow = "merger tree";  ///< ImGui name
/// The merger tree of a halo as a timeline at the lower edge, while it is shown. A click on a branch requests its halo
/// at that time. The widget map has the place of each branch, "branch 0".
void halo_tree_overlay(DrawnFrame& frame);
/// Height in pixels at the lower edge that the tree covers, with the gap above; 0 without it.
float halo_tree_height(float scale);

}  // namespace orrery
