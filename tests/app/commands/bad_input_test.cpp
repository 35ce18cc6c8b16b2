// SPDX-License-Identifier: MIT
// Every error is reported in one line that names its cause, with the right exit code, and leaves no partial file.
#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>

#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

struct Case {
    std::string name;
    std::vector<std::string> arguments;
    int code;
    std::string word;  ///< required in the line
};

class BadInput : public CommandTest, public testing::WithParamInterface<Case> {
protected:
    BadInput() {
        Scene scene = make_preset("plummer", {.bodies = 64});
        write_snapshot(scene, path("good.tipsy"));
        const std::string good = content(path("good.tipsy"));
        save("truncated.tipsy", good.substr(0, good.size() - 10));
        save("oversized.tipsy", good + "more");
        std::string spoilt = good;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        std::memcpy(spoilt.data() + 32 + 4, &nan, sizeof nan);  // x of the first body: header 32 bytes, mass 4
        save("nan.tipsy", spoilt);
        save("magic.tipsy", "This is no snapshot at all, but it is long enough to look at.");
        save("negative.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n-2,1,0,0,0,0,0\n");
        save("massless.csv", "m,x,y,z,vx,vy,vz\n0,0,0,0,0,0,0\n");
        save("empty.csv", "");
        save("huge.csv", "1,2,3,4,5,6,7\n1,2,1e300,4,5,6,7\n");
        save("treecode.txt", "2\n3\n0.0\n0.5\n0.5\n1 2 3\n4 5 6\n0 0 0\n0 0 0\n");
        save("old.dat", std::string{"\x08\x01\0\0SnapShot\0\x08\x01\0\0Parameters\0", 28});
        save("plain", "a file without an extension");
        std::filesystem::create_directory(path("folder"));
    }
};

/// Number of the reader's notes about a file, which may precede the error.
std::size_t notes_in(const std::string& err) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = err.find("orrery: note: ", at)) != std::string::npos; ++at) ++count;
    return count;
}

TEST_P(BadInput, IsReportedInOneLine) {
    const auto before = std::distance(std::filesystem::directory_iterator{path("")}, {});
    const Finished finished = orrery(GetParam().arguments, {.environment = {{"CUDA_VISIBLE_DEVICES", "-1"}}});
    EXPECT_EQ(finished.code, GetParam().code) << finished.err;
    EXPECT_EQ(finished.error_lines() - notes_in(finished.err), 1u) << finished.err;
    EXPECT_THAT(finished.err, testing::StartsWith("orrery: "));
    EXPECT_THAT(finished.err, testing::HasSubstr(GetParam().word));
    EXPECT_THAT(finished.out, testing::IsEmpty());
    // the only new files are those of the test itself: stdout and stderr
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{path("")}, {}), before + 2);
}

