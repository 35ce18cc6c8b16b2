// SPDX-License-Identifier: MIT
#include <csignal>

#include "tests/app/commands/process.hpp"
#include "tests/support/slowness.hpp"

namespace orrery::test {
namespace {

class FramesCommand : public CommandTest {};

TEST_F(FramesCommand, ReportHasAllKeys) {
    const double asked = 0.2 * slowness();
    const auto survey = json({"frames", "--bodies", "300", "--engine", "half", "--backend", "cpu", "--seconds",
                              std::to_string(asked), "--width", "160", "--height", "90", "--json"});
    for (const char* key : {"engine", "backend", "map", "root", "precision", "way", "why_not_interop", "renderer",
                            "context", "choice", "device", "cpu", "driver", "compiler", "version", "commit"})
        EXPECT_TRUE(survey.at(key).is_string()) << key;
    EXPECT_EQ(survey.at("scene"), "plummer");
    EXPECT_EQ(survey.at("bodies"), 300);
    EXPECT_EQ(survey.at("width"), 160);
    EXPECT_EQ(survey.at("height"), 90);
    EXPECT_EQ(survey.at("map"), "lambda");
    EXPECT_EQ(survey.at("way"), "host");
    const double seconds = survey.at("seconds"), frames = survey.at("frames");
    EXPECT_GE(seconds, asked);
    EXPECT_NEAR(survey.at("frames_per_second").get<double>(), frames / seconds, 1e-6 * frames / seconds);
    EXPECT_GT(survey.at("steps"), 0);
    EXPECT_GT(survey.at("states"), 0);
    EXPECT_GT(survey.at("force_ms"), 0);
    EXPECT_GT(survey.at("median_frame_ms"), 0);
    EXPECT_LE(survey.at("median_frame_ms"), survey.at("p99_frame_ms"));
    EXPECT_LE(survey.at("p99_frame_ms"), survey.at("longest_frame_ms"));
    EXPECT_LE(survey.at("longest_frame_ms"), 1000 * seconds);
    EXPECT_TRUE(survey.at("max_fps").is_null());
    EXPECT_TRUE(survey.at("steps_by_second").is_array());
}

TEST_F(FramesCommand, RespectsTheFrameRateLimit) {
    const auto survey = json({"frames", "--bodies", "300", "--backend", "cpu", "--seconds", std::to_string(slowness()),
                              "--max-fps", "10", "--width", "64", "--height", "64", "--json"});
    EXPECT_EQ(survey.at("max_fps"), 10);
    EXPECT_LE(survey.at("frames"), 10 * survey.at("seconds").get<double>() + 1);
    const auto by_second = survey.at("steps_by_second").get<std::vector<double>>();
    ASSERT_GE(by_second.size(), 1u) << "half a second of warm-up and one second";
    for (const double steps : by_second) EXPECT_GT(steps, 0);
    EXPECT_EQ(orrery({"frames", "--max-fps", "-1"}).code, 2);
}

/// The first frame takes a while: a signal before it ends the program at once, so try ever later ones.
TEST_F(FramesCommand, ReportsInterruption) {
    Finished frames;
    for (int ms = 500; ms < 100'000 && frames.err.find("interrupted after") == std::string::npos; ms *= 3) {
        frames = orrery({"frames", "figure-eight", "--seconds", "3600", "--width", "64", "--height", "64"},
                        {.interrupt_after_ms = ms});
        EXPECT_EQ(frames.code, 128 + SIGINT) << frames.err;
    }
    EXPECT_THAT(frames.err, testing::HasSubstr("s of 3600 s"));
    EXPECT_THAT(frames.out, testing::HasSubstr("frames    "));
}

TEST_F(FramesCommand, PrintsASummary) {
    const Finished frames = orrery({"frames", "figure-eight", "--seconds", "0.1", "--width", "64", "--height", "64"});
    EXPECT_EQ(frames.code, 0) << frames.err;
    for (const char* word : {"figure-eight: 3 bodies", "frames ", "per second", "steps/s"})
        EXPECT_THAT(frames.out, testing::HasSubstr(word));
}

/// Plays to the end, which is reached at once, and back; then scrubs.
TEST_F(FramesCommand, PlayAndScrubASeries) {
    const Finished run = orrery({"run", "plummer", "--bodies", "200", "--steps", "6", "--backend", "cpu", "--snapshots",
                                 "s%d.csv", "--snapshots-every", "2"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::vector<std::string> words{
        "frames",   "s*.csv", "--backend", "cpu",    "--seconds", std::to_string(0.2 * slowness()), "--width", "64",
        "--height", "64",     "--mode",    "points", "--json"};
    const auto played = json(words);
    EXPECT_GT(played.at("states"), 2);
    words.push_back("--scrub");
    const auto scrubbed = json(words);
    EXPECT_GT(scrubbed.at("states"), 2);
    EXPECT_EQ(scrubbed.at("steps"), 0) << "scrubbing is not stepping";
}

}  // namespace
}  // namespace orrery::test
