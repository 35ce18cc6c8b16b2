// SPDX-License-Identifier: MIT
// Drawing does not wait for time steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>

#include "app/commands/frames.hpp"
#include "core/base/error.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/slowness.hpp"

namespace orrery::test {
namespace {

/// Measures up to seven times, each time twice as long, until a survey satisfies `wanted`: other programs may slow the
/// machine.
FrameSurvey survey_until(const SceneRequest& scene, const EngineConfig& engine, FrameEffort effort,
                         const std::function<bool(const FrameSurvey&)>& wanted) {
    FrameSurvey survey = survey_frames(scene, engine, effort);
    for (int attempt = 1; attempt < 7 && !wanted(survey); ++attempt) {
        effort.seconds *= 2;
        survey = survey_frames(scene, engine, effort);
    }
    return survey;
}

// A step of the reference engine takes one thread a tenth of a second, while software OpenGL needs the same cores.
TEST(Frames, DoNotWaitForSlowSteps) {
    const EngineConfig engine{.engine = "reference", .backend = Backend::kCpu, .threads = 1};
    const auto bodies = static_cast<std::size_t>(4096 / std::sqrt(slowness()));
    const FrameSurvey survey =
        survey_until({.source = "plummer", .bodies = bodies}, engine, {.seconds = 0.5, .width = 160, .height = 90},
                     [](const FrameSurvey& s) { return s.states > 0 && s.frame_seconds.size() > 2 * s.steps; });
    EXPECT_EQ(survey.bodies, bodies);
    EXPECT_GE(survey.steps, 1u) << "the simulation took no step";
    EXPECT_GE(survey.states, 1u) << "no step was displayed";
    EXPECT_GE(survey.force, 2.0 / 60) << "steps are too fast for this test";
    EXPECT_GT(survey.frame_seconds.size(), 2 * survey.steps) << text_of(survey);
    EXPECT_LE(survey.frame_at(0.5), survey.frame_at(0.99));
    EXPECT_LE(survey.frame_at(0.99), survey.frame_at(1));
}

TEST(Frames, ShowManyStatesOfFastSteps) {
    const EngineConfig engine{.engine = "direct", .backend = Backend::kCpu};
    const FrameSurvey survey =
        survey_until({.source = "plummer", .bodies = 200}, engine, {.seconds = 0.2, .width = 160, .height = 90},
                     [](const FrameSurvey& s) {
                         return static_cast<double>(s.steps) > 200 * s.seconds / slowness() && s.states >= 10;
                     });
    EXPECT_GT(static_cast<double>(survey.steps), 200 * survey.seconds / slowness())
        << "limited to the window's 120 steps per second";
    EXPECT_GE(static_cast<double>(survey.states), 10 / slowness());
    EXPECT_LE(survey.states, survey.frame_seconds.size()) << "at most one state per frame";
    EXPECT_GE(survey.seconds, 0.2);
}

TEST(Frames, ReportAFailedSimulation) {
    const EngineConfig engine{.engine = "direct", .backend = Backend::kCpu};
    SceneRequest scene{.source = "plummer", .bodies = 20, .dt = 1e37};
    EXPECT_THROW(survey_frames(scene, engine, {.seconds = 60, .width = 32, .height = 32}), Error);
}

TEST(Frames, MillionBodiesOnADeviceReachThirtyPerSecond) {
    if (!cuda_info().available) return skip_or_fail(cuda_info().reason);
    if (std::getenv("ORRERY_TEST_SLOWNESS")) GTEST_SKIP() << "speed is meaningless under sanitizers";
    const EngineConfig engine{.engine = "half", .backend = Backend::kCuda};
    const FrameSurvey survey = survey_frames({.source = "plummer", .bodies = 1 << 20}, engine, {});
    EXPECT_EQ(survey.bodies, 1048576u);
    EXPECT_GE(survey.steps, 1u);
    EXPECT_GE(survey.frames_per_second(), 30) << text_of(survey);
    EXPECT_LE(survey.frame_at(1), 0.5) << text_of(survey);
}

}  // namespace
}  // namespace orrery::test
