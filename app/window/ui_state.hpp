// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/camera/camera_state.hpp"
#include "app/picture/compare_view.hpp"
#include "app/picture/legend.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/ui/style.hpp"
#include "app/window/commands.hpp"
#include "app/window/gallery/file_state.hpp"
#include "app/window/hand/hand_state.hpp"
#include "app/window/lab/lab_state.hpp"
#include "app/window/layout/detached_panels.hpp"
#include "app/window/maps/map_state.hpp"
#include "app/window/plots/history.hpp"
#include "core/bodies/frame.hpp"
#include "core/live/simulation_thread.hpp"

namespace orrery {

struct RecordingState {
    bool active = false;
    std::string path;  ///< of the current recording, otherwise of the last one
    std::string description;
    std::uint64_t frames = 0;
    int width = 0, height = 0, fps = 60;
    std::uint64_t planned = 0;  ///< frames; 0: until stopped
    double seconds_left = 0;
    std::uint64_t bytes = 0;  ///< written so far to a video; 0: unknown
    bool ending = false;      ///< the last frames are being encoded
    std::string session;      ///< path of its session file; empty: none
    StageTimes times;         ///< of each frame

    double seconds() const { return static_cast<double>(frames) / fps; }  ///< length of the video
};

/// Settings of the series of snapshots that a button starts.
struct SnapshotsToWrite {
    std::string pattern;       ///< as typed so far; empty: named by date and time
    std::uint64_t every = 10;  ///< steps between snapshots
};

/// Videos and series of snapshots.
struct RecordingPage {
    RecordSettings settings;
    RecordingState now;
    SnapshotsToWrite snapshots;
};

/// The scene file shown.
struct SceneShown {
    std::string source;        ///< id of a shipped scene, or path; empty: a preset or a snapshot
    std::string title, watch;  ///< what to watch for
};

/// Names a new scene for some seconds.
struct TitleCard {
    std::string title, watch;
    double shown = 0;  ///< opacity, 0 to 1
    double veil = 0;   ///< opacity of the black from which the picture fades in
};

/// A shipped scene, as a choice.
struct SceneChoice {
    std::string_view id;
    std::string label, doc;
};

/// The scene: what can be chosen, what is shown, and what is known about its bodies.
struct SceneState {
    bool ready = false;  ///< the first scene is loaded
    double read = -1;    ///< fraction of a large file that has been read, 0 to 1; below 0: none is being read
    std::vector<SceneChoice> choices;  ///< shipped scenes
    SceneShown shown;
    TitleCard card;
    ImportState import;
    std::string open_path;  ///< of the file to open, as typed so far
    std::string save_path;  ///< of the scene file to write, as typed so far; empty: named by time
    std::shared_ptr<const std::vector<Species>> species;  ///< of the bodies; null or empty: unknown
    std::bitset<kSpeciesCount> species_present;           ///< species that can be hidden
    Glyphs glyphs;                                        ///< for names of bodies, beyond the default ones
};

/// The requests that the simulation has not necessarily carried out yet; `status` follows.
struct RequestedState {
    bool paused = false;
    SceneRequest scene;
    EngineConfig engine;
    std::optional<CompareSettings> compare;  ///< settings of B
};

/// How a comparison is shown.
struct ComparisonState {
    CompareView view;
    ScalarRange distances;  ///< log10 of lengths, at the ends of the difference colours
};

/// The last picture of the bodies.
struct PictureState {
    DrawMode mode_used = DrawMode::kAuto;
    FrameExtent extent;
    Periodic space;        ///< in which it is drawn
    double box = 0;        ///< edge of the box that the scene states
    std::string no_color;  ///< as in Frame
    std::size_t bodies_drawn = 0;
    std::size_t cells_drawn = 0;  ///< of the octree
    double white = 1;             ///< light of a pixel drawn white
    float stretch = 4;            ///< stretch that goes with this white, as a setting
    Legend legend;
    int width = 0, height = 0;  ///< in pixels
};

/// The page Maps.
struct MapsState {
    MapState shown;
    std::string hover;               ///< the block or tile under the mouse in the picture, or that of the walk
    std::string worked;              ///< its arithmetic, with its numbers
    std::vector<TriedEngine> tried;  ///< in the order in which they were tried
};

inline constexpr std::string_view kToOpenGl = "To OpenGL";  ///< the line of the report that states how bodies get there
/// A line of the start-up report.
struct ReportLine {
    std::string what, found;
};

/// A control of a page, as the palette lists it.
struct ListedControl {
    std::string_view page;  ///< id
    std::string label, tip;
    friend bool operator==(const ListedControl&, const ListedControl&) = default;
};

/// The palette of commands.
struct PaletteState {
    bool on = false;
    std::vector<ListedControl> controls;  ///< of all pages, as drawn when the palette opened
    std::string search;
    std::size_t chosen = 0;  ///< index of the chosen line among those found
};

/// The tour of the first steps.
struct TourState {
    bool on = false;
    bool at_start = true;  ///< starts with the window: it has not been shown yet
    std::size_t card = 0;
};
struct TourRequest {
    std::optional<std::size_t> card;
    bool close = false;
};

/// Checkpoints of the run that are saved automatically.
struct AutosaveState {
    std::vector<AutosaveOffer> offers;  ///< those that can be opened come first, the newest first
    double minutes = 10;                ///< between two checkpoints; 0: none
};

/// Times of the window and of the simulation, and the start-up report.
struct PerformanceState {
    double ui_fps = 0;
    double ui_cpu_ms = 0;  ///< of this thread for panels and overlays, per frame: median of the last 64
    double gpu_ms = 0;
    std::string_view way;  ///< by which bodies reach OpenGL, see SharedBuffer
    History history;
    std::vector<ReportLine> report;
};

/// A row of a page that the palette has found, framed for some seconds.
struct SoughtRow {
    std::string label;
    double until = 0;  ///< by ImGui's clock, in seconds
};

/// Visible parts of the window, and their style.
struct LayoutState {
    std::string_view panel = "scene";             ///< id of the open page, see panels(); empty: none
    std::array<std::string_view, 4> last_panels;  ///< by PanelGroup: id of the page that was open last, if any
    DetachedPanels detached;                      ///< pages in their own windows
    std::set<std::string, std::less<>> advanced;  ///< ids of the pages whose fold Advanced is open
    int sidebar = kDefaultSidebar;                ///< width in pixels at scale 1
    bool overlay = true, panels = true, help = false;
    bool clean = false;       ///< only the picture is shown, as a video shows it
    std::string help_search;  ///< shows the matching lines of the help
    SoughtRow sought;
    bool keyboard = false;   ///< the panels are under keyboard control
    bool presenter = false;  ///< large letters for an audience: the page's drawing fills the window
    bool attract = false;    ///< attract mode: shows one scene after another until there is input
    Theme theme = Theme::kDark;
    std::string language = "en";  ///< id of languages()
    double text_scale = 1;        ///< of text and controls, relative to the screen's scale

