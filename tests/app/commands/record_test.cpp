// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/formats/formats.hpp"
#include "core/gl/info.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class RecordCommand : public CommandTest {
protected:
    std::vector<std::string> arguments(const std::string& output) const {
        return {"record",   "plummer", "--bodies",          "800", "--frames", "12",  "--width", "192",
                "--height", "108",     "--steps-per-frame", "2",   "-o",       output};
    }
    std::string frame(const std::string& prefix, int number) const {
        return content(path(prefix + std::to_string(number) + ".png"));
    }
};

TEST_F(RecordCommand, TwoRunsProduceTheSameBytes) {
    for (const char* pattern : {"a%d.png", "b%d.png"}) {
        const Finished finished = orrery(arguments(pattern));
        ASSERT_EQ(finished.code, 0) << finished.err;
        EXPECT_THAT(finished.out, testing::HasSubstr("12 frames"));
    }
    for (int i = 0; i < 12; ++i) {
        EXPECT_THAT(frame("a", i), testing::StartsWith("\x89PNG")) << i;
        EXPECT_EQ(frame("a", i), frame("b", i)) << i;
        if (i > 0) {
            EXPECT_NE(frame("a", i), frame("a", i - 1)) << "bodies and camera must move";
        }
    }
    EXPECT_FALSE(std::filesystem::exists(path("a12.png")));
}

TEST_F(RecordCommand, DrawsOnlySelectedSpeciesAlsoOfASeries) {
    for (const int time : {0, 1}) {
        std::string text = fmt::format("# t = {}\nm,x,y,z,vx,vy,vz,id,species\n", time);
        for (int i = 0; i < 40; ++i)
            text += fmt::format("0.01,{},{},0,0,0,0,{},{}\n", i % 8 + time, i / 8, i, i % 2 == 0 ? "gas" : "stars");
        save(fmt::format("s{}.csv", time), text);
    }
    save("gas.toml", "[scene]\nfile = \"s0.csv\"\n[view]\nshow_stars = false\n");
    const auto picture = [&](std::vector<std::string> words, const std::string& to) {
        words.insert(words.begin(), "record");
        words.insert(words.end(), {"-o", to, "--width", "192", "--height", "108", "--turn", "0", "--steps", "0"});
        const Finished done = orrery(words);
        EXPECT_EQ(done.code, 0) << done.err;
        return content(path(to));
    };
    const std::string all = picture({"s0.csv"}, "all.png"), gas = picture({"s0.csv", "--show-species", "gas"}, "g.png");
    EXPECT_FALSE(all == gas);
    EXPECT_TRUE(all == picture({"s0.csv", "--show-species", "stars,gas"}, "both.png"));
    EXPECT_TRUE(gas == picture({"--scene", "gas.toml"}, "scene.png"));
    EXPECT_TRUE(gas == picture({"s0.csv", "s1.csv", "--show-species", "gas,halo"}, "series.png"));
    const auto refused = [&](const std::vector<std::string>& words, const char* why) {
        const Finished done = orrery(words);
        EXPECT_EQ(done.code, 2);
        EXPECT_THAT(done.err, testing::HasSubstr(why));
    };
    refused({"record", "plummer", "--bodies", "9", "--show-species", "gas", "-o", "x.png", "--steps", "0"},
            "--show-species: the scene does not state the species of its bodies");
    refused({"record", "s0.csv", "--show-species", "dust", "-o", "x.png", "--steps", "0"}, "--show-species");
}

