// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/render/view_settings.hpp"
#include "core/engines/config.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// Result of `orrery frames`: how smoothly the simulation can be watched while it runs.
struct FrameSurvey {
    EngineConfig config;
    std::string scene, choice;  ///< choice: what the engine chose
    std::size_t bodies = 0;
    int width = 0, height = 0;
    double max_fps = 0;                 ///< as requested; 0: no limit
    double seconds = 0;                 ///< measured
    bool interrupted = false;           ///< by a signal, before all seconds were measured
    std::vector<double> frame_seconds;  ///< from the end of one frame to the end of the next, ascending
    double gl_ms = 0;                   ///< median time of the OpenGL commands of a frame, by OpenGL's clock
    std::uint64_t states = 0;           ///< number of new states of the bodies drawn
    std::uint64_t steps = 0;            ///< completed during the measurement
    /// Steps completed in each whole second since stepping began, including those before the measurement.
    std::vector<double> steps_by_second;
    double force = 0;                  ///< median seconds of one evaluation, without waiting; 0 until one has completed
    double lasso_ms = 0;               ///< median time until a lasso has found its bodies; 0: not measured
    std::size_t lasso_bodies = 0;      ///< in that lasso
    std::string way, why_not_interop;  ///< how bodies reach OpenGL, see SharedBuffer
    std::string renderer, context;

    double frames_per_second() const { return static_cast<double>(frame_seconds.size()) / seconds; }
    double steps_per_second() const { return static_cast<double>(steps) / seconds; }
    double frame_at(double part) const;  ///< quantile of the frame times, in seconds; 0 … 1
};

struct FrameEffort {
    double seconds = 5;
    int width = 1280, height = 720;
    double max_fps = 0;  ///< maximum frames per second; 0: no limit
    bool still = false;  ///< no steps: the same state is passed to OpenGL and drawn repeatedly
    bool lasso = false;  ///< a lasso is timed, too
    bool scrub = false;  ///< a series is scrubbed back and forth instead of played
    ViewSettings view;
};

/// Runs the loop of the window without a display and without vertical synchronisation: a simulation steps on its own
/// thread as fast as it can, and its newest state is drawn repeatedly while the camera turns. A frame ends when OpenGL
/// has drawn it. A series is played to its end and back. Throws the errors of the simulation.
FrameSurvey survey_frames(const SceneRequest& scene, const EngineConfig& engine, const FrameEffort& effort);

/// Field names are stable for scripts.
std::string json_of(const FrameSurvey& survey);
std::string text_of(const FrameSurvey& survey);

}  // namespace orrery