std::vector<Case> cases() {
    const std::vector<std::string> run{"run", "plummer", "--bodies", "50", "--steps", "1"};
    const auto with = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> all = run;
        all.insert(all.end(), more);
        return all;
    };
    return {
        {"no_such_scene", {"run", "nosuch", "--steps", "1"}, 2, "nosuch"},
        {"no_such_file", {"record", "nosuch.tipsy", "-o", "a.png"}, 2, "nosuch.tipsy"},
        {"scene_is_a_folder", {"run", "folder", "--steps", "1"}, 2, "folder"},
        {"truncated", {"run", "truncated.tipsy", "--steps", "1"}, 2, "truncated.tipsy"},
        {"oversized", {"run", "oversized.tipsy", "--steps", "1"}, 2, "oversized.tipsy"},
        {"wrong_magic", {"run", "magic.tipsy", "--steps", "1"}, 2, "magic.tipsy"},
        {"nan_in_snapshot", {"run", "nan.tipsy", "--steps", "1"}, 2, "nan.tipsy"},
        {"negative_mass", {"run", "negative.csv", "--steps", "1"}, 2, "negative.csv"},
        {"zero_mass", {"run", "massless.csv", "--steps", "1"}, 2, "massless.csv"},
        {"empty_file", {"run", "empty.csv", "--steps", "1"}, 2, "empty.csv"},
        {"negative_count", {"run", "plummer", "--bodies", "-5", "--steps", "1"}, 2, "-5"},
        {"zero_count", {"run", "plummer", "--bodies", "0", "--steps", "1"}, 2, "--bodies"},
        {"count_of_a_snapshot", {"run", "good.tipsy", "--bodies", "7", "--steps", "1"}, 2, "good.tipsy"},
        {"count_of_a_fixed_preset", {"run", "figure-eight", "--bodies", "4", "--steps", "1"}, 2, "figure-eight"},
        {"negative_steps", {"run", "plummer", "--steps", "-1"}, 2, "--steps"},
        {"steps_of_64_bits", {"run", "plummer", "--steps", "9223372036854775808"}, 2, "--steps"},
        {"negative_steps_of_a_film", {"record", "plummer", "-o", "a.mp4", "--steps", "-1"}, 2, "--steps"},
        {"negative_frames", {"record", "plummer", "-o", "a.mp4", "--frames", "-1"}, 2, "--frames"},
        {"endless_film", {"record", "plummer", "-o", "a.mp4", "--duration", "inf"}, 2, "--duration"},
        {"film_without_end", {"record", "plummer", "-o", "a.mp4", "--duration", "1e300"}, 2, "--duration"},
        {"nan_theta", with({"--engine", "tree", "--backend", "cpu", "--theta", "nan"}), 2, "--theta"},
        {"nan_accuracy", with({"--engine", "tree", "--backend", "cpu", "--accuracy", "nan"}), 2, "--accuracy"},
        {"nan_softening", with({"--softening", "nan"}), 2, "--softening"},
        {"endless_softening", with({"--softening", "inf"}), 2, "--softening"},
        {"nan_adaptive", with({"--adaptive", "nan"}), 2, "--adaptive"},
        {"nan_zoom", {"record", "plummer", "-o", "a.png", "--zoom", "nan"}, 2, "--zoom"},
        {"nan_exposure", {"record", "plummer", "-o", "a.png", "--exposure", "nan"}, 2, "--exposure"},
        {"nan_white", {"record", "plummer", "-o", "a.png", "--white", "nan"}, 2, "--white"},
        {"endless_white", {"record", "plummer", "-o", "a.png", "--white", "inf"}, 2, "--white"},
        {"endless_minutes", with({"--checkpoint", "c.orrery", "--every-minutes", "inf"}), 2, "--every-minutes"},
        {"negative_seed", with({"--seed", "-1"}), 2, "--seed"},
        {"seed_of_65_bits", with({"--seed", "18446744073709551616"}), 2, "--seed"},
        {"number_with_a_tail", with({"--seed", "7up"}), 2, "--seed"},
        {"no_number", with({"--softening", ""}), 2, "--softening"},
        {"no_checkpoint", with({"--checkpoint", ""}), 2, "--checkpoint"},
        {"no_output_name", with({"-o", ""}), 2, "--output"},
        {"no_scene_name", {"run", "", "--steps", "1"}, 2, "--scene"},
        {"no_dt", with({"--dt", ""}), 2, "--dt"},
        {"too_large_for_single",
         {"run", "huge.csv", "--precision", "single", "--steps", "1"},
         2,
         "body 1: position 1e+300 does not fit single precision"},
        {"text_of_nemo", {"run", "treecode.txt", "--steps", "1"}, 2, "single numbers on separate lines"},
        {"old_nemo", {"run", "old.dat", "--steps", "1"}, 2, "old.dat: an old-style NEMO file"},
        {"engine", with({"--engine", "nosuch"}), 2, "nosuch"},
        {"backend", with({"--backend", "nosuch"}), 2, "nosuch"},
        {"precision", with({"--precision", "nosuch"}), 2, "nosuch"},
        {"integrator", with({"--integrator", "nosuch"}), 2, "nosuch"},
        {"option", with({"--nosuch"}), 2, "--nosuch"},
        {"scene_twice", {"run", "plummer", "--scene", "collision", "--steps", "1"}, 2, "--scene"},
        {"bench_engine", {"bench", "--engines", "direct,nosuch"}, 2, "nosuch"},
        {"check_backend", {"check", "--backend", "nosuch"}, 2, "nosuch"},
        {"drawing_mode", {"record", "plummer", "-o", "a.png", "--mode", "nosuch"}, 2, "nosuch"},
        {"color_map", {"record", "plummer", "-o", "a.png", "--color-map", "nosuch"}, 2, "nosuch"},
        {"steps", {"run", "plummer", "--steps", "many"}, 2, "many"},
        {"no_end", {"run", "plummer"}, 2, "--steps"},
        {"two_ends", {"run", "plummer", "--steps", "1", "--until", "2"}, 2, "--until"},
        {"end_in_the_past", {"run", "plummer", "--until", "-2"}, 2, "--until"},
        {"negative_dt", with({"--dt", "-0.1"}), 2, "--dt"},
        {"unit_of_dt", with({"--dt", "3parsec"}), 2, "parsec"},
        {"dt_without_units", with({"--dt", "3day"}), 2, "plummer"},
        {"negative_softening", with({"--softening", "-1"}), 2, "softening"},
        {"knobs_without_tiles", with({"--backend", "cpu", "--tile-k", "4"}), 2, "tile"},
        {"output_extension", with({"-o", "a.nosuch"}), 2, "a.nosuch"},
        {"output_folder_missing", with({"-o", "nosuch/a.csv"}), 3, "nosuch/a.csv"},
        {"table_folder_missing", with({"--diagnostics", "nosuch/a.csv"}), 3, "nosuch/a.csv"},
        {"table_on_a_full_disk", with({"--diagnostics", "/dev/full"}), 3, "/dev/full"},
        {"rows_folder_missing", {"bench", "--bodies", "10", "--csv", "nosuch/a.csv"}, 3, "nosuch/a.csv"},
        {"recorder", {"record", "plummer", "-o", "a.bmp"}, 2, "a.bmp"},
        {"recorder_of_a_device",
         {"record", "plummer", "-o", "/dev/full"},
         2,
         "'/dev/full': exists and is not a folder"},
        {"recorder_of_a_file", {"record", "plummer", "-o", "plain"}, 2, "'plain': exists and is not a folder"},
        {"no_output", {"record", "plummer"}, 2, "--output"},
        {"two_pictures_in_one", {"record", "plummer", "-o", "a.png", "--frames", "2"}, 2, "a.png"},
        {"film_folder_missing", {"record", "plummer", "-o", "nosuch/a.mp4", "--frames", "2"}, 3, "nosuch/a.mp4"},
        {"no_cuda", with({"--backend", "cuda"}), 3, "cuda"},
        {"engine_on_a_device", with({"--engine", "naive", "--backend", "cuda"}), 3, "engine 'naive'"},
        {"no_cuda_for_bench", {"bench", "--backend", "cuda"}, 3, "cuda"},
        {"no_cuda_for_check", {"check", "--backend", "cuda", "--engines", "direct"}, 3, "cuda"},
        {"no_display", {}, 3, "display"},
        {"no_display_but_the_scene_first", {"nosuch"}, 2, "nosuch"},
    };
}
INSTANTIATE_TEST_SUITE_P(Each, BadInput, testing::ValuesIn(cases()), [](const auto& each) { return each.param.name; });

