// SPDX-License-Identifier: MIT
#include "app/window/composed_window.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace orrery {
namespace {

constexpr GLfloat kMark[4] = {1, 0, 1, 1};

static_assert(sizeof(ImDrawVert) == 20 && offsetof(ImDrawVert, uv) == 8 && offsetof(ImDrawVert, col) == 16,
              "must match shaders/panels.vert");

/// Allocates twice the room: the next frames need about as much.
void put(GlBuffer& buffer, const void* data, std::size_t bytes) {
    if (bytes > buffer.bytes()) buffer = GlBuffer{2 * bytes, GL_DYNAMIC_STORAGE_BIT};
    buffer.write(data, bytes);
}

bool overlap(const PixelBox& box, const ImVec4& place) {
    return place.x < place.z && place.y < place.w && place.x < static_cast<float>(box.x1) &&
           place.y < static_cast<float>(box.y1) && place.z > static_cast<float>(box.x0) &&
           place.w > static_cast<float>(box.y0);
}

/// The part of a command's rectangle that lies in the box.
PixelBox clipped(const PixelBox& box, const ImVec4& clip, const ImDrawData& in) {
    const auto pixel = [](float at, float from, float scale) {
        return static_cast<int>(std::clamp((at - from) * scale, -1e6f, 1e6f));
    };
    const ImVec2 from = in.DisplayPos, scale = in.FramebufferScale;
    return {std::max(box.x0, pixel(clip.x, from.x, scale.x)), std::max(box.y0, pixel(clip.y, from.y, scale.y)),
            std::min(box.x1, pixel(clip.z, from.x, scale.x)), std::min(box.y1, pixel(clip.w, from.y, scale.y))};
}

}  // namespace

ComposedWindow::ComposedWindow() {
    const auto attribute = [&](GLuint at, GLint numbers, GLenum type, GLboolean share, std::size_t offset) {
        glEnableVertexArrayAttrib(layout_.name(), at);
        glVertexArrayAttribFormat(layout_.name(), at, numbers, type, share, static_cast<GLuint>(offset));
        glVertexArrayAttribBinding(layout_.name(), at, 0);
    };
    attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
    attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
}

bool ComposedWindow::draw(GLuint picture, int width, int height, bool all, bool needed, const ImDrawData& panels) {
    const bool resized = width != width_ || height != height_;
    width_ = width, height_ = height;
    if (tried_ && !resized) find_mark();
    all |= resized || tried_;  // overwrites the mark
    tried_ = false;
    ChangedTiles changed{width, height};
    drawn_.compare(panels, changed);
    if (!all && !needed && !changed.any()) return false;
    if (all || !keeps_.value_or(false)) changed.mark_all();
    corners_.clear(), order_.clear(), pieces_.clear();
    for (int i = 0; i < panels.CmdListsCount; ++i)
        corners_.insert(corners_.end(), panels.CmdLists[i]->VtxBuffer.begin(), panels.CmdLists[i]->VtxBuffer.end());
    for (const PixelBox& box : changed.boxes()) {
        const int low = height - box.y1, high = height - box.y0;  // OpenGL counts rows from below
        glBlitNamedFramebuffer(picture, 0, box.x0, low, box.x1, high, box.x0, low, box.x1, high, GL_COLOR_BUFFER_BIT,
                               GL_NEAREST);
        cut_out(box, panels);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (!order_.empty()) draw_pieces(panels);
    if (!keeps_) leave_mark();
    return true;
}

/// Draws the lower left pixel in a mark colour for one frame, to test whether it is still there after the frame is
/// shown.
void ComposedWindow::leave_mark() {
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glClearNamedFramebufferfv(0, GL_COLOR, 0, kMark);
    glDisable(GL_SCISSOR_TEST);
    tried_ = true;
}

void ComposedWindow::find_mark() {
    std::array<GLubyte, 4> pixel{};
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    keeps_ = pixel[0] == 255 && pixel[1] == 0 && pixel[2] == 255;
}

/// Collects the triangles that a box needs, in their order.
void ComposedWindow::cut_out(const PixelBox& box, const ImDrawData& panels) {
    std::uint32_t first = 0;  // vertex of the list
    for (int i = 0; i < panels.CmdListsCount; ++i) {
        const ImDrawList& list = *panels.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const PixelBox part = clipped(box, command.ClipRect, panels);
            if (part.x0 >= part.x1 || part.y0 >= part.y1) continue;
            const auto before = static_cast<unsigned>(order_.size());
            const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
            for (unsigned k = 0; k + 2 < command.ElemCount; k += 3) {
                std::uint32_t corner[3];
                for (unsigned c = 0; c < 3; ++c) corner[c] = first + command.VtxOffset + index[k + c];
                if (overlap(box, place_of(corners_[corner[0]], corners_[corner[1]], corners_[corner[2]],
                                          command.ClipRect, panels)))
                    order_.insert(order_.end(), std::begin(corner), std::end(corner));
            }
            const auto count = static_cast<unsigned>(order_.size()) - before;
            if (count > 0)
                pieces_.push_back(
                    {before, count, static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(command.GetTexID())), part});
        }
        first += static_cast<std::uint32_t>(list.VtxBuffer.Size);
    }
}

void ComposedWindow::draw_pieces(const ImDrawData& panels) {
    put(vertices_, corners_.data(), corners_.size() * sizeof(ImDrawVert));
    put(indices_, order_.data(), order_.size() * sizeof(std::uint32_t));
    glVertexArrayVertexBuffer(layout_.name(), 0, vertices_.name(), 0, sizeof(ImDrawVert));
    glVertexArrayElementBuffer(layout_.name(), indices_.name());
    glBindVertexArray(layout_.name());
    glViewport(0, 0, width_, height_);
    program_.use();
    glProgramUniform4f(program_.name(), 0, panels.DisplayPos.x, panels.DisplayPos.y, 2 / panels.DisplaySize.x,
                       2 / panels.DisplaySize.y);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (const Piece& piece : pieces_) {
        glBindTextureUnit(0, piece.texture);
        glScissor(piece.box.x0, height_ - piece.box.y1, piece.box.x1 - piece.box.x0, piece.box.y1 - piece.box.y0);
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(piece.count), GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(piece.first * sizeof(std::uint32_t)));
    }
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace orrery
