// SPDX-License-Identifier: MIT
// Tiles of the window that are redrawn: a tile left alone must contain the same triangles in the same order as before.
#include "app/window/composed_window.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace orrery::test {
namespace {

constexpr int kWidth = 1000, kHeight = 430;  // not multiples of the tile size

/// Sets ImDrawData::CmdLists, which is a pointer before Dear ImGui 1.89.8 and an ImVector since.
template <class Lists>
void set_lists(Lists& lists, std::vector<ImDrawList*>& pointers) {
    if constexpr (std::is_pointer_v<Lists>) {
        lists = pointers.data();
    } else {
        lists.resize(0);
        for (ImDrawList* list : pointers) lists.push_back(list);
    }
}

struct Panels {
    explicit Panels(int lists) {
        for (int i = 0; i < lists; ++i) {
            owned.push_back(std::make_unique<ImDrawList>(&shared));
            owned.back()->_ResetForNewFrame();
            owned.back()->PushClipRect({0, 0}, {kWidth, kHeight});
            owned.back()->PushTextureID(ImTextureID{});
        }
    }
    const ImDrawData& data() {
        pointers.clear();
        for (const auto& list : owned) pointers.push_back(list.get());
        set_lists(drawn.CmdLists, pointers);
        drawn.CmdListsCount = static_cast<int>(pointers.size());
        drawn.DisplaySize = {kWidth, kHeight};
        drawn.FramebufferScale = {1, 1};
        return drawn;
    }
    ImDrawListSharedData shared;
    std::vector<std::unique_ptr<ImDrawList>> owned;
    std::vector<ImDrawList*> pointers;
    ImDrawData drawn;
};

struct Shape {
    float x, y, width, height;
    ImU32 color;
};

/// Builds the draw lists of several windows; the second window is clipped.
std::unique_ptr<Panels> panels_of(const std::vector<std::vector<Shape>>& windows, float clip) {
    auto panels = std::make_unique<Panels>(static_cast<int>(windows.size()));
    for (std::size_t i = 0; i < windows.size(); ++i) {
        ImDrawList& list = *panels->owned[i];
        if (i == 1) list.PushClipRect({100, 50}, {clip, 300});
        for (const Shape& s : windows[i]) list.AddRectFilled({s.x, s.y}, {s.x + s.width, s.y + s.height}, s.color);
    }
    return panels;
}

/// Bytes of all triangles and clip rectangles that intersect the box.
std::string seen_in(const PixelBox& box, const ImDrawData& panels) {
    std::string seen;
    for (int i = 0; i < panels.CmdListsCount; ++i) {
        const ImDrawList& list = *panels.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer)
            for (unsigned k = 0; k < command.ElemCount; k += 3) {
                ImDrawVert corners[3];
                for (int c = 0; c < 3; ++c)
                    corners[c] = list.VtxBuffer[static_cast<int>(
                        command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + k) + c])];
                const ImVec4 at = place_of(corners[0], corners[1], corners[2], command.ClipRect, panels);
                const bool meets = at.x < static_cast<float>(box.x1) && at.z > static_cast<float>(box.x0) &&
                                   at.y < static_cast<float>(box.y1) && at.w > static_cast<float>(box.y0) &&
                                   at.x < at.z && at.y < at.w;
                if (!meets) continue;
                seen.append(reinterpret_cast<const char*>(corners), sizeof corners);
                seen.append(reinterpret_cast<const char*>(&command.ClipRect), sizeof command.ClipRect);
            }
    }
    return seen;
}

bool covered(const std::vector<PixelBox>& boxes, const PixelBox& tile) {
    for (const PixelBox& box : boxes)
        if (tile.x0 >= box.x0 && tile.x1 <= box.x1 && tile.y0 >= box.y0 && tile.y1 <= box.y1) return true;
    return false;
}

class Shapes {
public:
    Shape shape() {
        return {static_cast<float>(draw(-40, kWidth)), static_cast<float>(draw(-40, kHeight)),
                static_cast<float>(draw(1, 90)), static_cast<float>(draw(1, 50)), static_cast<ImU32>(draw(1, 1 << 30))};
    }
    int draw(int low, int high) { return std::uniform_int_distribution{low, high}(random_); }

private:
    std::mt19937 random_{7};
};