class BrokenEnvironment : public CommandTest {};

TEST_F(BrokenEnvironment, FullDiskLeavesNoPartialSnapshot) {
    const Finished run = orrery({"run", "plummer", "--bodies", "5000", "--steps", "0", "-o", "a.csv", "--no-energy"},
                                {.file_limit = 100000});
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.error_lines(), 1u) << run.err;
    EXPECT_THAT(run.err, testing::HasSubstr("a.csv"));
    for (const auto& file : std::filesystem::directory_iterator{path("")})
        EXPECT_THAT(file.path().filename().string(), testing::AnyOf("stdout", "stderr"));
}

/// Unwritable notes must not end a run, and no output file may reuse the descriptor of a closed stream.
TEST_F(BrokenEnvironment, UnreadableNotesDoNotEndTheRun) {
    const std::vector<std::string> run{"run",         "plummer", "--bodies", "500",   "--steps",    "200",
                                       "--log-every", "0.001s",  "-o",       "a.csv", "--no-energy"};
    const Finished readable = orrery(run);
    ASSERT_EQ(readable.code, 0) << readable.err;
    ASSERT_GT(readable.error_lines(), 2u);
    const std::string whole = content(path("a.csv"));
    EXPECT_EQ(orrery(run, {.err = "/dev/full"}).code, 0);
    for (const std::vector<int>& closed : {std::vector{2}, {0, 2}}) {
        std::filesystem::remove(path("a.csv"));
        EXPECT_EQ(orrery(run, {.closed = closed}).code, 0);
        EXPECT_EQ(content(path("a.csv")), whole);
    }
}