/// A body at any of its images, a middle given by coordinates, a body, a halo or a scene file: the same bytes.
TEST_F(RecordCommand, DrawsAPeriodicBox) {
    std::string here = "# orrery: box=8\nm,x,y,z,vx,vy,vz\n", there = here;
    for (int i = 0; i < 60; ++i) {
        const double x = 0.125 * i, y = 0.25 * (i % 30), z = 0.5 * (i % 14);
        here += fmt::format("1,{},{},{},0,0,0\n", x, y, z);
        there += fmt::format("1,{},{},{},0,0,0\n", x + 8 * (i % 3 - 1), y - 8, z + 16 * (i % 2));
    }
    save("here.csv", here), save("there.csv", there);
    save("list.list", "#ID DescID Mvir Rvir Np X Y Z\n#a = 1.0\n7 -1 40 500 40 0.125 0.25 0.5\n");
    save("box.toml", "[scene]\nfile = \"here.csv\"\n[view]\nrecentre = \"0.125, 0.25, 0.5\"\ntiles = 2\n");
    const auto picture = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "record");
        words.insert(words.end(), {"-o", "box.png", "--width", "96", "--height", "54", "--steps", "0", "--mode",
                                   "splat", "--exposure-by", "bodies"});
        const Finished done = orrery(words);
        EXPECT_EQ(done.code, 0) << done.err;
        return content(path("box.png"));
    };
    const std::string wrapped = picture({"here.csv", "--wrap"}), at = "0.125,0.25,0.5";
    EXPECT_TRUE(picture({"there.csv", "--wrap"}) == wrapped);
    const std::string recentred = picture({"here.csv", "--recentre", at});
    EXPECT_FALSE(recentred == wrapped);
    EXPECT_TRUE(picture({"there.csv", "--recentre", at}) == recentred);
    EXPECT_TRUE(picture({"here.csv", "--recentre", "body 1"}) == recentred);
    const std::string tiles = picture({"here.csv", "--recentre", at, "--tiles", "2"});
    EXPECT_FALSE(tiles == recentred);
    EXPECT_TRUE(picture({"box.toml"}) == tiles);
    const std::vector<std::string> halo{"--halos", "list.list", "--halo", "7", "--halo-circles", "0"};
    std::vector<std::string> typed{"here.csv", "--recentre", at}, found{"here.csv", "--recentre", "halo"};
    typed.insert(typed.end(), halo.begin(), halo.end()), found.insert(found.end(), halo.begin(), halo.end());
    EXPECT_TRUE(picture(found) == picture(typed));
    const Finished none = orrery({"record", "plummer", "--bodies", "100", "--tiles", "2", "-o", "none.png"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, testing::HasSubstr("states no periodic box; give its edge with --box"));
}

TEST_F(RecordCommand, AutoEngineDoesNotDependOnTimings) {
    for (const char* pattern : {"a%d.png", "b%d.png"}) {
        auto all = arguments(pattern);
        all.insert(all.end(), {"--engine", "auto", "--backend", "cpu"});
        const Finished finished = orrery(all);
        ASSERT_EQ(finished.code, 0) << finished.err;
        EXPECT_THAT(finished.out, testing::HasSubstr("by the number of bodies alone"));
    }
    for (int i = 0; i < 12; ++i) EXPECT_EQ(frame("a", i), frame("b", i)) << i;
}

TEST_F(RecordCommand, VideoLastsAsLongAsTheCameraPath) {
    std::ofstream{path("path.toml")} << "[scene]\npreset = \"figure-eight\"\n[camera]\npath = [\n"
                                        "  { time = 0, distance = 4 },\n  { time = 3, distance = 2 },\n]\n";
    const Finished film =
        orrery({"record", "path.toml", "-o", "f%d.png", "--fps", "2", "--width", "32", "--height", "32"});
    ASSERT_EQ(film.code, 0) << film.err;
    EXPECT_THAT(film.out, testing::HasSubstr("6 frames (3.0 s"));
}

/// GIF stores times in hundredths of a second, and MP4 needs even sizes.
TEST_F(RecordCommand, ReportsActualSizeAndFrameRate) {
    const Finished gif = orrery({"record", "figure-eight", "-o", "a.gif", "--duration", "1", "--width", "33",
                                 "--height", "32", "--backend", "cpu"});
    ASSERT_EQ(gif.code, 0) << gif.err;
    EXPECT_THAT(gif.out, testing::HasSubstr("50 frames (1.0 s at 50 per second) of 33 × 32"));
    const Finished mp4 = orrery({"record", "figure-eight", "-o", "a.mp4", "--frames", "2", "--width", "129", "--height",
                                 "71", "--backend", "cpu"});
    ASSERT_EQ(mp4.code, 0) << mp4.err;
    EXPECT_THAT(mp4.out, testing::HasSubstr("of 130 × 72"));
    ASSERT_EQ(orrery({"record", "figure-eight", "-o", "100%done.png", "--steps", "0", "--width", "32", "--height", "32",
                      "--backend", "cpu"})
                  .code,
              0);
    EXPECT_TRUE(std::filesystem::exists(path("100%done.png")));
}

