// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A page of the sidebar in its own window. Position and size in pixels at scale 1, from the upper left of the main
/// window.
struct DetachedPanel {
    std::string_view panel;  ///< id of panels()
    float x = 0, y = 0, width = 0, height = 0;
    friend bool operator==(const DetachedPanel&, const DetachedPanel&) = default;
};
using DetachedPanels = std::vector<DetachedPanel>;

inline constexpr float kDefaultDetachedWidth = 420, kDefaultDetachedHeight = 480;

bool is_detached(const DetachedPanels& pages, std::string_view panel);

/// The format of the settings: "history 400 10 420 500, structure …". detached_panels() skips invalid entries.
std::string text_of(const DetachedPanels& pages);
DetachedPanels detached_panels(std::string_view text);

/// Moves a window whose edge is within `reach` of an edge of the free area to that edge, and brings a window outside
/// the area back into it. All in the same unit.
struct FreeArea {
    float left, top, right, bottom;
};
DetachedPanel snapped(DetachedPanel page, const FreeArea& area, float reach);

}  // namespace orrery