TEST_F(BrokenEnvironment, UnwritableStandardOutputIsAnError) {
    const std::vector<std::string> run{"run", "plummer", "--bodies", "50",    "--steps",       "3",
                                       "-o",  "a.csv",   "--plot",   "a.svg", "--diagnostics", "t.csv"};
    for (const Surroundings& unreadable : {Surroundings{.out = "/dev/full"}, {.closed = {1}}}) {
        std::filesystem::remove(path("a.csv")), std::filesystem::remove(path("a.svg"));
        const Finished finished = orrery(run, unreadable);
        EXPECT_EQ(finished.code, 3);
        EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
        EXPECT_THAT(finished.err, testing::StartsWith("orrery: standard output: cannot be written: "));
        EXPECT_TRUE(std::filesystem::exists(path("a.csv")) && std::filesystem::exists(path("a.svg")));
    }
}

TEST_F(BrokenEnvironment, ClosedPipeDoesNotLoseOutputFiles) {
    const Finished finished =
        orrery({"run", "plummer", "--bodies", "50", "--steps", "3", "-o", "a.csv"}, {.without_reader = true});
    EXPECT_EQ(finished.code, 128 + SIGPIPE);
    EXPECT_THAT(finished.err, testing::IsEmpty());
    EXPECT_TRUE(std::filesystem::exists(path("a.csv")));
}

TEST_F(BrokenEnvironment, ControlCharactersInNamesAreEscaped) {
    const std::string name = "\033]0;owned\a\r\xff\xc2\x9b.csv";
    const Finished missing = orrery({"run", name, "--steps", "1"});
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, testing::HasSubstr(R"(\u001b]0;owned\u0007\u000d\xff\u009b.csv)"));
    const Finished written = orrery({"run", "figure-eight", "--steps", "1", "-o", name});
    EXPECT_EQ(written.code, 0) << written.err;
    EXPECT_THAT(written.out, testing::HasSubstr(R"(\u001b]0;owned\u0007\u000d\xff\u009b.csv)"));
    EXPECT_TRUE(std::filesystem::exists(path(name)));
    for (const std::string& text : {missing.err, written.out})
        EXPECT_EQ(text.find_first_of("\033\r\a"), std::string::npos) << text;
}

/// The command-line parser would accept octal digits.
TEST_F(BrokenEnvironment, NumbersAreDecimal) {
    EXPECT_EQ(json({"run", "plummer", "--bodies", "0010", "--steps", "+2", "--json"}).at("bodies"), 10);
}

TEST_F(BrokenEnvironment, RecordingFailsWithoutOpenGl) {
    const Finished record = orrery({"record", "plummer", "--bodies", "50", "--frames", "2", "-o", "a_%d.png"},
                                   {.environment = {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null"}}});
    EXPECT_EQ(record.code, 3);
    EXPECT_EQ(record.error_lines(), 1u) << record.err;
    EXPECT_FALSE(std::filesystem::exists(path("a_0.png")));
}

}  // namespace
}  // namespace orrery::test
