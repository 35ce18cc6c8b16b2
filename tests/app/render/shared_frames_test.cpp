// SPDX-License-Identifier: MIT
// Frames of the engines on OpenGL are drawn from the buffer to which the device that computes has written them.
#include <gmock/gmock.h>

#include <thread>

#include "app/render/color_modes.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_system.hpp"
#include "core/gl/sharing.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/app/render/cloud.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

class SharedFrames : public testing::Test {
protected:
    static constexpr std::size_t kBodies = 5000;
    static constexpr std::uint64_t kSampleBytes = 1024 * sizeof(Vec4f);

    void SetUp() override {
        if (!gl_compute_info().available) skip_or_fail(gl_compute_info().reason);
    }
    static EngineConfig config(const char* engine) { return {.engine = engine, .backend = Backend::kGl}; }
    static Simulation simulation(const char* engine) {
        return Simulation{make_preset("plummer", {.bodies = kBodies}), config(engine)};
    }
    static std::vector<Vec4f> drawn(SharedBuffer& buffer, const Frame& frame) {
        buffer.upload(frame);
        return buffer.read(frame.count);
    }
};

TEST_F(SharedFrames, NeitherReadNorWriteBodiesThroughTheHost) {
    const OffscreenContext context;
    Simulation run = simulation("direct");
    SharedBuffer buffer;
    Frame frame;
    run.fill(frame);
    for (int i = 0; i < 4; ++i) {
        run.step();
        const gl::Traffic before = gl::traffic();
        run.fill(frame);
        buffer.upload(frame);
        const gl::Traffic after = gl::traffic();
        EXPECT_EQ(buffer.way(), SharedBuffer::Way::kShared) << gl::why_frames_are_copied();
        EXPECT_EQ(buffer.bytes_from_host(), 0);
        EXPECT_LE(after.read - before.read, kSampleBytes) << "the sample of the extent";
        EXPECT_EQ(after.written, before.written);
    }
    const Vec4d body = run.system().bodies().position_mass[42];
    const Vec4f vertex = buffer.read(kBodies)[42];
    EXPECT_EQ(vertex.x, static_cast<float>(body.x));
    EXPECT_EQ(vertex.y, static_cast<float>(body.y));
    EXPECT_EQ(vertex.z, static_cast<float>(body.z));
}

TEST_F(SharedFrames, HaveTheBytesOfCopiedFramesInEveryColor) {
    const OffscreenContext context;
    for (const char* engine : {"tree", "half"}) {
        Simulation run = simulation(engine);
        run.set_color_by(ColorBy::kPotential);
        run.step();
        for (const ColorModeEntry& mode : color_modes()) {
            Coloring coloring{.by = mode.by, .forces = true, .may_reuse = false, .along = {0.6, 0, 0.8}};
            if (mode.by == ColorBy::kError)
                coloring.errors =
                    std::make_shared<const BodyErrors>(BodyErrors{.each = std::vector<float>(kBodies, 0.25f)});
            SharedBuffer shared, copied;
            Frame frame;
            run.system().fill(frame, coloring);
            const std::vector<Vec4f> found = drawn(shared, frame);
            ASSERT_EQ(shared.way(), SharedBuffer::Way::kShared) << gl::why_frames_are_copied();
            {
                const gl::Drawer another{gl::Drawer::Shares{}};
                EXPECT_EQ(gl::why_frames_are_copied(), "several contexts draw");
                run.system().fill(frame, coloring);
                EXPECT_EQ(found, drawn(copied, frame)) << mode.id;
                EXPECT_EQ(copied.way(), SharedBuffer::Way::kHost);
            }
        }
    }
}

/// The simulation exists before the context that draws, as in `orrery record`.
TEST_F(SharedFrames, WorkWithAnOpenDevice) {
    Simulation run = simulation("direct");
    for (int i = 0; i < 2; ++i) {
        const OffscreenContext context;
        SharedBuffer buffer;
        Frame frame;
        run.step();
        run.fill(frame);
        buffer.upload(frame);
        EXPECT_EQ(buffer.way(), SharedBuffer::Way::kShared) << gl::why_frames_are_copied();
    }
    Frame frame;
    run.fill(frame);
    EXPECT_EQ(frame.host.size(), kBodies) << "without a context that draws, frames are on the host";
}

/// A frame that was filled while its buffer was still drawn from has another buffer.
TEST_F(SharedFrames, NeverOverwriteABufferThatIsDrawnFrom) {
    const OffscreenContext context;
    Simulation run = simulation("direct");
    Frame frame;
    run.fill(frame);
    SharedBuffer held;
    const std::vector<Vec4f> before = drawn(held, frame);
    run.step();
    run.fill(frame);
    EXPECT_EQ(held.read(kBodies), before);
    SharedBuffer newer;
    EXPECT_NE(drawn(newer, frame), before);
    EXPECT_NE(newer.name(), held.name());
    held.upload(frame);  // ends the loan of the first buffer
    EXPECT_EQ(held.name(), newer.name());
}

TEST_F(SharedFrames, OfAnotherThreadAreCopied) {
    const OffscreenContext context;
    Simulation run = simulation("direct");
    Frame frame;
    run.fill(frame);
    ASSERT_TRUE(frame.gl);
    bool shared = true;
    std::thread{[&] { shared = gl::frames_are_shared_here(); }}.join();
    EXPECT_FALSE(shared);
    EXPECT_EQ(frame.gl->read().size(), kBodies);
}

/// The next frame replaces the present one.
TEST_F(SharedFrames, OfAReopenedDeviceAreSkipped) {
    const OffscreenContext context;
    SharedBuffer buffer;
    Simulation run = simulation("direct");
    Frame frame, late;
    run.fill(frame);
    buffer.upload(frame);
    const std::vector<Vec4f> before = buffer.read(kBodies);
    const Snapshot state = run.snapshot();
    run.fill(late);
    change_gl_device(choice_of(gl_compute_info().devices.front()));
    buffer.upload(late);
    EXPECT_EQ(buffer.read(kBodies), before);
    run.restore(state);
    run.fill(frame);
    buffer.upload(frame);
    EXPECT_EQ(buffer.way(), SharedBuffer::Way::kShared);
    EXPECT_EQ(buffer.read(kBodies), before);
    change_gl_device("");
}

TEST_F(SharedFrames, FollowTheBackend) {
    const OffscreenContext context;
    Simulation run = simulation("direct");
    SharedBuffer buffer;
    Frame frame;
    for (const Backend backend : {Backend::kGl, Backend::kCpu, Backend::kGl}) {
        run.set_engine({.engine = "direct", .backend = backend});
        run.fill(frame);
        buffer.upload(frame);
        EXPECT_EQ(buffer.way(), backend == Backend::kGl ? SharedBuffer::Way::kShared : SharedBuffer::Way::kHost);
        EXPECT_EQ(buffer.count(), kBodies);
    }
}

}  // namespace
}  // namespace orrery::test
