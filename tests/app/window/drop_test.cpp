// SPDX-License-Identifier: MIT
#include <fstream>

#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/drag_source.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

TEST_F(WindowTest, DroppedSnapshotIsLoaded) {
    auto window = open({"plummer", "--bodies", "500"});
    const auto file = window->folder() / "dropped.tipsy";
    write_snapshot(make_preset("plummer", {321, 5}), file);
    EXPECT_TRUE(drop_file(window->display(), file, 800, 400));
    window->wait_for("the snapshot", [](const Json& s) { return s["bodies"] == 321; });
    EXPECT_EQ(window->state("scene"), "dropped.tipsy");
    window->wait_for("steps", [](const Json& s) { return s["step"] > 2; });
}

TEST_F(WindowTest, WhatWasNoticedInAFileIsTold) {
    auto window = open({"plummer", "--bodies", "500"});
    const auto file = window->folder() / "cluster.nemo";
    write_snapshot(make_preset("plummer", {222, 5}), file);
    EXPECT_TRUE(drop_file(window->display(), file, 800, 400));
    window->wait_for("the snapshot", [](const Json& s) { return s["bodies"] == 222; });
    window->wait_for("a note", [](const Json& s) {
        return s["message"].get<std::string>().find("states no units; G = 1") != std::string::npos;
    });
    EXPECT_NE(window->errors().find("note: cluster.nemo"), std::string::npos) << window->errors();
}

TEST_F(WindowTest, MalformedSnapshotIsRefusedAndTheOldSceneGoesOn) {
    auto window = open({"plummer", "--bodies", "500"});
    const auto file = window->folder() / "broken.csv";
    std::ofstream{file} << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,nonsense\n";
    EXPECT_TRUE(drop_file(window->display(), file, 800, 400));
    window->wait_for("a refusal", [](const Json& s) { return s["message"] != ""; });
    const std::string message = window->state("message");
    EXPECT_NE(message.find("broken.csv"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_NE(window->errors().find(message), std::string::npos) << window->errors();
    EXPECT_EQ(window->state("scene"), "plummer");
    EXPECT_EQ(window->state("bodies"), 500);
    const int step = window->state("step");
    window->wait_for("steps go on", [&](const Json& s) { return s["step"] > step + 3; });
}

}  // namespace
}  // namespace orrery::test
