// SPDX-License-Identifier: MIT
#include "app/window/composed_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace orrery {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// True if both have the same clip rectangle and texture; their triangles may differ.
bool same_target(const ImDrawCmd& a, const ImDrawCmd& b) {
    return std::memcmp(&a.ClipRect, &b.ClipRect, sizeof a.ClipRect) == 0 && a.TextureId == b.TextureId;
}

/// The triangles of a command.
template <class List>
struct Triangles {
    const List& list;
    const ImDrawCmd& command;
    std::size_t count() const { return command.ElemCount / 3; }
    const ImDrawVert& corner(std::size_t triangle, std::size_t i) const {
        return list.vertices[command.VtxOffset + list.indices[command.IdxOffset + 3 * triangle + i]];
    }
    bool same(std::size_t triangle, const Triangles& other, std::size_t of_other) const {
        for (std::size_t i = 0; i < 3; ++i)
            if (std::memcmp(&corner(triangle, i), &other.corner(of_other, i), sizeof(ImDrawVert)) != 0) return false;
        return true;
    }
    void mark(std::size_t i, const ImDrawData& in, ChangedTiles& changed) const {
        changed.mark(place_of(corner(i, 0), corner(i, 1), corner(i, 2), command.ClipRect, in));
    }
};

/// Marks the triangles that differ; if their numbers differ, those between the common beginning and the common end.
template <class List>
void mark_difference(const Triangles<List>& before, const Triangles<List>& now, const ImDrawData& in,
                     ChangedTiles& changed) {
    const std::size_t n = before.count(), m = now.count(), least = std::min(n, m);
    if (n == m) {
        for (std::size_t i = 0; i < n; ++i)
            if (!before.same(i, now, i)) before.mark(i, in, changed), now.mark(i, in, changed);
        return;
    }
    std::size_t front = 0, end = 0;
    while (front < least && before.same(front, now, front)) ++front;
    while (end < least - front && before.same(n - 1 - end, now, m - 1 - end)) ++end;
    for (std::size_t i = front; i < n - end; ++i) before.mark(i, in, changed);
    for (std::size_t i = front; i < m - end; ++i) now.mark(i, in, changed);
}

template <class List>
void mark_whole(const List& list, const ImDrawData& in, ChangedTiles& changed) {
    for (const ImDrawCmd& command : list.commands) {
        const Triangles<List> all{list, command};
        for (std::size_t i = 0; i < all.count(); ++i) all.mark(i, in, changed);
    }
}

}  // namespace

ChangedTiles::ChangedTiles(int width, int height)
    : width_{width},
      height_{height},
      across_{(width + kTile - 1) / kTile},
      up_{(height + kTile - 1) / kTile},
      marked_(static_cast<std::size_t>(across_) * static_cast<std::size_t>(up_)) {}

void ChangedTiles::mark(const ImVec4& box) {
    const auto w = static_cast<float>(width_), h = static_cast<float>(height_);
    if (!(box.x < box.z && box.y < box.w && box.x < w && box.y < h && box.z > 0 && box.w > 0)) return;
    const auto tile = [](float at, float most) { return static_cast<int>(std::clamp(at, 0.0f, most - 1)) / kTile; };
    const int x1 = tile(std::ceil(box.z) - 1, w), y1 = tile(std::ceil(box.w) - 1, h);
    for (int y = tile(box.y, h); y <= y1; ++y)
        for (int x = tile(box.x, w); x <= x1; ++x) marked_[static_cast<std::size_t>(y * across_ + x)] = true;
}

void ChangedTiles::mark_all() { marked_.assign(marked_.size(), true); }
bool ChangedTiles::any() const { return std::ranges::find(marked_, true) != marked_.end(); }

PixelBox ChangedTiles::box_of(int x0, int y0, int x1, int y1) const {
    return {x0 * kTile, y0 * kTile, std::min(x1 * kTile, width_), std::min(y1 * kTile, height_)};
}

std::vector<PixelBox> ChangedTiles::boxes() const {
    std::vector<PixelBox> found;
    PixelBox round{width_, height_, 0, 0};
    for (int y = 0; y < up_; ++y)
        for (int x = 0; x < across_;) {
            const auto is = [&](int at) { return at < across_ && marked_[static_cast<std::size_t>(y * across_ + at)]; };
            if (!is(x)) {
                ++x;
                continue;
            }
            int end = x;
            while (is(end)) ++end;
            const PixelBox run = box_of(x, y, end, y + 1);
            round = {std::min(round.x0, run.x0), std::min(round.y0, run.y0), std::max(round.x1, run.x1),
                     std::max(round.y1, run.y1)};
            const auto above = std::ranges::find_if(
                found, [&](const PixelBox& box) { return box.x0 == run.x0 && box.x1 == run.x1 && box.y1 == run.y0; });
            if (above != found.end())
                above->y1 = run.y1;
            else
                found.push_back(run);
            x = end;
        }
    if (found.size() > kMost) return {round};
    return found;
}

DrawnPanels::List DrawnPanels::list_of(const ImDrawList& list) {
    return {{list.VtxBuffer.begin(), list.VtxBuffer.end()},
            {list.IdxBuffer.begin(), list.IdxBuffer.end()},
            {list.CmdBuffer.begin(), list.CmdBuffer.end()}};
}

void DrawnPanels::compare(const ImDrawData& now, ChangedTiles& changed) {
    std::vector<List> lists;
    for (int i = 0; i < now.CmdListsCount; ++i) lists.push_back(list_of(*now.CmdLists[i]));
    for (std::size_t i = 0; i < std::max(lists.size(), lists_.size()); ++i) {
        if (i >= lists.size()) {
            mark_whole(lists_[i], now, changed);
            continue;
        }
        if (i >= lists_.size()) {
            mark_whole(lists[i], now, changed);
            continue;
        }
        const List &before = lists_[i], &list = lists[i];
        if (!std::ranges::equal(before.commands, list.commands, same_target)) {
            mark_whole(before, now, changed), mark_whole(list, now, changed);
            continue;
        }
        if (same_bytes(before.vertices, list.vertices) && same_bytes(before.indices, list.indices) &&
            std::ranges::equal(before.commands, list.commands, {}, &ImDrawCmd::ElemCount, &ImDrawCmd::ElemCount))
            continue;
        for (std::size_t k = 0; k < list.commands.size(); ++k)
            mark_difference(Triangles<List>{before, before.commands[k]}, {list, list.commands[k]}, now, changed);
    }
    lists_ = std::move(lists);
}

ImVec4 place_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec4& clip,
                const ImDrawData& in) {
    const float x0 = std::max(std::min({a.pos.x, b.pos.x, c.pos.x}), clip.x) - in.DisplayPos.x;
    const float y0 = std::max(std::min({a.pos.y, b.pos.y, c.pos.y}), clip.y) - in.DisplayPos.y;
    const float x1 = std::min(std::max({a.pos.x, b.pos.x, c.pos.x}), clip.z) - in.DisplayPos.x;
    const float y1 = std::min(std::max({a.pos.y, b.pos.y, c.pos.y}), clip.w) - in.DisplayPos.y;
    return {x0 * in.FramebufferScale.x, y0 * in.FramebufferScale.y, x1 * in.FramebufferScale.x,
            y1 * in.FramebufferScale.y};
}

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
