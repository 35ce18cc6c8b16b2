// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/style.hpp"
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

// Overlays over the picture. Each is drawn by one call per frame.

inline constexpr const char* kFiguresWindow = "figures";  ///< ImGui name
/// Large figures in the upper right corner; small enough to leave the sidebar free. Not drawn over the scene's title.
void figures_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts,
                     const std::optional<Rectangle>& title);
/// Shows the name of a new scene and what to watch for, and fades in its first frame from black. Returns where the text
/// was drawn: in a narrow window this replaces the large figures.
std::optional<Rectangle> title_card(const Widgets& ui, const UiState& state, const Fonts& fonts);
inline constexpr const char* kImportWindow = "import";  ///< ImGui name
/// For a snapshot that waits to be started: what its reader found, what was guessed, and what can be done next.
void import_card(Widgets& ui, const UiState& state, UiRequests& requests);
bool import_card_shown(const UiState& state);
/// Colour bar at the lower right; scale and time at the lower left.
void legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts);
inline constexpr const char *kMapWindow = "map", *kMap3Window = "map of triples";  ///< ImGui names
/// The launch grid and the triangle side by side, while the Maps tab is open. Returns whether they were drawn.
bool map_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, UiRequests& requests);
inline constexpr const char *kThetaWindow = "theta", *kComparisonWindow = "comparison";  ///< ImGui names
/// Error and time of the tree over its opening angle, while the Forces tab is open.
void theta_overlay(Widgets& ui, const UiState& state, UiRequests& requests);
/// The laboratory's results, next to the sidebar, while the Lab tab is open. Returns where it was drawn.
std::optional<Rectangle> lab_overlay(Widgets& ui, const UiState& state, const Fonts& fonts);
/// For a comparison: labels, divider, plots.
void compare_overlay(Widgets& ui, const UiState& state, UiRequests& requests);
/// Distances of A's bodies from B's, and the energies of both.
std::vector<PlotPanel> compare_plots(const Status& status);
/// Pages detached from the sidebar, each in its own window.
void detached_windows(Widgets& ui, const UiState& state, UiRequests& requests);
/// Marks the picked bodies, and the box being drawn.
void hand_overlay(const Widgets& ui, const UiState& state);
/// Arrows and orbits of the picked bodies, and contours.
void sight_overlay(const Widgets& ui, const UiState& state);
/// The bar at the lower edge: pause, steps, restart, record, and the rewind timeline, which can be dragged.
void transport_bar(Widgets& ui, const UiState& state, UiRequests& requests);
float transport_height(const UiState& state, float scale);  ///< with the gap below it, in pixels; 0 when it is hidden
void recording_indicator(const Widgets& ui, const UiState& state);
/// Shows which scene is being opened, while there is nothing else to show.
void loading_indicator(const Widgets& ui, const UiState& state);
struct HelpLine {
    std::string_view what, does;
};
/// Lists the given keys, then the mouse. `flight_keys`: labels of the keys for flying.
void help_overlay(Widgets& ui, std::span<const HelpLine> keys, std::string_view flight_keys, UiRequests& requests);

/// The question before the window closes, over everything else.
void leave_dialog(Widgets& ui, const UiState& state, UiRequests& requests);
/// Offers the bodies of a window that did not close properly.
void autosave_offer(Widgets& ui, const UiState& state, UiRequests& requests);

/// Pixels at scale 1 that overlays of full height leave free above the transport bar, for a message.
inline constexpr float kMessageStrip = 44;
/// Messages that disappear after some seconds.
class Toasts {
public:
    enum class Kind { kNotice, kFailure };
    /// A notice replaces the previous one on the same topic, by default its text up to a colon. With a file, it has a
    /// button that shows the file's folder.
    void say(Kind kind, std::string text, std::string_view topic = {}, std::string file = {});
    /// Stacks the messages below `top`, as many as fit, beside whatever is at the lower edge. While the map or the
    /// laboratory covers the picture, draws a single message in the strip that they leave free.
    void draw(Widgets& ui, const UiState& state, float top, UiRequests& requests);
    bool empty() const { return toasts_.empty(); }

private:
    struct Toast {
        Kind kind;
        std::string text, topic, file;
        double until;  // by ImGui's clock, in seconds
    };
    void draw_in_strip(Widgets& ui, const UiState& state, UiRequests& requests) const;
    std::vector<Toast> toasts_;
};

}  // namespace orrery
