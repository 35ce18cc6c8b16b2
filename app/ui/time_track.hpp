// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <vector>

namespace orrery {

/// A time bar: the past, marks, and the present, as fractions of the whole.
struct TimeTrack {
    std::vector<float> marks;  ///< ascending
    float now = 0;
};
/// Draws into this rectangle of the current ImGui window, in pixels. Marks that nearly coincide are drawn once.
void draw_track(const TimeTrack& track, ImVec2 low, ImVec2 high, float scale);

}  // namespace orrery
