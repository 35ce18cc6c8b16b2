// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery {

class Widgets;
struct UiState;
struct UiRequests;

/// The purpose for which the sidebar is opened.
enum class PanelGroup : std::uint8_t { kScene, kLook, kMeasure, kCompute };

struct PanelGroupEntry {
    PanelGroup group;
    std::string_view label, doc;
};

/// An entry of the menu of panels: a page of the sidebar. A panel reads a state and returns requests; it keeps no
/// state.
struct PanelEntry {
    std::string_view id;
    PanelGroup group;
    std::string_view label;
    void (*draw)(Widgets& ui, const UiState& state, UiRequests& requests);
    std::string_view doc;  ///< its tooltip
};

std::span<const PanelEntry> panels();
PanelGroup group_of(std::string_view panel);  ///< of an id of panels()
std::string_view label_of(PanelGroup group);

}  // namespace orrery
