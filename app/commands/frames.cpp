// SPDX-License-Identifier: MIT
#include "app/commands/frames.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/platform/machine.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/render/view_settings.hpp"
#include "app/window/frame_pace.hpp"
#include "app/window/window_picture.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/choices.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr double kTurn = 20 * std::numbers::pi / 180;  // of the camera per second, as by a user who looks around
constexpr double kScrub = 2;                           // seconds from one end of a series to the other
constexpr double kWarmUp = 0.5;                        // seconds: drivers compile shaders on first use

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

/// Lets the engine's threads yield to drawing, as in the window.
EngineConfig in_background(EngineConfig config) {
    config.background = true;
    return config;
}

/// Number of steps at the end of each whole second, interpolated linearly between observations.
class StepsBySecond {
public:
    void begin(std::int64_t step) {
        begin_ = last_ = Clock::now(), last_step_ = static_cast<double>(step), at_ = {last_step_};
    }
    void note(std::int64_t step) {
        const auto now = Clock::now();
        const double past = seconds_between(begin_, last_), present = seconds_between(begin_, now);
        for (auto second = static_cast<double>(at_.size()); second <= present; second += 1)
            at_.push_back(last_step_ + (static_cast<double>(step) - last_step_) * (second - past) / (present - past));
        last_ = now, last_step_ = static_cast<double>(step);
    }
    std::vector<double> by_second() const {
        std::vector<double> steps;
        for (std::size_t i = 1; i < at_.size(); ++i) steps.push_back(at_[i] - at_[i - 1]);
        return steps;
    }

private:
    Clock::time_point begin_, last_;
    double last_step_ = 0;
    std::vector<double> at_;  // steps at second 0, 1, …
};

/// The loop of a window, without a window.
class Watching {
public:
    Watching(const SceneRequest& scene, const EngineConfig& engine, const FrameEffort& effort)
        : effort_{effort},
          context_{cuda_info().available ? 0 : -1},  // draw on the device that computes, if it can
          view_{context_.gl_info()},
          simulation_{scene, in_background(engine), process_ranks()} {
        simulation_.send(SetSpeed{0});
        progress_.begin(simulation_.status().step);
        if (effort.still) simulation_.send(SetPaused{true});
        if (effort.max_fps > 0) limiter_.emplace(effort.max_fps);
    }

    FrameSurvey operator()() {
        const InterruptGuard guard;
        for (const auto start = Clock::now(); seconds_between(start, Clock::now()) < kWarmUp && !guard.interrupted();)
            frame();
        FrameSurvey survey;
        gpu_ms_.clear();
        const std::uint64_t states = states_, steps = simulation_.status().step;
        const auto start = Clock::now();
        auto last = start;
        do {
            frame();
            const auto now = Clock::now();
            survey.frame_seconds.push_back(seconds_between(last, now));
            last = now;
        } while (seconds_between(start, last) < effort_.seconds && !guard.interrupted());
        std::ranges::sort(survey.frame_seconds);
        std::ranges::nth_element(gpu_ms_, gpu_ms_.begin() + static_cast<std::ptrdiff_t>(gpu_ms_.size() / 2));
        survey.gl_ms = gpu_ms_[gpu_ms_.size() / 2];
        survey.seconds = seconds_between(start, last);
        survey.interrupted = guard.interrupted();
        survey.states = states_ - states;
        describe(survey);
        survey.steps = simulation_.status().step - steps;
        if (effort_.lasso) measure_lasso(survey);
        survey.steps_by_second = progress_.by_second();
        return survey;
    }

private:
    void frame() {
        const Status status = simulation_.status();
        if (!status.message.text.empty()) environment_error(status.message.text);
        const bool fresh = simulation_.update_frame();
        if (status.source.series.on) move_along(status, fresh);
        if (fresh || (effort_.still && states_ > 0)) view_.upload(simulation_.frame());
        if (fresh) {
            ++states_;
            if (states_ == 1)
                camera_.fit(view_.extent_in(effort_.view), aspect(), Transition::kAtOnce), begin_ = Clock::now();
        }
        CameraPose pose = camera_.pose();
        pose.yaw += kTurn * seconds_between(begin_, Clock::now());
        view_.draw(effort_.width, effort_.height, OrbitCamera{pose}, effort_.view, Pace::kAffordable);
        glFinish();  // a frame ends when it is drawn, not when it is submitted
        gpu_ms_.push_back(view_.gpu_ms());
        progress_.note(simulation_.status().step);
        if (limiter_) limiter_->wait();
    }