TEST_F(RecordCommand, CosmologicalSeriesReportScaleFactorAndRedshift) {
    for (const double a : {0.25, 0.5}) {
        Scene scene;
        scene.bodies.add({a, 0, 0}, {}, 1), scene.bodies.add({-a, 0, 0}, {}, 1);
        scene.time = scene.scale_factor = a, scene.days_per_time = 3.57e11;
        write_snapshot(scene, path(a < 0.5 ? "a0.csv" : "a1.csv"));
    }
    const Finished film = orrery(
        {"record", "a*.csv", "-o", "f%d.png", "--frames", "3", "--width", "64", "--height", "64", "--backend", "cpu"});
    ASSERT_EQ(film.code, 0) << film.err;
    EXPECT_THAT(film.out, testing::HasSubstr("played to a = 0.5, z = 1"));
}

TEST_F(RecordCommand, FramesSpanTheWholeSeries) {
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "300", "--dt", "0.01", "--steps", "20", "--backend", "cpu",
                      "--no-energy", "--snapshots", "s%02d.csv", "--snapshots-every", "5"})
                  .code,
              0);
    const std::vector<std::string> size{"--width", "192", "--height", "108", "--turn", "0"};
    const auto film = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "record");
        words.insert(words.end(), size.begin(), size.end());
        return orrery(words);
    };
    const Finished done = film({"s*.csv", "-o", "a%d.png", "--frames", "5"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.out, testing::HasSubstr("played to t = 0.2"));
    // A list in another order is the same series; one snapshot gives the same frame.
    ASSERT_EQ(film({"s02.csv", "s04.csv", "s00.csv", "s01.csv", "s03.csv", "-o", "b%d.png", "--frames", "5"}).code, 0);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(frame("a", i), frame("b", i)) << i;
    EXPECT_NE(frame("a", 4), frame("a", 0));
    ASSERT_EQ(film({"s00.csv", "-o", "one.png", "--steps", "0"}).code, 0);
    EXPECT_EQ(frame("a", 0), content(path("one.png")));
    // A still of a series shows its first snapshot, or its state at a given time.
    ASSERT_EQ(film({"s*.csv", "-o", "first.png", "--steps", "0"}).code, 0);
    EXPECT_EQ(frame("a", 0), content(path("first.png")));
    const Finished middle = film({"s*.csv", "-o", "middle.png", "--until", "0.1"});
    ASSERT_EQ(middle.code, 0) << middle.err;
    EXPECT_THAT(middle.out, testing::HasSubstr("played to t = 0.1"));
    ASSERT_EQ(film({"s*.csv", "-o", "last.png", "--until", "0.2"}).code, 0);
    ASSERT_EQ(film({"s04.csv", "-o", "fifth.png", "--steps", "0"}).code, 0);
    EXPECT_TRUE(content(path("fifth.png")) == content(path("last.png")));
    EXPECT_FALSE(content(path("middle.png")) == content(path("last.png")));
    // A video up to a time, of five seconds.
    const Finished part = film({"s*.csv", "-o", "part%d.png", "--until", "0.1", "--fps", "1"});
    ASSERT_EQ(part.code, 0) << part.err;
    EXPECT_THAT(part.out, testing::HasSubstr("5 frames"));
    EXPECT_THAT(part.out, testing::HasSubstr("played to t = 0.1"));
    EXPECT_TRUE(frame("part", 0) == frame("a", 0));
    EXPECT_FALSE(frame("part", 4) == frame("part", 0));
    EXPECT_FALSE(std::filesystem::exists(path("part5.png")));
    const Finished late = film({"s*.csv", "-o", "late.png", "--until", "9"});
    EXPECT_EQ(late.code, 2);
    EXPECT_THAT(late.err, testing::HasSubstr("ends at 0.2, which is earlier"));
    const Finished refused = film({"s*.csv", "-o", "c%d.png", "--steps", "5"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, testing::HasSubstr("spread over all of it"));
    for (const char* command : {"run", "check"}) {
        const Finished alone = orrery({command, "s*.csv", "--backend", "cpu"});
        EXPECT_EQ(alone.code, 2) << command;
        EXPECT_EQ(alone.error_lines(), 1u) << alone.err;
    }
}

/// A plays the series; B is computed from its first snapshot.
TEST_F(RecordCommand, ComparesASeriesWithAComputedRun) {
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "300", "--dt", "0.01", "--steps", "20", "--backend", "cpu",
                      "--precision", "double", "--no-energy", "--snapshots", "s%02d.csv", "--snapshots-every", "5"})
                  .code,
              0);
    const auto filmed = [&](const std::string& name, const std::string& compare) {
        std::ofstream{path(name + ".toml")} << "[scene]\nfile = \"s*.csv\"\ndt = 0.01\n\n" << compare;
        const Finished done =
            orrery({"record", name + ".toml", "-o", name + "%d.png", "--frames", "3", "--width", "192", "--height",
                    "108", "--turn", "0", "--precision", "double", "--backend", "cpu"});
        EXPECT_EQ(done.code, 0) << done.err;
        return std::array{frame(name, 0), frame(name, 2)};
    };
    const std::string b = "[compare]\nprecision = \"double\"\nbackend = \"cpu\"\nmode = \"flip\"\n";
    const auto of_a = filmed("a", b + "show_b = false\n"), of_b = filmed("b", b + "show_b = true\n"),
               parted = filmed("c", b + "show_b = true\nsoftening = 0.5\n");
    EXPECT_FALSE(of_a[0] == of_a[1]);
    EXPECT_FALSE(of_a[0] == of_b[0]) << "captions must differ";
    EXPECT_FALSE(of_b[1] == parted[1]);
}

