// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/widget_map.hpp"
#include "app/window/frame_limiter.hpp"
#include "app/window/frame_meter.hpp"
#include "app/window/rest.hpp"
#include "app/window/ui_map.hpp"
#include "app/window/window_parts.hpp"
#include "core/cloud/cloud_cut.hpp"

namespace orrery {

/// Draws the newest state that there is and carries wishes to the simulation. Waits for nothing but the next frame.
class FrameLoop {
public:
    FrameLoop(const WindowConfig& config, const MakeSurface& make) : parts_{config, make}, limiter_{config.max_fps} {}
    void run();  ///< until the window is closed; a recording under way is completed

private:
    bool may_rest();
    void rest();
    void frame();
    void begin_frame(const WindowEvents& events);
    void handle(const WindowEvents& events);
    bool acts_now(Command command) const;
    void take_message();
    void warn_of_drift();
    void take_newest_frame();
    void look_at_cloud();
    void record_between_frames();
    void update_state();
    void draw_picture();
    void show(bool stirred);
    void draw_ui(Wishes& wishes);
    void report();
    std::string now_text() const;
    void tell_new_files();
    void write_map();

    FrameMeter meter_;  // first: it counts from the start
    WindowParts parts_;
    WindowCore& core_ = parts_.core;
    FrameLimiter limiter_;
    WidgetMap widgets_;
    UiMapExtras extras_;
    std::shared_ptr<const SceneWords> words_seen_;
    CloudSight sight_;                // that was asked for last
    std::uint64_t sight_serial_ = 0;  // of the scene that it was asked of
    std::uint64_t message_seen_ = 0, saved_seen_ = 0, drift_scene_ = 0;
    bool drift_told_ = false;
    bool scene_reported_ = false, frame_waits_ = false;
    double unseen_ = 0;  // seconds from the start, in which there was no one to draw the first frame for
    Rest rest_;
    std::vector<std::string> told_;  // the last files that the surface has heard of
};

}  // namespace orrery
