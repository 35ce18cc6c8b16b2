// SPDX-License-Identifier: MIT
#include "app/picture/compare_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace orrery {
namespace {

using V = CompareView;

constexpr unsigned kPlaces = place::kSceneFile | place::kPanel;

bool is_flip(const V& view) { return view.mode == CompareMode::kFlip; }
bool is_divided(const V& view) { return view.mode == CompareMode::kSplit || view.mode == CompareMode::kWipe; }

std::vector<CompareViewSetting> table() {
    SettingTable<V> add{"compare"};
    add({.id = "mode",
         .label = "Layout",
         .doc = "how A and B are shown; both use the same camera",
         .kind = choices_of(compare_modes()),
         .places = kPlaces},
        member<&V::mode>(compare_modes(), &CompareModeEntry::mode));
    add({.id = "divider",
         .label = "Divider at",
         .doc = "A's share of the free width; the divider can also be dragged",
         .kind = RealKind{0.05, 0.95},
         .places = kPlaces},
        member<&V::divider>(), is_divided);
    add({.id = "show_b",
         .label = "Show B",
         .doc = "for `flip`: B is shown; off: A. Key Y switches",
         .kind = FlagKind{},
         .places = kPlaces},
        member<&V::show_b>(), is_flip);
    add({.id = "plots",
         .label = "Plots",
         .doc =
             "plots the distance of B from A and their energies over simulated time, at the lower right of the window",
         .kind = FlagKind{},
         .places = kPlaces},
        member<&V::plots>());
    return std::move(add).all();
}

}  // namespace

std::span<const CompareModeEntry> compare_modes() {
    static constexpr auto menu = std::to_array<CompareModeEntry>({
        {"split", "Split screen", "A on the left, B on the right, seen by the same camera; drag the divider",
         CompareMode::kSplit},
        {"wipe", "Wipe", "One picture, with A left and B right of the divider", CompareMode::kWipe},
        {"difference", "Difference",
         "B, with each body coloured by its distance from the same body in A, on a logarithmic scale",
         CompareMode::kDifference},
        {"flip", "Flip", "A or B in the same place; key Y switches between them", CompareMode::kFlip},
    });
    return menu;
}

ComparePanes compare_panes(const CompareView& view, int width, int left) {
    constexpr int kLeast = 16;  // pixels
    if (view.mode == CompareMode::kWipe || width - left < 4 * kLeast) left = 0;
    const auto wanted = left + static_cast<int>(std::lround(view.divider * static_cast<float>(width - left)));
    return {left, std::clamp(wanted, std::min(left + kLeast, width), std::max(width - kLeast, left + 1))};
}

std::string compare_csv(const CompareStatus& status) {
    struct Line {
        std::string distance = ",", a, b;
    };
    std::map<double, Line> lines;
    for (const DivergencePoint& p : status.history) lines[p.time].distance = fmt::format("{:.9g},{:.9g}", p.rms, p.max);
    for (const EnergyPoint& p : status.energy_a) lines[p.time].a = fmt::format("{:.9g}", p.drift);
    for (const EnergyPoint& p : status.energy_b) lines[p.time].b = fmt::format("{:.9g}", p.drift);
    std::string text = "scene_time,distance_rms,distance_max,energy_drift_a,energy_drift_b\n";
    for (const auto& [time, line] : lines)
        text += fmt::format("{:.9g},{},{},{}\n", time, line.distance, line.a, line.b);
    return text;
}

std::span<const CompareViewSetting> compare_view_settings() {
    static const std::vector<CompareViewSetting> all = table();
    return all;
}

namespace {

/// Copies columns [from, from + wide) of a frame to columns [to, …) of another.
void copy_columns(GLuint source, int from, int wide, const ComparedPicture& picture, int to) {
    glBlitNamedFramebuffer(source, picture.target, from, 0, from + wide, picture.height, to, 0, to + wide,
                           picture.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace

OrbitCamera pane_camera(const OrbitCamera& camera, int width, int height) {
    CameraPose pose = camera.pose();
    pose.distance *= std::max(1.0, static_cast<double>(height) / std::max(width, 1));
    return OrbitCamera{pose};
}

ScalarRange distance_range(const FrameExtent& extent) {
    constexpr double kLeastSpan = 1;  // decades
    return {extent.scalar_low, std::max(extent.scalar_high, extent.scalar_low + kLeastSpan)};
}

void draw_compared(const ComparedPicture& picture, const DrawOne& a, const DrawOne& b) {
    const int width = picture.width, height = picture.height;
    const auto [first, divider] = compare_panes(picture.view, width, picture.left);
    const int of_a = divider - first, of_b = width - divider;
    constexpr GLfloat kBlack[4] = {0, 0, 0, 1};
    switch (picture.view.mode) {
        case CompareMode::kSplit: {
            const GLuint left = a(of_a, height, pane_camera(picture.camera, of_a, height), picture.settings);
            const GLuint right = b(of_b, height, pane_camera(picture.camera, of_b, height), picture.settings);
            glClearNamedFramebufferfv(picture.target, GL_COLOR, 0, kBlack);
            copy_columns(left, 0, of_a, picture, first);
            copy_columns(right, 0, of_b, picture, divider);
            break;
        }
        case CompareMode::kWipe: {
            const GLuint left = a(width, height, picture.camera, picture.settings);
            const GLuint right = b(width, height, picture.camera, picture.settings);
            copy_columns(left, 0, divider, picture, 0);
            copy_columns(right, divider, of_b, picture, divider);
            break;
        }
        case CompareMode::kDifference: {
            ViewSettings chosen = picture.settings;
            chosen.scalar_range = picture.distances;  // a range chosen for another quantity does not apply
            copy_columns(b(width, height, picture.camera, chosen), 0, width, picture, 0);
            break;
        }
        case CompareMode::kFlip: {
            const DrawOne& shown = picture.view.show_b ? b : a;
            copy_columns(shown(width, height, picture.camera, picture.settings), 0, width, picture, 0);
            break;
        }
    }
}

}  // namespace orrery
