// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/render/looks.hpp"
#include "app/scene/scene_file.hpp"
#include "app/window/own_view.hpp"
#include "app/window/recording_control.hpp"
#include "app/window/watches.hpp"

namespace orrery {

/// Opens scenes, presets and snapshots, gives each its look, and writes what is shown as a scene file.
class SceneControl {
public:
    SceneControl(WindowCore& core, RecordingControl& recording, Watches& watches)
        : core_{core}, recording_{recording}, watches_{watches} {}

    void begin();                                         ///< with what the command line says of the first scene
    void open(const std::string& source);                 ///< id of a preset or a shipped scene, or path
    void open(std::vector<std::filesystem::path> files);  ///< one, or several as a series
    void load(LoadScene scene);
    void show(const std::string& source, const SceneFile& file);
    void change_preset(int by);  ///< along the menu
    /// An engine that a person chose stays when the scene changes; one that a scene brought goes with it, and while
    /// no choice was made, each scene gets its first_engine(). A preset brings the engine that it needs.
    void use_engine(const EngineConfig& config);

    /// Once per frame. True when another scene than before is in the picture.
    bool notice_new(const FrameExtent& extent);
    bool bodies_seen() const { return bodies_seen_; }
    void show_card();  ///< once per frame: what the window says of a new scene, as long as it is new
    double began() const { return began_; }  ///< seconds of the clock when the scene came into the picture
    /// What the user has chosen of the picture, without what presets and scene files bring.
    const ViewSettings& own_view() const { return own_.settings(); }
    void reset_view();  ///< to that of the scene, and forgets what the user has chosen

    SceneFile now() const;  ///< what is shown, as a scene file would say it
    void save();
    void save_state();                                             ///< of the bodies, as a checkpoint named by the time
    const std::string& last_saved() const { return last_saved_; }  ///< path

private:
    EngineConfig suited(EngineConfig engine) const;
    void suit_engine();
    void notice_own_view();
    void adopt_look(const SceneFile& file);
    Look adopt_preset_look(const std::string& scene_id);
    void say_title();
    void first_picture(const FrameExtent& extent);
    void adopt_camera(const CameraSettings& camera, const FrameExtent& extent);

    WindowCore& core_;
    RecordingControl& recording_;
    Watches& watches_;
    std::string scene_seen_, last_saved_;
    std::uint64_t scene_serial_ = 0;               // of the scene in the picture
    std::optional<EngineConfig> before_scene_;     // the engine, where the scene has brought its own
    bool engine_free_ = false;                     // nobody has chosen one: each scene gets what suits it
    std::optional<CameraSettings> camera_wanted_;  // of a scene file, by its first picture
    std::optional<CompareScene> compare_wanted_;   // likewise
    ViewSettings look_;                            // that the scene came with
    ViewSettings view_seen_;                       // at the last look
    OwnView own_;
    double began_ = 0;
    std::optional<double> card_since_;  // seconds of the clock; empty: all has been said
    bool veiled_ = false;               // another scene was in the picture before
    std::string runs_;                  // source of a scene that is to run when it is there, though another was paused
    bool bodies_seen_ = false;
};

}  // namespace orrery
