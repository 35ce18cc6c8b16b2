// SPDX-License-Identifier: MIT
#include "core/formats/formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "core/formats/fields.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Bytes of numbers in big-endian order.
template <class T>
std::string big(T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    std::ranges::reverse(bytes);
    return {bytes.begin(), bytes.end()};
}

class Ply : public Scratch {
protected:
    std::string header(const std::string& properties, const std::string& more = "") const {
        return "ply\nformat binary_big_endian 1.0\ncomment made elsewhere\nelement vertex 2\n" + properties + more +
               "end_header\n";
    }
};

TEST_F(Ply, ReadsPointsOfOtherPrograms) {
    const std::string points = big(1.0f) + big(2.0f) + big(3.0f) + big(std::uint8_t{7}) + big(-1.0f) + big(0.5f) +
                               big(4.0f) + big(std::uint8_t{255});
    const Scene scene = read_snapshot(
        save("cloud.ply", header("property float32 x\nproperty float y\nproperty float z\nproperty uchar red\n",
                                 "element face 1\nproperty list uchar int vertex_indices\n") +
                              points + "faces"));
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{-1, 0.5, 4, 0.5}));
    EXPECT_EQ(scene.bodies.velocity[0], (Vec3d{}));
    EXPECT_THAT(scene.notes, testing::Contains("cloud.ply: states no masses; each body has 1/N"));
    Scene colored = scene;
    load_fields(path("cloud.ply"), "red", colored);
    EXPECT_EQ(*colored.bodies.fields.at(0).values, (std::vector<float>{7, 255}));
}

TEST_F(Ply, KeepsFieldsAndTheirUnits) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {4, 5, 6}, 7);
    scene.bodies.add({2, 2, 3}, {4, 5, 6}, 7);
    scene.bodies.fields.push_back(make_field("Gas Temperature", "K", {1e4f, NAN}));
    write_snapshot(scene, path("a.ply"));
    const std::vector<FieldInfo> fields = orrery::fields_of(path("a.ply"));
    EXPECT_EQ(fields.back().name, "Gas_Temperature");
    EXPECT_EQ(fields.back().unit, "K");
    Scene back = read_snapshot(path("a.ply"));
    load_fields(path("a.ply"), "Gas_Temperature", back);
    EXPECT_EQ(back.bodies.fields.at(0).values->at(0), 1e4f);
    EXPECT_TRUE(std::isnan(back.bodies.fields.at(0).values->at(1)));
}

TEST_F(Ply, FieldsNamedLikeOtherPropertiesAreRenamed) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {4, 5, 6}, 7);
    for (const char* name : {"mass", "a b", "a_b"}) scene.bodies.fields.push_back(make_field(name, "", {8}));
    write_snapshot(scene, path("c.ply"));
    std::vector<std::string> names;
    for (const FieldInfo& field : orrery::fields_of(path("c.ply"))) names.push_back(field.name);
    EXPECT_EQ(names, (std::vector<std::string>{"x", "y", "z", "vx", "vy", "vz", "mass", "mass_", "a_b", "a_b_"}));
    EXPECT_EQ(read_snapshot(path("c.ply")).bodies.position_mass[0].w, 7);
}

TEST_F(Ply, RefusesByName) {
    const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
    const auto refused = [&](const std::string& text, const char* why) {
        expect_error([&] { read_snapshot(save("b.ply", text)); }, Blame::kUsage, "b.ply", why);
    };
    refused("ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "end_header\n1 2 3\n", "binary PLY");
    refused(header("property float x\nproperty float z\n") + std::string(16, '\0'), "no property y");
    refused(header(xyz + "property float x\n") + std::string(32, '\0'), "two properties 'x'");
    refused(header(xyz + "property list uchar int a\n") + std::string(32, '\0'), "a list");
    refused(header(xyz) + std::string(23, '\0'), "truncated");
    refused(header(xyz) + big(NAN) + std::string(20, '\0'), "body 0");
    refused("ply\nformat binary_little_endian 1.0\nelement vertex 99999999999999999999\n" + xyz + "end_header\n",
            "not a number of vertices");
}

}  // namespace
}  // namespace orrery::test
