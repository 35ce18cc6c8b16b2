// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "app/record/picture_maker.hpp"
#include "app/render/image.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

TEST(Supersampling, AveragesTheLightOfEachSquare) {
    const Image large{4, 2, {10, 0, 0, 255, 20, 0, 0, 255, 0,   255, 7, 255, 255, 255, 7, 255,    // upper row
                             30, 0, 0, 255, 40, 0, 0, 255, 255, 0,   7, 255, 0,   255, 7, 255}};  // lower row
    Image small;
    shrink(large, 2, small);
    EXPECT_EQ(small.width, 2);
    EXPECT_EQ(small.height, 1);
    // By hand: (0.003035 + 0.006995 + 0.012983 + 0.021219) / 4 = 0.011058; the others are 1/2 and 3/4 of the light.
    EXPECT_EQ(small.rgba, (std::vector<std::uint8_t>{27, 0, 0, 255, 188, 225, 7, 255}));
}

TEST(Supersampling, KeepsTheLightOfTheFrame) {
    const OffscreenContext context{-1};
    const Frame frame = cloud(4000);
    SharedBuffer bodies;
    bodies.upload(frame);
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat}) {
        const auto light = [&](int supersampling) {
            ViewSettings view;
            view.mode = mode;
            PictureMaker maker{context.gl_info(), {480, 270, supersampling}, 60};
            maker.draw(bodies, frame, {.target = {0.3, -0.2, 0.1}, .distance = 4}, view);
            const SharedImage image = maker.take();
            double sum = 0;
            for (std::size_t i = 0; i < image->rgba.size(); ++i)
                sum += i % 4 == 3 ? 0 : std::pow(image->rgba[i] / 255.0, 2.2);
            return sum;
        };
        const double plain = light(1);
        for (const int supersampling : {2, 3}) EXPECT_NEAR(light(supersampling) / plain, 1, 0.35) << supersampling;
    }
}

}  // namespace
}  // namespace orrery::test
