// SPDX-License-Identifier: MIT
// Clouds created and recorded by the program.
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/commands/process.hpp"
#include "tests/support/read_png.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

/// A snapshot of 60 000 bodies at rest, its cloud, and a camera that views both from the same place.
class CloudCommand : public CommandTest {
protected:
    void SetUp() override {
        write_snapshot(make_preset("cold-sphere", {.bodies = 60'000}), path("all.tipsy"));
        const Finished made = orrery({"convert", "all.tipsy", "-o", "all.cloud"});
        ASSERT_EQ(made.code, 0) << made.err;
        EXPECT_THAT(made.out, HasSubstr("60000 bodies"));
        std::ofstream{path("camera.csv")} << "time,target_x,target_y,target_z,distance,yaw,pitch,fov\n"
                                             "0,0,0,0,3,30,20,45\n1,0,0,0,3,40,20,45\n";
    }
    Finished recorded(const std::string& source, const std::string& to, std::vector<std::string> more = {}) const {
        std::vector<std::string> all{"record", source,  "-o",     to,  "--width",       "320",        "--height", "180",
                                     "--mode", "splat", "--glow", "0", "--camera-path", "camera.csv", "--white",  "8"};
        all.insert(all.end(), more.begin(), more.end());
        return orrery(all);
    }
    /// Total light of a frame with a linear tone curve.
    double light(const std::string& png) const {
        double sum = 0;
        for (const std::uint8_t byte : read_png(path(png)).rgba) {
            const double value = byte / 255.0;
            sum += value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        }
        const Image image = read_png(path(png));
        return sum - static_cast<double>(image.width) * image.height;  // without opacity
    }
};

TEST_F(CloudCommand, AtFullDepthEqualsTheSnapshot) {
    ASSERT_EQ(recorded("all.tipsy", "snapshot.png").code, 0);
    const Finished cloud = recorded("all.cloud", "cloud.png", {"--cloud-bodies", "1", "--cloud-spacing", "0"});
    ASSERT_EQ(cloud.code, 0) << cloud.err;
    EXPECT_THAT(cloud.out, HasSubstr("60000 of 60000 bodies shown, each for 1 or fewer, 0 pixels apart"));
    EXPECT_TRUE(content(path("snapshot.png")) == content(path("cloud.png")));
    ASSERT_EQ(recorded("all.cloud", "again.png", {"--cloud-bodies", "1", "--cloud-spacing", "0"}).code, 0);
    EXPECT_TRUE(content(path("cloud.png")) == content(path("again.png")));
}

TEST_F(CloudCommand, FieldsColorAsInTheSnapshot) {
    const Scene scene = make_preset("cold-sphere", {.bodies = 20'000});
    Scene warm = scene;
    std::vector<float> heat, other;
    for (const Vec4d& p : scene.bodies.position_mass)  // two values: any sample has the same range
        heat.push_back(p.z > 0 ? 1.0f : 0.0f), other.push_back(1);
    warm.bodies.fields = {make_field("heat", "K", heat), make_field("other", "", other)};
    write_snapshot(warm, path("warm.ply"));
    const Finished made = orrery({"convert", "warm.ply", "-o", "warm.cloud", "--fields", "other,heat"});
    ASSERT_EQ(made.code, 0) << made.err;
    const Finished listed = orrery({"fields", "warm.cloud"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_THAT(listed.out, testing::ContainsRegex("heat +float32 +K +20000"));
    EXPECT_THAT(listed.out, testing::ContainsRegex("other +float32 +20000"));
    EXPECT_THAT(orrery({"fields", "all.cloud"}).out, HasSubstr("no fields"));
    const std::vector<std::string> all{"--fields", "heat", "--cloud-bodies", "1", "--cloud-spacing", "0"};
    ASSERT_EQ(recorded("warm.ply", "snapshot.png", all).code, 0);
    const Finished cloud = recorded("warm.cloud", "cloud.png", all);
    ASSERT_EQ(cloud.code, 0) << cloud.err;
    EXPECT_TRUE(content(path("snapshot.png")) == content(path("cloud.png")));
    ASSERT_EQ(recorded("warm.cloud", "speed.png", {"--cloud-bodies", "1", "--cloud-spacing", "0"}).code, 0);
    EXPECT_FALSE(content(path("speed.png")) == content(path("cloud.png")));
    const Finished none = recorded("warm.cloud", "none.png", {"--fields", "cold"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("has no field cold; it has other, heat"));
    const Finished plain = recorded("all.cloud", "none.png", {"--color-by", "field"});
    EXPECT_EQ(plain.code, 2);
    EXPECT_THAT(plain.err, HasSubstr("no fields"));
}

TEST_F(CloudCommand, CoarseFrameKeepsTheLight) {
    const std::vector<std::string> linear{"--exposure", "-3", "--tone-map", "clamp", "--stretch", "0.001"};
    auto coarse = linear;
    coarse.insert(coarse.end(), {"--cloud-bodies", "0.03", "--cloud-spacing", "0"});
    ASSERT_EQ(recorded("all.tipsy", "all.png", linear).code, 0);
    ASSERT_EQ(recorded("all.cloud", "coarse.png", coarse).code, 0);
    const double all = light("all.png");
    EXPECT_GT(all, 10);
    EXPECT_NEAR(light("coarse.png"), all, 0.04 * all);
    EXPECT_FALSE(content(path("coarse.png")) == content(path("all.png")));
}

/// A still is a recording without steps and equals one made with --steps 0; in a sequence it is the first frame.
TEST_F(CloudCommand, StillHasNoStepsAndFlightLastsAsLongAsItsPath) {
    ASSERT_EQ(recorded("all.cloud", "still.png").code, 0);
    const Finished none = recorded("all.cloud", "none.png", {"--steps", "0"});
    ASSERT_EQ(none.code, 0) << none.err;
    EXPECT_TRUE(content(path("none.png")) == content(path("still.png")));
    ASSERT_EQ(recorded("all.cloud", "of_%d.png", {"--steps", "0"}).code, 0);
    EXPECT_TRUE(content(path("of_0.png")) == content(path("still.png")));
    EXPECT_FALSE(std::filesystem::exists(path("of_1.png")));

    // The path's keys are one second apart, here and in a scene file.
    ASSERT_EQ(recorded("all.cloud", "flight_%d.png", {"--fps", "3"}).code, 0);
    std::ofstream{path("flight.toml")} << "[scene]\nfile = \"all.cloud\"\n[camera]\npath = [\n"
                                          "{ time = 0, distance = 3, yaw = 30, pitch = 20, fov = 45 },\n"
                                          "{ time = 1, distance = 3, yaw = 40, pitch = 20, fov = 45 } ]\n";
    const Finished scene = orrery({"record", "flight.toml", "-o", "scene_%d.png", "--width", "320", "--height", "180",
                                   "--fps", "3", "--mode", "splat", "--glow", "0", "--white", "8"});
    ASSERT_EQ(scene.code, 0) << scene.err;
    for (const int i : {0, 1, 2}) {
        const std::string flown = content(path(fmt::format("flight_{}.png", i)));
        EXPECT_TRUE(content(path(fmt::format("scene_{}.png", i))) == flown) << i;
        EXPECT_EQ(flown == content(path("still.png")), i == 0);
    }
    EXPECT_FALSE(std::filesystem::exists(path("flight_3.png")) || std::filesystem::exists(path("scene_3.png")));
}

TEST_F(CloudCommand, RefusesUnsupportedOperations) {
    const auto refused = [](const Finished& f, const std::string& why) {
        EXPECT_EQ(f.code, 2);
        EXPECT_EQ(f.error_lines(), 1u) << f.err;
        EXPECT_THAT(f.err, HasSubstr(why));
    };
    refused(orrery({"run", "all.cloud", "--steps", "1"}), "clouds are view-only");
    refused(orrery({"convert", "all.cloud", "back.tipsy"}), "clouds are view-only");
    refused(recorded("all.cloud", "x.png", {"--steps", "3"}), "clouds are view-only");
    refused(recorded("all.cloud", "x.png", {"--until", "3"}), "--steps 0, a still picture");
    refused(recorded("all.cloud", "x.png", {"--color-by", "potential"}),
            "stores only speeds, masses, species and fields");
    refused(recorded("all.cloud", "x.png", {"--show-species", "gas"}), "species of a cloud are not hidden");
    refused(orrery({"convert", "all.tipsy", "all.tipsy", "-o", "twice.tipsy"}), "holds one snapshot of several");
    refused(orrery({"convert", "all.tipsy"}), "no file to write");
    const std::string whole = content(path("all.cloud"));
    save("cut.cloud", whole.substr(0, whole.size() / 2));
    refused(recorded("cut.cloud", "x.png"), "cut.cloud: byte");
    std::string damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    save("damaged.cloud", damaged);
    refused(recorded("damaged.cloud", "x.png", {"--cloud-bodies", "1", "--cloud-spacing", "0"}), "checksum");
    EXPECT_FALSE(std::filesystem::exists(path("x.png")));
}

}  // namespace
}  // namespace orrery::test
