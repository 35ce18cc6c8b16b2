// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"

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

/// Draws picture and panels into a window with software GL, redrawing only the tiles that have changed. While bodies
/// are computed, only a few figures change, and drawing the whole window takes ten times as long. This requires that
/// the window's buffer keeps its content after it is shown, which the first two frames test. Otherwise a frame with any
/// change is drawn completely.
class ComposedWindow {
public:
    ComposedWindow();
    /// Draws for a window of this size. `all`: the picture in the framebuffer `picture` has changed; `needed`: the
    /// frame is shown in any case. Returns false if the frame need not be shown.
    bool draw(GLuint picture, int width, int height, bool all, bool needed, const ImDrawData& panels);

private:
    struct Piece {
        unsigned first, count;  // of indices
        GLuint texture;
        PixelBox box;
    };
    void leave_mark();
    void find_mark();
    void cut_out(const PixelBox& box, const ImDrawData& panels);
    void draw_pieces(const ImDrawData& panels);

    GlProgram program_{"panels.vert", "draw_list.frag"};
    GlVertexArray layout_;
    GlBuffer vertices_, indices_;
    std::vector<ImDrawVert> corners_;
    std::vector<std::uint32_t> order_;
    std::vector<Piece> pieces_;
    DrawnPanels drawn_;
    int width_ = 0, height_ = 0;
    std::optional<bool> keeps_;  // true if the buffer keeps its content after it is shown
    bool tried_ = false;         // the frame that was shown contains the mark
};

}  // namespace orrery
