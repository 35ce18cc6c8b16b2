// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/camera/camera_state.hpp"
#include "app/picture/compare_view.hpp"
#include "app/picture/legend.hpp"
#include "app/record/record_settings.hpp"
#include "app/record/stage_times.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/ui/autosave_offer.hpp"
#include "app/ui/command.hpp"
#include "app/ui/detached_panels.hpp"
#include "app/ui/diagnostics_history.hpp"
#include "app/ui/gallery_state.hpp"
#include "app/ui/hand_state.hpp"
#include "app/ui/history.hpp"
#include "app/ui/import_state.hpp"
#include "app/ui/lab_state.hpp"
#include "app/ui/map_state.hpp"
#include "app/ui/sight_state.hpp"
#include "app/ui/style.hpp"
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
    bool ending = false;  ///< the last frames are being encoded
    std::string session;  ///< path of its session file; empty: none
    StageTimes times;     ///< of each frame

    double seconds() const { return static_cast<double>(frames) / fps; }  ///< length of the video
};

/// Settings of the series of snapshots that a button starts.
struct SnapshotsToWrite {
    std::string pattern;       ///< as typed so far; empty: named by date and time
    std::uint64_t every = 10;  ///< steps between snapshots
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

inline constexpr std::string_view kToOpenGl = "To OpenGL";  ///< the line of the report that states how bodies get there
/// A line of the start-up report.
struct ReportLine {
    std::string what, found;
};

/// The palette of commands.
struct PaletteState {
    bool on = false;
    std::string search;
    std::size_t chosen = 0;  ///< index of the chosen line among those found
};
struct PaletteRequest {
    std::optional<std::string> search;
    std::optional<std::size_t> chosen;
    bool close = false;
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

/// Everything that the panels show. Values only: panels have no access to the simulation.
struct UiState {
    Status status;
    bool ready = false;   ///< the first scene is loaded
    double read = -1;     ///< fraction of a large file that has been read, 0 to 1; below 0: none is being read
    bool paused = false;  ///< as requested; status.paused follows
    SceneRequest request;
    std::vector<SceneChoice> scenes;         ///< shipped scenes
    EngineConfig engine;                     ///< as requested; status.engine follows
    std::optional<CompareSettings> compare;  ///< settings of B as requested; status.compare follows
    CompareView compare_view;
    ScalarRange distances;  ///< log10 of lengths, at the ends of the difference colours
    ViewSettings view;
    CameraState camera;
    HandState hand;
    std::shared_ptr<const std::vector<Species>> species;  ///< of the bodies; null or empty: unknown
    std::bitset<kSpeciesCount> species_present;           ///< species that can be hidden
    std::size_t bodies_drawn = 0;                         ///< in the last picture
    std::optional<std::string> new_name;                  ///< of the picked body, as typed so far
    DrawMode mode_used = DrawMode::kAuto;
    FrameExtent extent;
    std::string no_color;  ///< as in Frame
    RecordSettings record;
    RecordingState recording;
    SnapshotsToWrite snapshots;
    MapState map;
    std::string map_hover;           ///< the block or tile under the mouse in the picture
    std::vector<TriedEngine> tried;  ///< in the order in which they were tried
    LabState lab;
    GalleryState gallery;
    ImportState import;
    PaletteState palette;
    LeaveQuestion leave;
    std::vector<AutosaveOffer> kept;  ///< those that can be opened come first, the newest first
    TourState tour;
    std::vector<ReportLine> report;
    SceneShown scene;
    std::string snapshot_path;                    ///< as typed so far
    bool type_file = false;                       ///< its text field gets the keyboard focus in this frame
    std::string scene_path;                       ///< of the scene file to write, as typed so far; empty: named by time
    std::string_view panel = "scene";             ///< id of the open page, see panels(); empty: none
    std::array<std::string_view, 4> last_panels;  ///< by PanelGroup: id of the page that was open last, if any
    std::size_t cells_drawn = 0;                  ///< of the octree, in the last picture
    bool theta_plot = false;                      ///< shown once it exists
    bool overlay = true, panels = true, help = false;
    bool keyboard = false;  ///< the panels are under keyboard control
    bool attract = false;   ///< attract mode: shows one scene after another until there is input
    Theme theme = Theme::kDark;
    std::string language = "en";    ///< id of languages()
    DetachedPanels detached;        ///< pages in their own windows
    int sidebar = kDefaultSidebar;  ///< width in pixels at scale 1
    SightState sight;
    TitleCard card;
    Glyphs glyphs;                 ///< for names of bodies, beyond the default ones
    double autosave_minutes = 10;  ///< between two checkpoints of the run; 0: none
    double text_scale = 1;         ///< of text and controls, relative to the screen's scale
    double ui_fps = 0;
    double ui_cpu_ms = 0;  ///< of this thread for panels and overlays, per frame: median of the last 64
    History history;
    DiagnosticsHistory diagnostics;
    AnalysisSettings analysis;                  ///< of the page Plots
    std::string_view structure_plot = "radii";  ///< id of the open plot, see structure_plots()
    double gpu_ms = 0;
    double white = 1;           ///< light of a pixel drawn white in the last picture
    float stretch = 4;          ///< stretch that goes with this white, as a setting
    Legend legend;              ///< of the picture
    int width = 0, height = 0;  ///< of the picture, in pixels
};

/// The user's requests in one frame. The frame loop applies them after the panels are drawn.
struct UiRequests {
    std::vector<Action> actions;
    std::vector<CommandCall> commands;
    std::optional<ViewSettings> view;
    std::optional<CompareView> compare_view;
    std::optional<CameraState> camera;
    std::optional<Picked> pick;
    std::optional<HandTool> tool;
    std::optional<std::string> new_name;
    std::optional<RecordSettings> record;
    std::optional<SnapshotsToWrite> snapshots;
    std::optional<std::string> snapshot_path, scene_path;
    std::string open;  ///< a shipped scene, a scene file or a snapshot; empty: none
    std::optional<std::string_view> panel, structure_plot;
    std::optional<AnalysisSettings> analysis;
    std::string map_hover;  ///< UiState::map_hover of this frame
    std::optional<bool> theta_plot;
    std::optional<LabSettings> lab;
    std::optional<LabAction> lab_action;
    std::optional<DisplayedMap> display_map;  ///< a map that the engine would refuse
    GalleryRequest gallery;
    bool close_import = false;
    PaletteRequest palette;
    std::optional<LeaveAnswer> leave;
    std::optional<AutosaveAnswer> kept;
    std::string show_folder_of;  ///< a file; empty: none
    TourRequest tour;
    bool forget_tried = false;
    std::optional<double> text_scale, autosave_minutes;
    std::optional<Theme> theme;
    std::optional<std::string> language;
    std::optional<SightSettings> sight;
    std::optional<DetachedPanels> detached;
    std::optional<int> sidebar;

    template <class One>
    requires std::is_constructible_v<Action, One>
    void ask(One action) { actions.emplace_back(std::in_place_type<One>, std::move(action)); }
    void ask(Command command, int argument = 0) { commands.push_back({command, argument}); }
};

/// Planets on physical orbits: in single precision their phase is lost within some hundred orbits, and for so few
/// bodies double precision costs nothing.
inline bool wants_double(const Status& status) {
    return status.days_per_time > 0 && status.bodies <= 1000 && status.engine.precision == Precision::kSingle;
}

}  // namespace orrery
