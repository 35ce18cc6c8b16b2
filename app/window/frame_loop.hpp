// SPDX-License-Identifier: MIT
#pragma once
#include "app/platform/glfw_window.hpp"
#include "app/render/looks.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/ui_state.hpp"
#include "app/ui/widget_map.hpp"
#include "app/window/attract.hpp"
#include "app/window/camera_control.hpp"
#include "app/window/compare_picture.hpp"
#include "app/window/frame_limiter.hpp"
#include "app/window/imgui_host.hpp"
#include "app/window/lab_link.hpp"
#include "app/window/map_watch.hpp"
#include "app/window/scene_view.hpp"
#include "app/window/simulation_link.hpp"
#include "app/window/tried_engines.hpp"
#include "app/window/ui_map.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window.hpp"
#include "app/window/window_recording.hpp"
#include "core/base/thread_clock.hpp"

namespace orrery {

/// Draws the newest state that there is and carries wishes to the simulation. Waits for nothing but the next frame.
class FrameLoop {
public:
    explicit FrameLoop(const WindowConfig& config);
    void run();  ///< until the window is closed; a recording under way is completed

private:
    void frame();
    void take_messages();
    void take_newest_frame();
    void notice_new_scene();
    void first_picture_of_scene();
    void draw_picture();
    void read_picture(int width, int height);  ///< as it is now, without panels, into picture_
    void read_window();                        ///< as far as it is drawn, into picture_
    bool comparing() const;
    void draw_ui(Wishes& wishes);
    void update_state();
    void ask_for_cells();
    void ask_for_differences();
    void use_mouse(const MouseInput& input);  // this and the next: frame_loop_hand.cpp
    bool side_by_side() const;                ///< two pictures of a comparison
    void pick(Picked picked);
    void forget_picked();
    void place_markers();
    void ask_for_mass_centre();
    void toggle_follow();
    void toggle_fly();
    void add_camera_key();
    void play_path();
    void ask_for_colors();
    Look adopt_preset_look(const std::string& scene_id);
    void handle(const WindowEvents& events);
    void attract(const WindowEvents& events);
    void measure_frame();
    void adopt_settings();  ///< those of the day before; this and the next: frame_loop_settings.cpp
    void save_settings() const;
    float ui_scale() const { return window_.content_scale() * static_cast<float>(state_.text_scale); }
    void after_swap();

    void report(const std::vector<ReportLine>& lines);  ///< in the panel and on stderr
    void apply(const Wishes& wishes);
    void execute(CommandCall call);  // this and the next: frame_loop_commands.cpp
    void change_preset(int by);
    void change_engine(int key);
    void take(const EngineChange& change);
    void use_engine(const EngineConfig& config);
    void change_map();
    void change_precision();
    void change_speed(int by);
    void reverse();
    void toggle_octree();
    void set_keyboard(bool on);
    void change_text(int by);
    std::string plot_title() const;  ///< the scene and its engine
    void export_text(const char* what, const char* suffix, const std::string& text);
    void toggle_attract();
    void next_shipped_scene();
    void toggle_compare();
    void flip();
    void take_screenshot();
    void toggle_fullscreen();
    void close_or_quit();

    void act(Action action);  // this and the next: frame_loop_recording.cpp
    void release_held();
    void toggle_recording();
    void start_session(int steps_per_frame);
    void pace(int steps_per_frame);  ///< 0: the recording is over
    void record_frame();
    std::optional<OtherBodies> other_bodies() const;
    void record_window();
    void record_between_frames();
    template <class Add>
    void take_recorded(const Add& add);
    void end_recording();
    void cancel_recording();
    void watch_recording();

    void open(const std::string& source);  // this and the next: frame_loop_scenes.cpp
    void load(LoadScene scene);
    void show_scene(const std::string& source, const SceneFile& file);
    void adopt_look(const SceneFile& file);
    void adopt_camera(const CameraSettings& camera);
    SceneFile scene_now() const;
    void save_scene();

    void update_lab();  // this and the next: frame_loop_lab.cpp
    void toggle_lab();
    void act_in_lab(LabAction action);
    void photograph_lab();  ///< after the panels are drawn

    void notice(const std::string& text, std::string_view topic = {});  ///< see Toasts::say
    void failure(const std::string& text);                              ///< as a toast and on stderr
    double aspect() const;

    using Clock = std::chrono::steady_clock;
    const Clock::time_point start_ = Clock::now();
    WindowConfig config_;
    WindowClock clock_;
    UserSettingsRead remembered_;
    GlfwWindow window_;
    SimulationLink simulation_;
    ImGuiHost imgui_;
    SceneView view_;
    ComparePicture compare_picture_;
    CameraControl camera_;
    WindowRecording recording_{clock_};
    MapWatch map_watch_;
    LabLink lab_{clock_};
    std::optional<Rectangle> lab_place_;      // of its overlay, in this frame
    std::string_view before_lab_ = "engine";  // panel
    bool lab_photo_ = false;                  // the next frame is to be a picture of it
    bool paused_for_lab_ = false;
    TriedEngines tried_;
    Toasts toasts_;
    WidgetMap widgets_;
    FrameLimiter limiter_;
    RateMeter rate_;
    ThreadClock ui_clock_;
    TimingWindow ui_times_;
    Clock::time_point last_frame_ = start_;
    Attract attract_;
    std::size_t attract_scene_ = 0;  // the next of the shipped ones
    bool panels_before_ = true;      // of attract mode
    UiState state_;
    UiMapExtras extras_;
    Image picture_;  // of screenshots; its memory is reused
    std::string scene_seen_;
    std::uint64_t scene_serial_ = 0;               // of the scene in the picture
    std::optional<EngineConfig> before_scene_;     // the engine, where the scene has brought its own
    std::optional<CameraSettings> camera_wanted_;  // of a scene file, by its first picture
    std::optional<CompareScene> compare_wanted_;   // likewise
    std::uint64_t message_seen_ = 0;
    bool cells_asked_ = false, differences_asked_ = false, mass_centre_asked_ = false;
    bool paced_frame_ = false;                 // the simulation waits for it to be recorded
    Clock::time_point acknowledged_ = start_;  // the one before
    std::vector<Action> held_;                 // until the next picture of a session
    ColorBy colors_asked_ = ColorBy::kSpeed;
    ViewSettings look_;  // that the scene came with
    bool bodies_seen_ = false, scene_reported_ = false;
    bool made_deterministic_ = false, made_b_deterministic_ = false;  // the engines, for the recording under way
    Rectangle windowed_{};                                            // place and size before full screen
};

}  // namespace orrery
