// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/widgets.hpp"
#include "app/window/frame_limiter.hpp"
#include "app/window/frame_meter.hpp"
#include "app/window/idle_detector.hpp"
#include "app/window/ui_map.hpp"
#include "app/window/window_parts.hpp"
#include "core/cloud/cloud_cut.hpp"

namespace orrery {

/// Draws the newest state available and passes requests to the simulation. Waits only for the next frame.
class FrameLoop {
public:
    FrameLoop(const WindowConfig& config, const MakeSurface& make) : parts_{config, make}, limiter_{config.max_fps} {}
    void run();  ///< until the window is closed; completes a recording in progress

private:
    bool may_idle();
    bool has_news();
    void type_commands(const WindowEvents& events);
    void wait_while_idle();
    void frame();
    void begin_frame(const WindowEvents& events);
    void handle(const WindowEvents& events);
    bool covered() const;
    bool moves_focus(const KeyEvent& event);
    bool acts_now(Command command) const;
    void take_message();
    void warn_of_drift();
    void take_newest_frame();
    void update_cloud_view();
    void record_between_frames();
    void update_state();
    void draw_picture();
    void show(bool needs_redraw);
    void draw_ui(UiRequests& requests);
    void report();
    std::string now_text() const;
    void report_new_files();
    void write_map();

    FrameMeter meter_;  // first: it counts from the start
    WindowParts parts_;
    WindowCore& core_ = parts_.core;
    FrameLimiter limiter_;
    WidgetMap widgets_;
    UiMapExtras extras_;
    std::shared_ptr<const BodyMetadata> words_seen_;
    ViewRegion region_;                // sent last
    std::uint64_t region_serial_ = 0;  // of the scene for which it was sent
    std::uint64_t message_seen_ = 0, saved_seen_ = 0, drift_scene_ = 0;
    bool drift_reported_ = false;
    bool scene_reported_ = false, frame_waits_ = false, asked_ = false;
    double unseen_ = 0;  // seconds from the start without a viewer for whom to draw the first frame
    IdleDetector idle_;
    std::vector<std::string> reported_files_;  // the last files reported to the surface
};

}  // namespace orrery
