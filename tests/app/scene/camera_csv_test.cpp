// SPDX-License-Identifier: MIT
#include "app/scene/camera_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "core/base/error.hpp"

namespace orrery {
namespace {

TEST(CameraCsv, AcceptsColumnsInAnyOrder) {
    const CameraPath path = parse_camera_path("a.csv",
                                              "# a tour\r\nyaw, time,distance,target_z,pitch\r\n90,0,2,0.5,-10\r\n\r\n"
                                              "450,+1.5,4e0,0,10\n");
    ASSERT_EQ(path.keys.size(), 2u);
    EXPECT_EQ(path.keys[0].time, 0);
    EXPECT_EQ(path.keys[1].time, 1.5);
    EXPECT_DOUBLE_EQ(path.keys[0].pose.yaw, std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(path.keys[1].pose.yaw, 5 * std::numbers::pi / 2) << "plus a full turn";
    EXPECT_EQ(path.keys[0].pose.target, glm::dvec3(0, 0, 0.5));
    EXPECT_EQ(path.keys[1].pose.distance, 4);
    EXPECT_EQ(path.keys[0].pose.fov, CameraPose{}.fov) << "default";
    EXPECT_EQ(path.duration(), 1.5);
}

TEST(CameraCsv, ErrorsNameLineAndColumn) {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            parse_camera_path("a.csv", text);
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
            return error.what();
        }
        return "";
    };
    using testing::HasSubstr;
    EXPECT_THAT(refusal(""), HasSubstr("found none"));
    EXPECT_THAT(refusal("time\n"), HasSubstr("found none"));
    EXPECT_THAT(refusal("yaw\n1\n"), HasSubstr("line 1: expected a column time"));
    EXPECT_THAT(refusal("time,roll\n1,2\n"), HasSubstr("found 'roll'"));
    EXPECT_THAT(refusal("time,time\n1,2\n"), HasSubstr("once each"));
    EXPECT_THAT(refusal("time,yaw\n0,1\n1\n"), HasSubstr("line 3: expected 2 numbers, found 1"));
    EXPECT_THAT(refusal("time,pitch\n0,91\n"),
                HasSubstr("line 2: pitch: expected a number from -90 to 90, found '91'"));
    EXPECT_THAT(refusal("time,fov\n0,nan\n"), HasSubstr("fov"));
    EXPECT_THAT(refusal("time,distance\n0,0\n"), HasSubstr("distance"));
    EXPECT_NE(refusal("time\n1\n0\n"), "") << "times must ascend";
    EXPECT_THROW(read_camera_path("/nowhere.csv"), Error);
}

}  // namespace
}  // namespace orrery
