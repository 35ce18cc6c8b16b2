// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/style.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/ui_state.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

// Overlays over the picture. Each is drawn by one call per frame.

/// ImGui flags of a window over the picture, and of a dialog, which fits its contents.
inline constexpr int kFloatingWindow = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                       ImGuiWindowFlags_NoNavFocus;
inline constexpr int kDialogWindow = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNavFocus;

/// Call before ImGui::Begin() of this window, in each frame: it is above all others and has the keyboard.
void keep_in_front(const char* window);
inline constexpr float kOverlayGap = 10;  ///< between windows, and to the edges of the picture; pixels at scale 1
/// Sets position and opacity of the window that begins next; `pivot`: the point of the window at this position, from
/// {0, 0} for its upper left to {1, 1}.
inline void place_window(ImVec2 at, ImVec2 pivot, float opacity) {
    ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowBgAlpha(opacity);
}

inline constexpr const char* kFiguresWindow = "figures";  ///< ImGui name
/// Large figures in the upper right corner; small enough to leave the sidebar free. Not drawn over the scene's title.
void figures_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts,
                     const std::optional<Rectangle>& title);
/// Shows the name of a new scene and what to watch for, and fades in its first frame from black. Returns where the text
/// was drawn: in a narrow window this replaces the large figures.
std::optional<Rectangle> title_card(const Widgets& ui, const UiState& state, const Fonts& fonts);
bool import_card_shown(const UiState& state);
/// Colour bar at the lower right; scale and time at the lower left. Returns where they were drawn.
std::vector<LegendArea> legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts);
inline constexpr const char *kMapWindow = "map", *kMap3Window = "map of triples";  ///< ImGui names
/// The launch grid and the triangle side by side, while the Maps tab is open. Returns whether they were drawn.
bool map_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, UiRequests& requests);
inline constexpr const char *kThetaWindow = "theta", *kComparisonWindow = "comparison",
                            *kDividerWindow = "divider";  ///< ImGui names
/// Height in pixels at the lower edge that the plots of a comparison cover, with the gap above; 0 without them.
float comparison_height(float scale);
inline constexpr const char* kLargePlotWindow = "large plot";  ///< ImGui name
/// The large plot beside the sidebar. Returns false if its button closed it.
bool large_plot_overlay(Widgets& ui, const UiState& state, const PlotPanel& plot);
/// Pages detached from the sidebar, each in its own window.
void detached_windows(Widgets& ui, const UiState& state, UiRequests& requests);
float transport_height(const UiState& state, float scale);  ///< with the gap below it, in pixels; 0 when it is hidden
/// Lower right corner of the area above the bar, in pixels.
ImVec2 lower_right(const UiState& state, float scale);
void recording_indicator(const Widgets& ui, const UiState& state);
/// Shows which scene is being opened, while there is nothing else to show.
void loading_indicator(const Widgets& ui, const UiState& state);
struct HelpLine {
    std::string_view what, does;
    Command command = Command::kQuit;
};
/// Lists the given keys by subject, then the mouse; a search field shows the matching lines. `flight_keys`: labels of
/// the keys for flying.
void help_overlay(Widgets& ui, const UiState& state, std::span<const HelpLine> keys, std::string_view flight_keys,
                  UiRequests& requests);

/// Room that other overlays leave for the legend, in pixels at scale 1: above the lower edge for scale and time, at the
/// right edge for the colour bar.
inline constexpr float kLegendStrip = 38, kLegendColumn = 90;
/// Pixels at scale 1 that overlays of full height leave free above the transport bar, for a message.
inline constexpr float kMessageStrip = 44;

}  // namespace orrery