    void move_along(const Status& status, bool fresh) {
        const std::vector<double>& times = *status.source.series.times;
        if (effort_.scrub && fresh) {
            const double part = std::fmod(seconds_between(begin_, Clock::now()) / kScrub, 2);
            simulation_.send(ShowTime{std::lerp(times.front(), times.back(), part < 1 ? part : 2 - part), true});
        }
        if (effort_.scrub || effort_.still || !status.pace.paused || turned_at_ == status.step) return;
        turned_at_ = status.step;
        simulation_.send(SetReversed{!status.pace.reversed});
        simulation_.send(SetPaused{false});
    }

    /// Times a line of a thousand corners around the middle of the picture, from the line to the indices of its bodies.
    void measure_lasso(FrameSurvey& survey) const {
        constexpr int kCorners = 1000, kRounds = 9;
        const double width = effort_.width, height = effort_.height;
        std::vector<OutlinePoint> line;
        for (int i = 0; i < kCorners; ++i) {
            const double angle = 2 * std::numbers::pi * i / kCorners,
                         radius = height * (0.25 + 0.03 * std::sin(40 * angle));
            line.push_back({width / 2 + radius * std::cos(angle), height / 2 + radius * std::sin(angle)});
        }
        std::vector<double> times;
        for (int round = 0; round < kRounds; ++round) {
            const auto start = Clock::now();
            survey.lasso_bodies = view_.within(camera_, width, height, Outline{line}).rows().size();
            times.push_back(1e3 * seconds_between(start, Clock::now()));
        }
        std::ranges::sort(times);
        survey.lasso_ms = times[kRounds / 2];
    }

    void describe(FrameSurvey& survey) const {
        const Status status = simulation_.status();
        survey.config = status.engine.config;
        survey.scene = status.scene.id;
        survey.choice = status.engine.choice;
        survey.bodies = status.bodies;
        survey.width = effort_.width, survey.height = effort_.height;
        survey.max_fps = effort_.max_fps;
        survey.force = status.force.timing.median;
        survey.way = name_of(view_.bodies().way());
        survey.why_not_interop = view_.bodies().why_not_interop();
        survey.renderer = context_.gl_info().renderer;
        survey.context = context_.description();
    }

    double aspect() const { return static_cast<double>(effort_.width) / effort_.height; }

    FrameEffort effort_;
    OffscreenContext context_;
    SceneView view_;
    SimulationThread simulation_;  // last, because its first seconds count and other members take long to create
    OrbitCamera camera_;
    Clock::time_point begin_ = Clock::now();
    std::optional<std::int64_t> turned_at_;  // step at which the direction of a series was last reversed
    std::uint64_t states_ = 0;
    StepsBySecond progress_;
    std::optional<FrameLimiter> limiter_;
    std::vector<double> gpu_ms_;  // of each frame, the latest time known then
};

}  // namespace