TEST_F(RecordCommand, ReportsTimesPerStage) {
    auto all = arguments("p%d.png");
    all.push_back("--json");
    const auto made = json(all);
    EXPECT_EQ(made.at("pictures"), 12);
    EXPECT_EQ(made.at("steps"), 22);
    EXPECT_EQ(made.at("width"), 192);
    for (const char* key :
         {"path", "scene", "engine", "backend", "precision", "choice", "recorder", "readback", "why_not_cuda", "way",
          "why_copied", "renderer", "context", "device", "cpu", "driver", "version", "commit"})
        EXPECT_TRUE(made.at(key).is_string()) << key;
    const auto& times = made.at("ms_per_picture");
    for (const char* stage : {"frame", "step", "draw", "copy", "encode"}) EXPECT_GT(times.at(stage), 0) << stage;
    for (const char* stage : {"wait", "gl"}) EXPECT_GE(times.at(stage), 0) << stage;
    EXPECT_LE(11 * times["frame"].get<double>(), 1000 * made.at("seconds").get<double>());
}

/// The device that draws computes, or another one: the second way copies each frame through host memory.
TEST_F(RecordCommand, FramesOfOpenGlEnginesAreDrawnWithoutACopy) {
    const GlComputeInfo& gl = gl_compute_info();
    if (!gl.available || gl.devices.size() < 2) GTEST_SKIP() << "needs two OpenGL devices";
    const auto made = [&](const char* to, const std::string& device) {
        auto all = arguments(to);
        all.insert(all.end(), {"--engine", "direct", "--backend", "gl", "--gl-device", device, "--json"});
        *std::ranges::find(all, "800") = "5000";
        *std::ranges::find(all, "12") = "3";
        return json(all);
    };
    const auto shared = made("a%d.png", choice_of(gl.devices[0])), copied = made("b%d.png", choice_of(gl.devices[1]));
    EXPECT_EQ(shared.at("way"), "shared") << shared.at("why_copied");
    EXPECT_EQ(copied.at("way"), "host");
    EXPECT_NE(copied.at("why_copied"), "");
    const std::uint64_t positions = 5000 * 16, sample = 1024 * 16;
    EXPECT_LT(shared.at("gl_bytes_per_picture").at("read"), sample + 1000);
    EXPECT_GE(copied.at("gl_bytes_per_picture").at("read"), positions);
    EXPECT_LT(shared.at("gl_bytes_per_picture").at("written"), 1000);
    if (shared.at("device") == copied.at("device")) {
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(frame("a", i) == frame("b", i)) << i;
    }
}

