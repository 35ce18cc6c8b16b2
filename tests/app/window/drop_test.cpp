// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/drag_source.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

/// The tests share a window, so refusals of files, which keep this scene, come first.
const std::vector<std::string> kScene{"plummer", "--bodies", "500"};

class DropWindow : public WindowTest {};

TEST_F(DropWindow, MalformedSnapshotIsRefusedAndTheSceneContinues) {
    WindowDriver& window = shared(kScene);
    const auto file = window.folder() / "broken.csv";
    std::ofstream{file} << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,nonsense\n";
    EXPECT_TRUE(drop_file(window.display(), file, 640, 320));
    window.wait_for("a refusal", [](const Json& s) { return s["message"] != ""; });
    const std::string message = window.state("message");
    EXPECT_NE(message.find("broken.csv"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_NE(window.errors().find(message), std::string::npos) << window.errors();
    EXPECT_EQ(window.state("scene"), "plummer");
    EXPECT_EQ(window.state("bodies"), 500);
    const int step = window.state("step");
    window.wait_for("more steps", [&](const Json& s) { return s["step"] > step + 3; });
}

/// Each of these files crashes the HDF5 library, which runs in a separate process.
TEST_F(DropWindow, FilesThatCrashTheReaderAreRefused) {
    if (const std::string_view why = format("gadget-hdf5").why_not; !why.empty()) GTEST_SKIP() << why;
    WindowDriver& window = shared(kScene);
    int dropped = 0;
    for (const auto& entry : std::filesystem::directory_iterator{ORRERY_CORPUS "/gadget-hdf5"}) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("crash-")) continue;
        const auto file = window.folder() / (name + ".hdf5");
        std::filesystem::copy_file(entry.path(), file);
        EXPECT_TRUE(drop_file(window.display(), file, 640, 320));
        window.wait_for(name + " is refused",
                        [&](const Json& s) { return s["message"].get<std::string>().find(name) != std::string::npos; });
        if (++dropped == 4) break;
    }
    EXPECT_EQ(dropped, 4);
    EXPECT_EQ(window.state("scene"), "plummer");
    const int step = window.state("step");
    window.wait_for("more steps", [&](const Json& s) { return s["step"] > step + 3; });
}

TEST_F(DropWindow, DroppedSnapshotIsLoaded) {
    WindowDriver& window = shared(kScene);
    const auto file = window.folder() / "dropped.tipsy";
    write_snapshot(make_preset("plummer", {321, 5}), file);
    EXPECT_TRUE(drop_file(window.display(), file, 640, 320));
    window.wait_for("the snapshot", [](const Json& s) { return s["bodies"] == 321; });
    EXPECT_EQ(window.state("scene"), "dropped.tipsy");
    EXPECT_EQ(window.state("waits_for_start"), true) << "its dt is estimated";
    window.click("Start");
    window.wait_for("steps", [](const Json& s) { return s["step"] > 2; });
}

TEST_F(DropWindow, DroppedFolderIsPlayed) {
    WindowDriver& window = shared(kScene);
    const auto folder = window.folder() / "run";
    std::filesystem::create_directory(folder);
    for (const double time : {0.0, 1.0}) {
        Scene scene = make_preset("plummer", {111, 5});
        scene.time = time;
        write_snapshot(scene, folder / fmt::format("at{}.csv", time));
    }
    EXPECT_TRUE(drop_file(window.display(), folder, 640, 320));
    window.wait_for("the series", [](const Json& s) { return s["bodies"] == 111 && s["series"].is_object(); });
}

TEST_F(DropWindow, DroppedSnapshotsFormASeries) {
    WindowDriver& window = shared(kScene);
    std::vector<std::filesystem::path> files;
    for (const double time : {2.0, 0.0, 1.0}) {
        files.push_back(window.folder() / fmt::format("at{}.csv", time));
        Scene scene = make_preset("plummer", {112, 5});
        scene.time = time;
        write_snapshot(scene, files.back());
    }
    EXPECT_TRUE(drop_files(window.display(), files, 640, 320));
    window.wait_for("the series", [](const Json& s) { return s["bodies"] == 112 && s["series"].is_object(); });
}

TEST_F(DropWindow, DroppedFilesWithOtherBodiesAreOmittedAndNamed) {
    WindowDriver& window = shared(kScene);
    std::vector<std::filesystem::path> files;
    for (const int bodies : {111, 222, 333}) {
        files.push_back(window.folder() / fmt::format("of{}.csv", bodies));
        write_snapshot(make_preset("plummer", {static_cast<std::size_t>(bodies), 5}), files.back());
    }
    EXPECT_TRUE(drop_files(window.display(), files, 640, 320));
    window.wait_for("the first of them", [](const Json& s) { return s["bodies"] == 111; });
    window.wait_for("the omitted file", [](const Json& s) {
        return s["message"].get<std::string>().ends_with("of333.csv: holds 333 bodies, the series 111");
    });
}

TEST_F(DropWindow, NotesOnADroppedFileAreShown) {
    WindowDriver& window = shared(kScene);
    const auto file = window.folder() / "cluster.nemo";
    write_snapshot(make_preset("plummer", {222, 5}), file);
    EXPECT_TRUE(drop_file(window.display(), file, 640, 320));
    window.wait_for("the snapshot", [](const Json& s) { return s["bodies"] == 222; });
    window.wait_for("its card", [](const Json& s) { return s["waits_for_start"] == true; });
    EXPECT_NE(window.state("notes").dump().find("states no units; G = 1"), std::string::npos);
    window.wait_for("its button", [&](const Json&) { return window.shows("Start"); });
    EXPECT_NE(window.errors().find("note: cluster.nemo"), std::string::npos) << window.errors();
}

}  // namespace
}  // namespace orrery::test
