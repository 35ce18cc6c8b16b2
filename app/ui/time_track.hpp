// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <vector>

namespace orrery {

/// A bar of time: all of it, what lies before the present, marks, and the present. Parts of the whole, 0 to 1.
struct TimeTrack {
    std::vector<float> marks;  ///< ascending
    float now = 0;
};
/// Into this rectangle of the current ImGui window, in pixels. Marks that nearly coincide are one.
void draw_track(const TimeTrack& track, ImVec2 low, ImVec2 high, float scale);

}  // namespace orrery
