// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstddef>
#include <vector>

namespace orrery {

/// In pixels from the upper left; x1 and y1 are behind the last ones.
struct PixelBox {
    int x0, y0, x1, y1;
    friend bool operator==(const PixelBox&, const PixelBox&) = default;
};

/// Where a window differs from how it was drawn last, in tiles as wide as those of Mesa's software GL, which works tile
/// by tile.
class ChangedTiles {
public:
    static constexpr int kTile = 64;          // pixels
    static constexpr std::size_t kMost = 12;  // boxes

    ChangedTiles(int width, int height);
    void mark(const ImVec4& box);  ///< x0, y0, x1, y1 in pixels; what lies outside the window is left out
    void mark_all();
    bool any() const;
    /// Disjoint boxes of all that is marked: kMost at most, or one round all of it.
    std::vector<PixelBox> boxes() const;

private:
    PixelBox box_of(int x0, int y0, int x1, int y1) const;  // from tiles

    int width_, height_, across_, up_;
    std::vector<bool> marked_;  // [row][column]
};

/// What ImGui asked for in the last frame, triangle by triangle.
class DrawnPanels {
public:
    /// Marks the places of all triangles that are not as they were or are no longer there, and remembers what there is.
    void compare(const ImDrawData& now, ChangedTiles& changed);

private:
    struct List {
        std::vector<ImDrawVert> vertices;
        std::vector<ImDrawIdx> indices;
        std::vector<ImDrawCmd> commands;
    };
    static List list_of(const ImDrawList& list);

    std::vector<List> lists_;
};

/// Of a triangle of ImGui's draw lists: its place within the rectangle that the command leaves of it, in pixels.
ImVec4 place_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec4& clip,
                const ImDrawData& in);

}  // namespace orrery
