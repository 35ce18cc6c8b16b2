// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/window/changed_tiles.hpp"

namespace orrery {

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
