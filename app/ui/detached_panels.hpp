// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A page of the sidebar in a window of its own. In pixels at scale 1, from the upper left of the window.
struct TornPage {
    std::string_view panel;  ///< id of panels()
    float x = 0, y = 0, width = 0, height = 0;
    friend bool operator==(const TornPage&, const TornPage&) = default;
};
using TornPages = std::vector<TornPage>;

inline constexpr float kUsualTornWidth = 420, kUsualTornHeight = 480;

/// Whether a page can be torn off: not those that come with a drawing over the picture.
bool can_be_torn(std::string_view panel);
bool is_torn(const TornPages& pages, std::string_view panel);

/// "history 400 10 420 500, structure …", as the settings keep them; what is not understood is left out.
std::string text_of(const TornPages& pages);
TornPages torn_pages(std::string_view text);

/// A window of this size that came to rest at a place within `reach` of an edge of the free area is put to it; one
/// that has left the area is brought back. All in the same unit.
struct FreeArea {
    float left, top, right, bottom;
};
TornPage snapped(TornPage page, const FreeArea& area, float reach);

}  // namespace orrery