/// With this time step the bodies leave the range of single precision after a few frames.
TEST_F(RecordCommand, OpenShutterBlursMotionAndTakesNoOtherSteps) {
    const auto recorded = [&](std::vector<std::string> more, const std::string& to) {
        std::vector<std::string> words{"record",  "plummer", "--bodies", "300", "--frames",          "3",
                                       "--width", "96",      "--height", "54",  "--steps-per-frame", "2",
                                       "--glow",  "0",       "-o",       to};
        words.insert(words.end(), more.begin(), more.end());
        const Finished done = orrery(words);
        EXPECT_EQ(done.code, 0) << done.err;
    };
    recorded({}, "sharp%d.png");
    recorded({"--shutter", "0"}, "none%d.png");
    recorded({"--shutter", "1", "--shutter-samples", "4"}, "open%d.png");
    recorded({"--shutter", "1", "--shutter-samples", "4"}, "again%d.png");
    // Nearly closed: the frame's own time.
    recorded({"--shutter", "1e-6", "--shutter-samples", "1"}, "short%d.png");
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(frame("none", i) == frame("sharp", i)) << i;
        EXPECT_TRUE(frame("short", i) == frame("sharp", i)) << "the frames show the same steps: " << i;
        EXPECT_FALSE(frame("open", i) == frame("sharp", i)) << i;
        EXPECT_TRUE(frame("open", i) == frame("again", i)) << i;
    }
}

TEST_F(RecordCommand, RefusesMotionBlurWhereItIsImpossible) {
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--shutter", "1.5"},
                                                 {"--shutter", "-0.1"},
                                                 {"--shutter-samples", "0"},
                                                 {"--motion-vectors"},
                                                 {"--shutter", "0.5", "--lens", "stereo"}}) {
        std::vector<std::string> words{"record", "plummer", "--bodies", "50", "--frames", "1", "-o", "a.png"};
        words.insert(words.end(), more.begin(), more.end());
        const Finished done = orrery(words);
        EXPECT_EQ(done.code, 2) << more.back();
        EXPECT_EQ(done.error_lines(), 1u) << done.err;
    }
}

TEST_F(RecordCommand, ErrorKeepsEarlierFrames) {
    const Finished finished = orrery({"record",   "figure-eight", "--dt",        "1e9",    "--backend",         "cpu",
                                      "--engine", "direct",       "--precision", "single", "--steps-per-frame", "1",
                                      "--frames", "50",           "--width",     "64",     "--height",          "64",
                                      "-o",       "p%02d.png"});
    EXPECT_EQ(finished.code, 3);
    EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("is no longer finite after step "));
    int pictures = 0;
    while (std::filesystem::exists(path(fmt::format("p{:02}.png", pictures)))) ++pictures;
    EXPECT_THAT(finished.err, testing::HasSubstr(fmt::format("after step {} ", pictures)))
        << "one frame of each finite state";
    EXPECT_GE(pictures, 2);
}

TEST_F(RecordCommand, UnwritableFrameEndsTheSequence) {
    std::filesystem::create_directory(path("p5.png"));
    const Finished finished = orrery(arguments("p%d.png"));
    EXPECT_EQ(finished.code, 3);
    EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("p5.png: is a folder"));
    for (int i = 0; i < 12; ++i)
        EXPECT_EQ(std::filesystem::is_regular_file(path(fmt::format("p{}.png", i))), i < 5) << i;
}

TEST_F(RecordCommand, StillShowsTheStateAfterItsSteps) {
    for (const char* steps : {"0", "30"}) {
        const Finished finished = orrery({"record", "cold-sphere", "--bodies", "500", "--steps", steps, "--width",
                                          "160", "--height", "90", "-o", std::string{"after"} + steps + ".png"});
        ASSERT_EQ(finished.code, 0) << finished.err;
    }
    EXPECT_NE(frame("after", 0), frame("after", 30));
}

TEST_F(RecordCommand, SmoothedFramesAreReproducibleAndDifferByLens) {
    const auto picture = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> all{"record",   "plummer", "--bodies", "3000",     "--steps", "2",  "--mode",
                                     "smoothed", "--width", "160",      "--height", "80",      "-o", name};
        all.insert(all.end(), more.begin(), more.end());
        const Finished finished = orrery(all);
        EXPECT_EQ(finished.code, 0) << finished.err;
        return content(path(name));
    };
    const std::string flat = picture("a.png", {});
    EXPECT_EQ(picture("b.png", {}), flat);
    EXPECT_NE(picture("c.png", {"--exposure-by", "bodies"}), flat);
    for (const char* lens : {"stereo", "panorama", "dome"}) EXPECT_NE(picture("d.png", {"--lens", lens}), flat) << lens;
    EXPECT_GT(picture("e.png", {"--bits", "16"}).size(), flat.size());
    const Finished refused = orrery({"record", "plummer", "--steps", "0", "--lens", "dome", "--grid", "-o", "f.png"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, testing::HasSubstr("grid"));
    EXPECT_FALSE(std::filesystem::exists(path("f.png")));
}

