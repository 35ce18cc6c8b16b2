// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/options.hpp"
#include "app/picture/compare_view.hpp"
#include "app/record/background_recorder.hpp"
#include "app/record/picture_maker.hpp"
#include "app/render/shutter.hpp"
#include "app/scene/session.hpp"
#include "core/base/standard_streams.hpp"
#include "core/live/world.hpp"

namespace orrery {

/// A compared simulation without a window. An error that stops only the second simulation is reported on stderr.
class ComparedRun : public World {
public:
    using World::World;

    void take_steps(std::uint64_t steps) { World::take_steps(steps, report()); }
    void settle() { World::settle(report()); }

    CompareView view;  ///< how the two are displayed

private:
    Refused report() const {
        return [this](const std::string& why) { to_stderr("orrery: step {}: {}\n", simulation.now().steps, why); };
    }
};

/// What a frame shows of the time until the next one.
struct Exposing {
    double shutter = 0;    ///< share of that time for which the shutter is open, from the frame's own time on; 0: none
    int instants = 8;      ///< evenly spread over it
    bool vectors = false;  ///< motion vectors
    bool on() const { return shutter > 0 || vectors; }
};

/// Draws consecutive frames of a simulation. The same settings give the same bytes. Its GL context must be current in
/// every member function and in the destructor.
class FrameRenderer {
public:
    FrameRenderer(const GlInfo& gl, const ViewOptions& view, const PictureSize& size, int fps);

    /// Draws the current state into the next frame and advances the camera. Not while maker().full().
    void draw(ComparedRun& run);
    /// Adds the state after a step without a frame to the trails.
    void add_to_trails(ComparedRun& run);
    /// The same with a given camera: that of a session.
    void draw(ComparedRun& run, const CameraPose& pose);
    /// A frame that shows the time until the next one: open() with the present state, pass() after each of `steps`
    /// steps, close().
    void open(ComparedRun& run, const Exposing& exposing, std::uint64_t steps);
    void pass(ComparedRun& run);
    void close(ComparedRun& run);
    PictureMaker& maker() { return maker_; }  ///< finished frames are taken from it
    void set_view(const ViewSettings& settings) { settings_ = settings; }
    const ViewSettings& view() const { return settings_; }
    /// Sets the colour quantity of frames, before a comparison starts and before the first step; may need forces.
    void begin(ComparedRun& run) const;
    const Frame& frame() const { return frame_; }
    const SharedBuffer& bodies() const { return bodies_; }

private:
    void take(ComparedRun& run);
    void draw_captured(const CompareView& view, const CameraPose& pose);
    void fill(ComparedRun& run);
    void aim(ComparedRun& run, const CameraPose& pose);
    void require_color() const;
    void require_species(const ComparedRun& run) const;
    /// The pose this share of the time between two frames after the present one.
    CameraPose pose_now(double share = 0, std::optional<Vec3d> centre = {});
    void add_instants(const SharedBuffer& from, const SharedBuffer& to, Vec3d to_centre);

    /// The frame between open() and close().
    struct Open {
        Exposing exposing;
        std::uint64_t steps = 1, taken = 0;
        int added = 0;  ///< instants
        CameraPose pose;
        Frame passed;                        ///< the state after the last step
        std::array<SharedBuffer, 2> states;  ///< after the last steps
        Vec3d centre;                        ///< of the state before the last step
        BodiesBetween between;
    };

    ViewOptions options_;
    ViewSettings settings_;
    std::string fields_;  // loaded for them
    int fps_;
    bool software_;
    PictureMaker maker_;
    SharedBuffer bodies_, other_bodies_;
    Open open_;
    Frame frame_;
    CameraPose first_pose_;
    std::optional<Vec3d> first_centre_;
};

struct RecordingPlan {
    std::uint64_t pictures, steps_per_frame, steps_before = 0;
    Exposing exposing{};
    double rate_after = 0;                   ///< of a series after steps_before; 0: unchanged
    std::filesystem::path path{}, ui_map{};  ///< of the video, and of its state file if requested
    const Session* replayed = nullptr;       ///< the session to replay, if any
};

/// Replays the user's actions during a recording of the window.
class SessionPlayer {
public:
    explicit SessionPlayer(const Session& session) : session_{session} {}

    /// Draws this frame with its camera and settings, then repeats the actions after it.
    void draw(std::uint64_t number, ComparedRun& run, FrameRenderer& renderer);

private:
    const Session& session_;
    std::size_t next_ = 0;  // next event
    CameraPose pose_;
};

/// Records a video without a window; steps, drawing, copying and encoding of different frames overlap. The GL context
/// of `renderer` must be current in every member function.
class OfflineRecorder {
public:
    OfflineRecorder(const RecordingPlan& plan, ComparedRun& run, FrameRenderer& renderer, BackgroundRecorder& recorder);

    /// Records frame by frame, each followed by its steps, and completes the file. Returns the number of frames, which
    /// is smaller than planned after an interruption. Error messages name the partial video, `unfinished`, as given by
    /// the recorder.
    std::uint64_t make(const std::filesystem::path& unfinished);

    /// Means over all frames; `frame` excludes the first.
    StageTimes times() const;

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t make_all();
    void draw();
    void expose();
    void hand_over(bool wait);
    void complete();
    void keep() noexcept;

    const RecordingPlan& plan_;
    ComparedRun& run_;
    FrameRenderer& renderer_;
    BackgroundRecorder& recorder_;
    std::optional<SessionPlayer> player_;
    StageTimes times_;
    std::uint64_t drawn_ = 0;
    Clock::time_point after_first_, end_;
};

}  // namespace orrery
