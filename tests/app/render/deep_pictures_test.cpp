// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <png.h>

#include <cmath>
#include <cstdlib>

#include "app/record/picture_maker.hpp"
#include "app/render/color_maps.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/cloud.hpp"
#include "tests/app/render/recording.hpp"

namespace orrery::test {
namespace {

constexpr int kDeepWidth = 320, kDeepHeight = 180;

CameraPose deep_pose(const Frame& frame) {
    OrbitCamera camera;
    FrameExtent wide = frame.extent;
    wide.radius *= 2.5;
    camera.fit(wide, double(kDeepWidth) / kDeepHeight, Transition::kAtOnce);
    return camera.pose();
}

SharedImage made(const Studio& studio, const PictureSize& size, const Frame& frame, const ViewSettings& settings = {}) {
    const GlInfo gl = studio.context.gl_info();
    PictureMaker maker{gl, size, 60};
    SharedBuffer bodies;
    bodies.upload(frame);
    maker.draw(bodies, frame, deep_pose(frame), settings);
    return maker.take();
}

/// Reads all 16 bits, independently of Orrery's reader.
std::vector<std::uint16_t> read_deep_png(const std::filesystem::path& path) {
    FILE* file = std::fopen(path.c_str(), "rb");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_png(png, info, PNG_TRANSFORM_SWAP_ENDIAN, nullptr);
    EXPECT_EQ(png_get_bit_depth(png, info), 16);
    EXPECT_EQ(png_get_channels(png, info), 3);
    std::vector<std::uint16_t> all;
    for (png_uint_32 y = 0; y < png_get_image_height(png, info); ++y) {
        const auto* row = reinterpret_cast<const std::uint16_t*>(png_get_rows(png, info)[y]);
        all.insert(all.end(), row, row + 3 * png_get_image_width(png, info));
    }
    png_destroy_read_struct(&png, &info, nullptr);
    std::fclose(file);
    return all;
}

TEST(DeepPictures, SixteenBitsRefineEightBits) {
    const Studio studio;
    const Frame frame = cloud(20000);
    for (const int supersampling : {1, 2}) {
        const SharedImage fine = made(studio, {kDeepWidth, kDeepHeight, supersampling, Lens::kFlat, 16}, frame);
        const SharedImage coarse = made(studio, {kDeepWidth, kDeepHeight, supersampling}, frame);
        ASSERT_TRUE(fine->deep);
        const auto& rgb = fine->deep->rgb;
        ASSERT_EQ(rgb.size(), std::size_t{kDeepWidth} * kDeepHeight * 3);
        std::size_t between = 0;
        for (std::size_t i = 0; i < rgb.size(); ++i) {
            ASSERT_NEAR(rgb[i] / 257.0, coarse->rgba[i / 3 * 4 + i % 3], 1.1) << "number " << i;
            between += rgb[i] % 257 != 0 ? 1 : 0;
        }
        EXPECT_GT(between, rgb.size() / 4) << "more than 256 levels must occur";
    }
}

TEST(DeepPictures, PngStoresSixteenBits) {
    const Studio studio;
    const Folder folder;
    const SharedImage image = made(studio, {kDeepWidth, kDeepHeight, 1, Lens::kFlat, 16}, cloud(3000));
    RecorderConfig config{.path = folder / "a.png", .width = kDeepWidth, .height = kDeepHeight, .bits = 16};
    const auto recorder = make_recorder(config);
    recorder->add(*image);
    recorder->finish();
    EXPECT_EQ(read_deep_png(folder / "a.png"), image->deep->rgb);
    config.path = folder / "a.mp4";
    EXPECT_THROW(make_recorder(config), Error);
}

TEST(DeepPictures, ContainAllLightAndDepths) {
    const Studio studio;
    Frame frame = cloud(20000);
    for (const DrawMode mode : {DrawMode::kSplat, DrawMode::kSmoothed, DrawMode::kPoints}) {
        ViewSettings settings;
        settings.mode = mode;
        for (const int supersampling : {1, 2}) {
            const SharedImage image =
                made(studio, {kDeepWidth, kDeepHeight, supersampling, Lens::kFlat, 8, true}, frame, settings);
            ASSERT_TRUE(image->deep);
            double light = 0, depth = 0, red = 0;
            for (std::size_t i = 0; i < image->deep->light.size(); i += 5) {
                const float* pixel = image->deep->light.data() + i;
                light += pixel[3], depth += double{pixel[3]} * pixel[4], red += pixel[0];
            }
            // Half-float sprites and their cut-off edges lose a little light.
            EXPECT_NEAR(light, 20000, mode == DrawMode::kPoints ? 700 : 20);
            EXPECT_NEAR(depth / light / deep_pose(frame).distance, 1, 0.02);
            EXPECT_GT(red, 0);
        }
    }
}

TEST(DeepPictures, SingleBodyHasItsDepth) {
    const Studio studio;
    Frame frame = cloud(1);
    const CameraPose pose = deep_pose(frame);
    const glm::dvec3 ahead = pose.target + 0.37 * pose.distance * OrbitCamera{pose}.back();
    frame.host.front() = {float(ahead.x), float(ahead.y), float(ahead.z), 0.5f};
    const SharedImage image = made(studio, {kDeepWidth, kDeepHeight, 1, Lens::kFlat, 8, true}, frame);
    const float* middle = image->deep->light.data() + 5 * (kDeepHeight / 2 * kDeepWidth + kDeepWidth / 2);
    EXPECT_NEAR(middle[4] / pose.distance, 0.63, 0.003);
}

}  // namespace
}  // namespace orrery::test