TEST_F(RecordCommand, StepsDetermineTheNumberOfFrames) {
    const Finished finished = orrery({"record", "figure-eight", "--steps", "10", "--steps-per-frame", "5", "--width",
                                      "64", "--height", "64", "-o", "p%02d.png"});
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_TRUE(std::filesystem::exists(path("p02.png"))) << "the initial state and two more";
    EXPECT_FALSE(std::filesystem::exists(path("p03.png")));
}

TEST_F(RecordCommand, WritesItsStateForScripts) {
    auto all = arguments("p%d.png");
    all.insert(all.end(), {"--ui-map", "map.json"});
    ASSERT_EQ(orrery(all).code, 0);
    const auto map = nlohmann::json::parse(content(path("map.json")));
    EXPECT_TRUE(map.at("widgets").is_object());
    EXPECT_EQ(map.at("state").at("scene"), "plummer");
    EXPECT_EQ(map["state"].at("bodies"), 800);
    EXPECT_EQ(map["state"].at("step"), 22) << "after the twelfth frame, 11 · 2 steps";
    EXPECT_EQ(map["state"].at("recording"), true);
}

TEST_F(RecordCommand, ForceErrorsAreReproducible) {
    for (const std::string prefix : {"a", "b", "bare"}) {
        auto all = arguments(prefix + "%d.png");
        all.insert(all.end(), {"--engine", "tree", "--backend", "cpu"});
        if (prefix != "bare") all.insert(all.end(), {"--color-by", "error"});
        const Finished finished = orrery(all);
        ASSERT_EQ(finished.code, 0) << finished.err;
    }
    for (int i = 0; i < 12; ++i) {
        EXPECT_EQ(frame("a", i), frame("b", i)) << i;
        EXPECT_NE(frame("a", i), frame("bare", i)) << i;
    }
}

TEST_F(RecordCommand, OctreeIsReproducible) {
    for (const std::string prefix : {"a", "b", "bare"}) {
        auto all = arguments(prefix + "%d.png");
        all.insert(all.end(), {"--engine", "tree", "--backend", "cpu"});
        if (prefix != "bare") all.push_back("--octree");
        const Finished finished = orrery(all);
        ASSERT_EQ(finished.code, 0) << finished.err;
    }
    for (int i = 0; i < 12; ++i) {
        EXPECT_EQ(frame("a", i), frame("b", i)) << i;
        EXPECT_NE(frame("a", i), frame("bare", i)) << i << ": the first frame must show its tree too";
    }
}

TEST_F(RecordCommand, OctreeDoesNotChangeTheBodies) {
    for (const std::string name : {"with", "without"}) {
        std::vector<std::string> all{"record", "plummer", "--bodies", "800",      "--steps", "20",        "--engine",
                                     "tree",   "--width", "96",       "--height", "54",      "--backend", "cpu"};
        if (name == "with") all.insert(all.end(), {"--octree", "--octree-opacity", "0"});
        all.insert(all.end(), {"-o", name + ".png"});
        ASSERT_EQ(orrery(all).code, 0);
    }
    EXPECT_EQ(content(path("with.png")), content(path("without.png")));
}

TEST_F(RecordCommand, RefusesOctreeOfAnEngineWithoutATree) {
    auto all = arguments("c%d.png");
    all.insert(all.end(), {"--engine", "direct", "--backend", "cpu", "--octree"});
    const Finished refused = orrery(all);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, testing::HasSubstr("engine 'direct' on cpu has no tree"));
    EXPECT_EQ(refused.error_lines(), 1u);
}

TEST_F(RecordCommand, InterruptFinishesCleanly) {
    const Finished finished = orrery({"record", "plummer", "--bodies", "500", "--frames", "1000000", "--width", "64",
                                      "--height", "64", "-o", "p%d.png"},
                                     {.signal_when = "p0.png"});
    EXPECT_EQ(finished.code, 128 + SIGINT) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("interrupted after frame"));
    EXPECT_TRUE(std::filesystem::exists(path("p0.png")));
}

}  // namespace
}  // namespace orrery::test
