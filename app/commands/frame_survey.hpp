// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/engines/config.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// How smoothly bodies can be watched while they are computed.
struct FrameSurvey {
    EngineConfig config;
    std::string scene, choice;  ///< choice: what the engine chose by itself
    std::size_t bodies = 0;
    int width = 0, height = 0;
    double max_fps = 0;                 ///< as asked for; 0: no limit
    double seconds = 0;                 ///< that were measured
    std::vector<double> frame_seconds;  ///< from the end of one frame to the end of the next, ascending
    double gl_ms = 0;                   ///< median time of the commands of a picture, by OpenGL's clock
    std::uint64_t states = 0;           ///< of the bodies that came into the picture
    std::uint64_t steps = 0;            ///< that ended while it was measured
    /// That ended in each whole second since they may go as fast as they can, those before the measurement included.
    std::vector<double> steps_by_second;
    double force = 0;                  ///< median seconds of one evaluation, waiting left out; 0 until one has ended
    std::string way, why_not_interop;  ///< of the bodies to OpenGL, as SharedBuffer says
    std::string renderer, context;

    double frames_per_second() const { return static_cast<double>(frame_seconds.size()) / seconds; }
    double steps_per_second() const { return static_cast<double>(steps) / seconds; }
    double frame_at(double part) const;  ///< seconds that this part of the frames, 0 … 1, stayed below
};

struct FrameEffort {
    double seconds = 5;
    int width = 1280, height = 720;
    double max_fps = 0;  ///< pictures per second that are not exceeded; 0: no limit
    bool still = false;  ///< no steps: the same state is handed over and drawn again and again
};

/// Does what the window does, without a display and without waiting for a screen: a simulation on a thread of its own,
/// as fast as it can, whose newest state is drawn again and again while the camera turns. A frame ends when OpenGL has
/// drawn it. Throws what the simulation throws or reports.
FrameSurvey survey_frames(const SceneRequest& scene, const EngineConfig& engine, const FrameEffort& effort);

/// With the names that scripts rely on.
std::string json_of(const FrameSurvey& survey);
std::string text_of(const FrameSurvey& survey);

}  // namespace orrery
