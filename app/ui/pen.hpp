// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

namespace orrery {

enum class Align { kLeft, kCentre, kRight };

/// A part of the screen, in pixels.
struct Box {
    ImVec2 low, high;
    float width() const { return high.x - low.x; }
    float height() const { return high.y - low.y; }
};

/// Text of any size and simple shapes on the draw list of the current window. For large figures.
class Pen {
public:
    Pen(ImFont* font, float size) : draw_{ImGui::GetWindowDrawList()}, font_{font}, size_{size} {}
    Pen sized(float factor) const { return {font_, factor * size_}; }

    float size() const { return size_; }  ///< of the text, in pixels
    ImDrawList& draw() const { return *draw_; }
    float width(std::string_view text) const;
    /// The text, truncated with … to a width of at most `most`.
    std::string fitted(std::string_view text, float most) const;
    /// `at` is the upper left, upper middle or upper right.
    void text(ImVec2 at, ImU32 color, std::string_view text, Align align = Align::kLeft) const;
    /// Broken into lines of at most `most` pixels.
    void wrapped(ImVec2 at, ImU32 color, std::string_view text, float most) const {
        draw_->AddText(font_, size_, at, color, text.data(), text.data() + text.size(), most);
    }
    void dashed(ImVec2 from, ImVec2 to, ImU32 color, float thick, float dash) const;

private:
    ImDrawList* draw_;
    ImFont* font_;
    float size_;
};

}  // namespace orrery
