// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"
#include "core/live/status.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

// M. Okabe & K. Ito, "Color Universal Design", 2008: distinguishable with colour blindness. In ImGui's order, ABGR.
inline constexpr std::uint32_t kColorOfA = 0xffe9b456, kColorOfB = 0xff009fe6;

/// How the two simulations of a comparison are displayed.
enum class CompareMode {
    kSplit,       ///< side by side, each complete
    kWipe,        ///< one picture: A left of the divider, B right of it
    kDifference,  ///< B, its bodies coloured by their distance from A's
    kFlip,        ///< one of them at a time
};

struct CompareView {
    CompareMode mode = CompareMode::kSplit;
    float divider = 0.5f;  ///< 0 to 1, fraction of the width not covered by the sidebar
    bool show_b = false;   ///< for kFlip: B is shown
    bool plots = true;
    friend bool operator==(const CompareView&, const CompareView&) = default;
};

struct CompareModeEntry {
    std::string_view id, label, doc;
    CompareMode mode;
};
std::span<const CompareModeEntry> compare_modes();

/// The panes of A and B in a picture, in pixels: A in [left, divider), B in [divider, width).
struct ComparePanes {
    int left, divider;
};
/// `left` pixels are covered by the sidebar. Each pane keeps a minimum width.
ComparePanes compare_panes(const CompareView& view, int width, int left);

/// Distances and energies since the start of the comparison as CSV, one line for each time at which either was
/// measured; fields without a value are empty.
std::string compare_csv(const CompareStatus& status);

using CompareViewSetting = Setting<CompareView>;

std::span<const CompareViewSetting> compare_view_settings();

/// Moves the camera back so that a narrow pane shows the same width of the scene as a square one.
OrbitCamera pane_camera(const OrbitCamera& camera, int width, int height);

/// Ends of the colour range of CompareMode::kDifference, log10 of lengths, at least a decade apart. From B's extent.
ScalarRange distance_range(const FrameExtent& extent);

/// Draws A or B into a separate frame of this size; returns its framebuffer.
using DrawOne = std::function<GLuint(int width, int height, const OrbitCamera& camera, const ViewSettings& settings)>;

/// A frame with A and B seen by one camera, composed according to `view`. Sizes in pixels; the sidebar covers `left` of
/// them. `distances` as returned by distance_range().
struct ComparedPicture {
    GLuint target;
    int width, height, left;
    const OrbitCamera& camera;
    const ViewSettings& settings;
    const CompareView& view;
    ScalarRange distances;
};
void draw_compared(const ComparedPicture& picture, const DrawOne& a, const DrawOne& b);

}  // namespace orrery