TEST(ChangedTiles, TilesLeftAloneContainTheSameTriangles) {
    Shapes shapes;
    DrawnPanels drawn;
    std::vector<std::vector<Shape>> windows(3);
    for (auto& window : windows)
        for (int i = 0; i < 20; ++i) window.push_back(shapes.shape());
    float clip = 500;
    auto before = panels_of(windows, clip);
    ChangedTiles first{kWidth, kHeight};
    drawn.compare(before->data(), first);
    EXPECT_TRUE(first.any());
    int kept = 0;
    for (int frame = 0; frame < 400; ++frame) {
        const auto which = static_cast<std::size_t>(shapes.draw(0, static_cast<int>(windows.size()) - 1));
        auto& window = windows[which];
        const auto at = window.begin() + shapes.draw(0, static_cast<int>(window.size()) - 1);
        switch (shapes.draw(0, 9)) {
            case 0:
                window.insert(at, shapes.shape());
                break;
            case 1:
                if (window.size() > 2) window.erase(at);
                break;
            case 2:
                clip = static_cast<float>(shapes.draw(300, 700));
                break;
            case 3:
                if (windows.size() < 5) windows.push_back({shapes.shape(), shapes.shape()});
                break;
            case 4:
                if (windows.size() > 2) windows.pop_back();
                break;
            default:
                *at = shapes.shape();
        }
        auto now = panels_of(windows, clip);
        ChangedTiles changed{kWidth, kHeight};
        drawn.compare(now->data(), changed);
        const auto boxes = changed.boxes();
        EXPECT_LE(boxes.size(), ChangedTiles::kMost);
        for (int y = 0; y < kHeight; y += ChangedTiles::kTile)
            for (int x = 0; x < kWidth; x += ChangedTiles::kTile) {
                const PixelBox tile{x, y, std::min(x + ChangedTiles::kTile, kWidth),
                                    std::min(y + ChangedTiles::kTile, kHeight)};
                if (covered(boxes, tile)) continue;
                ++kept;
                ASSERT_EQ(seen_in(tile, before->data()), seen_in(tile, now->data())) << frame << ": " << x << ", " << y;
            }
        before = std::move(now);
    }
    EXPECT_GT(kept, 400 * 30) << "nearly all tiles are redrawn";
}

TEST(ChangedTiles, UnchangedPanelsMarkNoTile) {
    Shapes shapes;
    std::vector<std::vector<Shape>> windows{{shapes.shape(), shapes.shape()}};
    DrawnPanels drawn;
    ChangedTiles first{kWidth, kHeight}, second{kWidth, kHeight};
    drawn.compare(panels_of(windows, 1)->data(), first);
    drawn.compare(panels_of(windows, 1)->data(), second);
    EXPECT_FALSE(second.any());
    EXPECT_TRUE(second.boxes().empty());
}

TEST(ChangedTiles, BoxesAreDisjointAndWithinTheWindow) {
    ChangedTiles changed{kWidth, kHeight};
    changed.mark({-5, -5, 3, 3});
    changed.mark({990, 400, 2000, 2000});
    changed.mark({64, 128, 192, 256});
    changed.mark({300, 5, 300, 60});   // empty
    changed.mark({1000, 0, 1010, 9});  // outside
    const std::vector<PixelBox> wanted{{0, 0, 64, 64}, {64, 128, 192, 256}, {960, 384, 1000, 430}};
    EXPECT_EQ(changed.boxes(), wanted);
    for (int x = 0; x < kWidth; x += 128)
        for (int y = 0; y < kHeight; y += 128)
            changed.mark(
                {static_cast<float>(x), static_cast<float>(y), static_cast<float>(x) + 1, static_cast<float>(y) + 1});
    const std::vector<PixelBox> round{{0, 0, kWidth, kHeight}};
    EXPECT_EQ(changed.boxes(), round) << "merged into one: too many boxes";
}

}  // namespace
}  // namespace orrery::test
