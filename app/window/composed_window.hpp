// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/vertex_array.hpp"
#include "app/window/changed_tiles.hpp"

namespace orrery {

/// Picture and panels as software GL draws them into a window: again only in those tiles in which something has
/// changed. Of a window whose bodies are computed these are a few figures, and all of it takes ten times as long. What
/// is shown stays in the window's own buffer, where that is so: it is tried out with the first two frames. Elsewhere a
/// frame in which something has changed is drawn whole.
class ComposedWindow {
public:
    ComposedWindow();
    /// The window has this size. `all`: the picture in the framebuffer `picture` is another one; `needed`: the frame is
    /// shown in any case. False: it need not be.
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
    std::optional<bool> keeps_;  // what has been shown
    bool tried_ = false;         // the mark is in the frame that was shown
};

}  // namespace orrery