Work declare_frames(CLI::App& app) {
    struct Options {
        SceneOptions scene{.given = {.source = "plummer"}};
        EngineOptions engine;
        FrameEffort effort;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    add_source(app, options->scene, Source::kOptional);
    add_scene(app, options->scene);
    add_engine(app, options->engine);
    app.add_option("--seconds", options->effort.seconds, "Measuring time in seconds")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    app.add_option("--width", options->effort.width, "In pixels")->check(CLI::Range(16, 16384))->capture_default_str();
    app.add_option("--height", options->effort.height, "In pixels")
        ->check(CLI::Range(16, 16384))
        ->capture_default_str();
    app.add_option("--max-fps", options->effort.max_fps, "Maximum number of frames per second; 0: no limit")
        ->check(CLI::Range(0.0, 1e4))
        ->capture_default_str();
    app.add_flag("--still", options->effort.still,
                 "Take no steps: measure how fast one state is passed to OpenGL and drawn");
    app.add_flag("--lasso", options->effort.lasso,
                 "Measure also how long a lasso of a thousand corners takes to find its bodies");
    app.add_flag("--scrub", options->effort.scrub,
                 "Scrub a series of snapshots back and forth, once in four seconds, instead of playing it");
    for (const char* id : {"mode", "wrap", "tiles", "box"})
        SettingOptions{app}.add(setting(view_settings(), id), options->effort.view);
    add_json(app, options->json);
    app.footer(
        "Does what the window does, without a display: the newest state of the bodies is drawn repeatedly while\nthe "
        "camera turns, and the simulation steps as fast as it can. Examples:\n  orrery frames --bodies 1048576 "
        "--engine half --json\n  orrery frames --bodies 16777216 --engine tree --max-fps 60\n  orrery frames --bodies "
        "16777216 --still --lasso\n  orrery frames collision "
        "--backend cpu --seconds 10\n  orrery frames snap_*.h5 --scrub");
    return [options, &app] {
        if (adopt_scene(options->scene, &options->engine)) apply_typed(app);
        const FrameSurvey survey = survey_frames(options->scene.request(), options->engine.config(), options->effort);
        if (survey.interrupted)
            to_stderr("orrery: interrupted after {:.1f} s of {:g} s\n", survey.seconds, options->effort.seconds);
        to_stdout("{}", options->json ? json_of(survey) + '\n' : text_of(survey));
        return interrupt_code();
    };
}

double FrameSurvey::frame_at(double part) const {
    return frame_seconds.at(static_cast<std::size_t>(part * static_cast<double>(frame_seconds.size() - 1)));
}

FrameSurvey survey_frames(const SceneRequest& scene, const EngineConfig& engine, const FrameEffort& effort) {
    return Watching{scene, engine, effort}();
}

std::string json_of(const FrameSurvey& survey) {
    Json force = nullptr;
    if (survey.force > 0) force = 1e3 * survey.force;
    const Json json{{"scene", survey.scene},
                    {"engine", survey.config.engine},
                    {"backend", name(survey.config.backend)},
                    {"map", map_in_force(survey.config)},
                    {"root", root_in_force(survey.config)},
                    {"precision", name(survey.config.precision)},
                    {"bodies", survey.bodies},
                    {"width", survey.width},
                    {"height", survey.height},
                    {"seconds", survey.seconds},
                    {"frames", survey.frame_seconds.size()},
                    {"frames_per_second", survey.frames_per_second()},
                    {"median_frame_ms", 1e3 * survey.frame_at(0.5)},
                    {"p99_frame_ms", 1e3 * survey.frame_at(0.99)},
                    {"longest_frame_ms", 1e3 * survey.frame_at(1)},
                    {"gl_ms", survey.gl_ms},
                    {"lasso_ms", survey.lasso_ms > 0 ? Json(survey.lasso_ms) : Json(nullptr)},
                    {"lasso_bodies", survey.lasso_ms > 0 ? Json(survey.lasso_bodies) : Json(nullptr)},
                    {"states", survey.states},
                    {"steps", survey.steps},
                    {"steps_per_second", survey.steps_per_second()},
                    {"steps_by_second", survey.steps_by_second},
                    {"max_fps", survey.max_fps > 0 ? Json(survey.max_fps) : Json(nullptr)},
                    {"force_ms", force},
                    {"way", survey.way},
                    {"why_not_interop", survey.why_not_interop},
                    {"renderer", survey.renderer},
                    {"context", survey.context},
                    {"choice", survey.choice},
                    {"device", device_name(survey.config.backend)},
                    {"cpu", cpu_model()},
                    {"driver", driver_version()},
                    {"compiler", compiler()},
                    {"version", version()},
                    {"commit", commit()}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string text_of(const FrameSurvey& survey) {
    std::string text = fmt::format("{}: {} bodies, {} on {}, {} precision{}\n", survey.scene, survey.bodies,
                                   survey.config.engine, name(survey.config.backend), name(survey.config.precision),
                                   survey.choice.empty() ? "" : " (" + survey.choice + ")");
    text += fmt::format("drawn     {} × {} by {} ({}), bodies to OpenGL: {}{}\n", survey.width, survey.height,
                        survey.renderer, survey.context, survey.way,
                        survey.why_not_interop.empty() ? "" : ", no interop: " + survey.why_not_interop);
    text += fmt::format(
        "frames    {:.1f} per second: median {:.2f} ms, 99 % below {:.2f} ms, maximum {:.2f} ms; OpenGL {:.2f} ms\n",
        survey.frames_per_second(), 1e3 * survey.frame_at(0.5), 1e3 * survey.frame_at(0.99), 1e3 * survey.frame_at(1),
        survey.gl_ms);
    text += fmt::format("meanwhile {} steps/s, force {}, {} states of the bodies drawn in {:.1f} s\n",
                        with_prefix(survey.steps_per_second()),
                        survey.force > 0 ? fmt::format("{:.3g} ms (median)", 1e3 * survey.force) : "not yet known",
                        survey.states, survey.seconds);
    if (survey.lasso_ms > 0)
        text += fmt::format("lasso     {} bodies in {:.2f} ms (median of 9)\n", survey.lasso_bodies, survey.lasso_ms);
    return text;
}

}  // namespace orrery
