// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/render/preset_views.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/window/monitor_requests.hpp"
#include "app/window/recording/recording_control.hpp"
#include "app/window/user_settings.hpp"

namespace orrery {

/// View settings chosen by the user, which replace those of a scene.
class ViewOverrides {
public:
    /// Restores remembered settings: those that differ from the defaults count as chosen.
    void adopt(const ViewSettings& remembered);
    /// Records the settings that differ between the two as chosen.
    void choose(const ViewSettings& before, const ViewSettings& after);
    /// A scene's view settings with all of the user's choices.
    ViewSettings over(const ViewSettings& look) const;
    const ViewSettings& settings() const { return own_; }  ///< defaults where nothing was chosen

private:
    ViewSettings own_;
    std::set<std::string_view> chosen_;  // ids
};

/// Opens scenes, presets and snapshots, applies their view settings, and writes the current state as a scene file.
class SceneControl final : public Feature {
public:
    SceneControl(WindowCore& core, RecordingControl& recording, MonitorRequests& monitor_requests)
        : core_{core}, recording_{recording}, monitor_requests_{monitor_requests} {}

    void begin();                                         ///< applies the command line's settings for the first scene
    void open(const std::string& source);                 ///< id of a preset or a shipped scene, or path
    void open(std::vector<std::filesystem::path> files);  ///< one, or several as a series
    void load(LoadScene scene);
    void act(const Action& action);  ///< sends it to the simulation, with the engine that a scene needs
    void show(const std::string& source, const SceneFile& file);
    void change_preset(int by);  ///< to another one of the menu
    /// An engine chosen by the user stays when the scene changes; one that came with a scene goes with it. Until the
    /// user chooses, each scene gets its first_engine(). A preset brings the engine that it needs.
    void use_engine(const EngineConfig& config);

    /// Once per frame. True if a new scene has appeared.
    bool notice_new(const FrameExtent& extent);
    bool bodies_seen() const { return bodies_seen_; }
    void recall(const UserSettings& settings) override { core_.state.view = settings.view; }
    void update() override;  ///< fades the title of a new scene in and out
    void apply(const UiRequests& requests) override;
    void remember(UserSettings& settings) const override { settings.view = own_.settings(); }
    double began() const { return began_; }  ///< seconds of the clock when the scene appeared
    void reset_view();                       ///< to that of the scene; forgets the user's choices

    SceneFile now() const;  ///< the current state as a scene file
    void save();
    void save_state();                                             ///< of the bodies, as a checkpoint named by the time
    const std::string& last_saved() const { return last_saved_; }  ///< path

private:
    EngineConfig suited(EngineConfig engine) const;
    void suit_engine();
    void note_view_overrides();
    void adopt_scene_view(const SceneFile& file);
    PresetView adopt_preset_view(const std::string& scene_id);
    void show_title();
    void first_picture(const FrameExtent& extent);
    void adopt_camera(const CameraSettings& camera, const FrameExtent& extent);

    WindowCore& core_;
    RecordingControl& recording_;
    MonitorRequests& monitor_requests_;
    std::string scene_seen_, last_saved_;
    std::uint64_t scene_serial_ = 0;               // of the scene shown
    std::optional<EngineConfig> before_scene_;     // the engine to restore after a scene that brought its own
    bool engine_free_ = false;                     // the user has chosen none: each scene gets a suitable one
    std::optional<CameraSettings> camera_wanted_;  // of a scene file, for its first frame
    std::optional<CompareScene> compare_wanted_;   // of a scene file, for its first frame
    ViewSettings look_;                            // the scene's view settings
    ViewSettings view_seen_;                       // in the last frame
    ViewOverrides own_;                            // without the settings of presets and scene files
    double began_ = 0;
    std::optional<double> card_since_;  // seconds of the clock; empty: not shown
    bool fades_in_ = false;             // fades in from black, because another scene was shown before
    std::string runs_;                  // source of a scene that must run once it is loaded, even after a paused one
    bool bodies_seen_ = false;
};

}  // namespace orrery
