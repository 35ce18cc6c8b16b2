// SPDX-License-Identifier: MIT
#include "app/render/readback.hpp"

#include <gmock/gmock.h>

#include "app/platform/offscreen_context.hpp"
#include "app/record/background_recorder.hpp"
#include "app/render/image.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "tests/app/render/recording.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

class ReadbackTest : public ::testing::TestWithParam<ReadbackWay> {
protected:
    void SetUp() override {
        if (GetParam() != ReadbackWay::kCuda) return;
        if (Readback{context_.gl_info(), 1}.way() != ReadbackWay::kCuda) skip_or_fail("OpenGL is not on a CUDA device");
    }
    const OffscreenContext context_{cuda_info().available ? 0 : -1};
};

TEST_P(ReadbackTest, CopiesEveryByteOfEveryFrame) {
    for (const auto& [width, height] : {std::pair{64, 48}, {61, 33}, {1, 1}}) {
        const RenderTarget target{width, height};
        Readback readback{GetParam(), 1};
        EXPECT_EQ(readback.way(), GetParam());
        for (int i = 0; i < 10; ++i) {
            write(picture(width, height, i), target);
            readback.begin(target);
            EXPECT_EQ(readback.take()->rgba, picture(width, height, i).rgba) << width << ", frame " << i;
        }
        EXPECT_GT(readback.copy_seconds(), 0);
    }
}

/// Draws over the target while frames are in flight, and reuses their buffers; a counter in each frame identifies it.
TEST_P(ReadbackTest, KeepsFramesInFlightApart) {
    constexpr int kWidth = 96, kHeight = 64, kPictures = 200;
    const RenderTarget target{kWidth, kHeight};
    Readback readback{GetParam(), 1};
    std::vector<SharedImage> kept;  // as an encoder keeps them
    int taken = 0;
    const auto take = [&] {
        const SharedImage image = readback.take();
        ASSERT_EQ(image->width, kWidth);
        const int number = image->rgba[0] + 256 * image->rgba[1];
        EXPECT_EQ(number, taken++);
        EXPECT_EQ(image->rgba[image->rgba.size() - 4], image->rgba[0]) << "the last pixel belongs to another frame";
        kept.push_back(image);
        if (kept.size() > 5) kept.erase(kept.begin());
    };
    for (int i = 0; i < kPictures; ++i) {
        const float color[4] = {static_cast<float>(i % 256) / 255, static_cast<float>(i / 256) / 255, 0.5f, 1};
        glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, color);
        readback.begin(target);
        if (readback.in_flight() == Readback::kMost) take();
        while (readback.ready()) take();
    }
    while (readback.in_flight() > 0) take();
    EXPECT_EQ(taken, kPictures);
}

TEST_P(ReadbackTest, AveragesLikeTheHost) {
    for (const int factor : {2, 3}) {
        const int width = 60 * factor, height = 34 * factor;
        const Image large = picture(width, height, 5);
        Image small;
        shrink(large, factor, small);
        const RenderTarget target{width, height};
        write(large, target);
        Readback readback{GetParam(), factor};
        readback.begin(target);
        const SharedImage image = readback.take();
        EXPECT_EQ(image->width, 60);
        EXPECT_EQ(image->height, 34);
        EXPECT_EQ(image->rgba, small.rgba) << factor;
    }
}

TEST_P(ReadbackTest, MayBeDestroyedWithFramesInFlight) {
    const RenderTarget target{640, 360};
    SharedImage last;
    {
        Readback readback{GetParam(), 1};
        for (std::size_t i = 0; i < Readback::kMost; ++i) readback.begin(target);
        last = readback.take();
    }
    EXPECT_EQ(last->rgba.size(), 4u * 640 * 360) << "the image must outlive the readback";
}

INSTANTIATE_TEST_SUITE_P(Ways, ReadbackTest,
                         ::testing::Values(ReadbackWay::kTexture, ReadbackWay::kBuffer, ReadbackWay::kCuda),
                         [](const auto& line) { return std::string{name_of(line.param)}; });

TEST(Readback, SoftwareOpenGlIsReadDirectly) {
    const OffscreenContext context{cuda_info().available ? 0 : -1};
    const Readback readback{context.gl_info(), 1};
    EXPECT_EQ(readback.way() == ReadbackWay::kTexture, context.gl_info().software);
    EXPECT_EQ(readback.way() == ReadbackWay::kCuda, readback.why_not_cuda().empty());
}

}  // namespace
}  // namespace orrery::test
