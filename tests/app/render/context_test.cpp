// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>

#include "app/platform/glfw_window.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "core/base/error.hpp"

namespace orrery::test {
namespace {

// The test environment installs Mesa: without OpenGL this test fails instead of being skipped.
TEST(Offscreen, ProvidesOpenGlWithoutADisplay) {
    const OffscreenContext context;
    EXPECT_GE(gl_version_number(), kRequiredGl);
    EXPECT_FALSE(context.description().empty());
    EXPECT_FALSE(context.gl_info().renderer.empty());
    GLint profile = 0;
    glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
    EXPECT_EQ(profile, GL_CONTEXT_CORE_PROFILE_BIT);
}

TEST(Offscreen, IsMovableAndCanBeOpenedAgain) {
    OffscreenContext first;
    OffscreenContext second = std::move(first);
    second.make_current();
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
}

[[noreturn]] void report(const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(static_cast<int>(error.blame()));
}

TEST(OffscreenDeathTest, ReportsTheAttemptInOneLine) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";  // EGL must not be loaded yet
    EXPECT_EXIT(
        {
            setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null", 1);
            try {
                const OffscreenContext context;
            } catch (const Error& error) {
                report(error);
            }
            std::exit(0);
        },
        testing::ExitedWithCode(3), "no OpenGL 4.5 without a display: EGL [^\n]*\n$");
}

TEST(WindowDeathTest, ReportsAMissingDisplay) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            unsetenv("DISPLAY");
            unsetenv("WAYLAND_DISPLAY");
            try {
                const GlfwWindow window;
            } catch (const Error& error) {
                report(error);
            }
            std::exit(0);
        },
        testing::ExitedWithCode(3), "^no display: DISPLAY is not set; `orrery record` needs none\n$");
}

TEST(GlProgramTest, ErrorsNameTheShader) {
    const OffscreenContext context;
    EXPECT_THAT([] { GlProgram({"no_such.vert"}); }, testing::ThrowsMessage<Error>(testing::HasSubstr("no_such.vert")));
    // finish.glsl has neither a version nor its declarations: the compiler reports one of its lines.
    EXPECT_THAT([] { GlProgram({"finish.glsl"}); },
                testing::ThrowsMessage<Error>(testing::ContainsRegex("finish\\.glsl:[0-9]+: ")));
    EXPECT_THAT(
        [] {
            GlProgram({"screen.vert", "points.frag"});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("screen.vert + points.frag: does not link")));
}

TEST(GlTextureTest, ErrorsStateTheRefusedSize) {
    const OffscreenContext context;
    EXPECT_THAT([] { GlTexture(GL_RGBA8, 1 << 28, 1, Filter::kNearest); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("268435456 x 1")));
}

}  // namespace
}  // namespace orrery::test