    /// With the larger letters of a presenter.
    float scale_of_text() const {
        constexpr double kPresenterScale = 1.5;
        return static_cast<float>(std::min(text_scale * (presenter ? kPresenterScale : 1), kMostTextScale));
    }
};

/// The pages that plot properties of the bodies and of the engine.
struct PlotsState {
    DiagnosticsHistory diagnostics;
    std::string_view structure = "radii";  ///< id of the open plot of the page Structure, see structure_plots()
    AnalysisSettings analysis;             ///< of the page Plots
    std::string large;                     ///< title of the plot shown large over the picture; empty: none
};

/// States that only their feature reads, by type.
class OwnStates {
public:
    template <class State>
    const State& of() const {
        static const State initial;
        const auto found = states_.find(typeid(State));
        return found == states_.end() ? initial : *std::any_cast<State>(&found->second);
    }
    template <class State>
    State& of() {
        std::any& state = states_[typeid(State)];
        if (!state.has_value()) state.emplace<State>();
        return *std::any_cast<State>(&state);
    }

private:
    std::unordered_map<std::type_index, std::any> states_;
};

/// Everything that the panels show, a member for each feature whose state others read. Values only: panels have no
/// access to the simulation.
struct UiState {
    Status status;
    RequestedState requested;
    SceneState scene;
    ViewSettings view;
    PictureState picture;
    CameraState camera;
    HandState hand;
    SightState sight;
    RecordingPage recording;
    ComparisonState comparison;
    PlotsState plots;
    MapsState maps;
    LabState lab;
    GalleryState gallery;
    AutosaveState autosave;
    LeaveQuestion leave;
    PaletteState palette;
    TourState tour;
    PerformanceState performance;
    LayoutState layout;
    OwnStates own;
};

/// Requests of the page Maps.
struct MapsRequest {
    std::string hover, worked;            ///< those of MapsState, in this frame
    std::optional<DisplayedMap> display;  ///< a map that the engine would refuse
    bool forget_tried = false;
};

/// Requests of the page Lab.
struct LabRequest {
    std::optional<LabSettings> settings;
    std::optional<LabAction> action;
};

/// Requests about the window's parts.
struct LayoutRequest {
    std::optional<std::string_view> panel;
    std::optional<DetachedPanels> detached;
    std::optional<std::string> language;
    std::string show_folder_of;  ///< a file; empty: none
    std::string play;            ///< a video to open in the desktop's player; empty: none
    std::string seek;            ///< label of the row to find on the open page; empty: none
};

/// The user's requests in one frame. They are carried out after the panels are drawn.
struct UiRequests {
    std::vector<Action> actions;
    std::vector<CommandCall> commands;
    std::vector<std::function<void(UiState&)>> changes;  ///< of settings that only need to be stored
    std::string open;                                    ///< a shipped scene, a scene file or a snapshot; empty: none
    std::optional<CameraState> camera;
    std::optional<Picked> pick;
    std::optional<std::vector<std::uint32_t>> enclosed;  ///< in a plot; combined as HandState::combines
    MapsRequest maps;
    LabRequest lab;
    GalleryRequest gallery;
    std::optional<AutosaveAnswer> autosave;
    std::optional<LeaveAnswer> leave;
    TourRequest tour;
    LayoutRequest layout;

    /// Requests to store a value: change([=](UiState& now) { now.view = view; }).
    void change(std::function<void(UiState&)> set) { changes.push_back(std::move(set)); }
    template <class One>
    requires std::is_constructible_v<Action, One>
    void ask(One action) { actions.emplace_back(std::in_place_type<One>, std::move(action)); }
    void ask(Command command, int argument = 0) { commands.push_back({command, argument}); }
};

/// Planets on physical orbits: in single precision their phase is lost within some hundred orbits, and for so few
/// bodies double precision costs nothing.
inline bool wants_double(const Status& status) {
    return status.scene.days_per_time > 0 && status.bodies <= 1000 &&
           status.engine.config.precision == Precision::kSingle;
}

}  // namespace orrery
