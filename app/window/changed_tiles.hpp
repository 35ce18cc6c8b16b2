// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstddef>
#include <vector>

namespace orrery {

/// In pixels from the upper left; x1 and y1 are exclusive.
struct PixelBox {
    int x0, y0, x1, y1;
    friend bool operator==(const PixelBox&, const PixelBox&) = default;
};

/// The parts of a window that have changed since it was last drawn, in tiles of the size that Mesa's software GL uses.
class ChangedTiles {
public:
    static constexpr int kTile = 64;          // pixels
    static constexpr std::size_t kMost = 12;  // boxes

    ChangedTiles(int width, int height);
    void mark(const ImVec4& box);  ///< x0, y0, x1, y1 in pixels; clipped to the window
    void mark_all();
    bool any() const;
    /// Disjoint boxes that cover all marked tiles: kMost at most, or else one box around all of them.
    std::vector<PixelBox> boxes() const;

private:
    PixelBox box_of(int x0, int y0, int x1, int y1) const;  // from tiles

    int width_, height_, across_, up_;
    std::vector<bool> marked_;  // [row][column]
};

/// The triangles that ImGui submitted in the last frame.
class DrawnPanels {
public:
    /// Marks the areas of all triangles that have changed or disappeared, and stores the current ones.
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

/// Bounding box of a triangle of ImGui's draw lists, clipped to the rectangle of its command, in pixels.
ImVec4 place_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec4& clip,
                const ImDrawData& in);

}  // namespace orrery
