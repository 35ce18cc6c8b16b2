// SPDX-License-Identifier: MIT
#include "app/window/changed_tiles.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace orrery
