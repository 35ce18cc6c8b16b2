// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/live/compare_status.hpp"

namespace orrery {

/// How the two simulations of a comparison are shown.
enum class CompareMode {
    kSplit,       ///< side by side, each whole
    kWipe,        ///< one picture: A left of the divider, B right of it
    kDifference,  ///< B, its bodies coloured by how far they are from A's
    kFlip,        ///< one of them at a time
};

struct CompareView {
    CompareMode mode = CompareMode::kSplit;
    float divider = 0.5f;  ///< 0 to 1 of the width that the sidebar leaves free
    bool show_b = false;   ///< in kFlip: B is seen
    bool plots = true;
    friend bool operator==(const CompareView&, const CompareView&) = default;
};

struct CompareModeEntry {
    std::string_view id, label, doc;
    CompareMode mode;
};
std::span<const CompareModeEntry> compare_modes();

/// Where A and B are in a picture of some width, in pixels: A in [left, divider), B in [divider, width).
struct ComparePanes {
    int left, divider;
};
/// `left` pixels are covered by the sidebar. Each pane keeps some pixels, whatever the divider says.
ComparePanes compare_panes(const CompareView& view, int width, int left);

/// Distances and energies since the beginning of the comparison, a line for each time at which one was taken; empty
/// fields for the others.
std::string compare_csv(const CompareStatus& status);

}  // namespace orrery
