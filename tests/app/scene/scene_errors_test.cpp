// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "app/scene/scene_file.hpp"
#include "app/scene/session.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

struct Bad {
    const char *text, *place, *says;
};

class SceneErrors : public Scratch {};

/// One line that names the file, line and column, the expected and the actual value.
TEST_F(SceneErrors, EachNamesItsPosition) {
    const Bad table[] = {
        {"", "bad.toml:1:1", "[scene]"},
        {"[scene]\nbodies = 3\n", "bad.toml:1:1", "preset or a file"},
        {"[scene]\npreset = plummer\n", "bad.toml:2:", "TOML"},
        {"[scene]\npreset = \"plummer\"\npreset = \"collision\"\n", "bad.toml:3:", "TOML"},
        {"[scene]\npreset = \"plummer\"\nfigures = tru\n", "bad.toml:3:", "TOML"},
        {"[scene]\npreset = \"plumer\"\n", "bad.toml:2:10", "plummer"},
        {"[scene]\npreset = 3\n", "bad.toml:2:10", "found 3"},
        {"[scene]\nfile = \"not there.csv\"\n", "bad.toml:2:8", "not there.csv"},
        {"[scene]\npreset = \"plummer\"\nfile = \"bad.toml\"\n", "bad.toml:3:8", "either preset or file"},
        {"[scene]\npreset = \"plummer\"\nbodies = 0\n", "bad.toml:3:10", "found 0"},
        {"[scene]\npreset = \"plummer\"\nbodies = 1.5\n", "bad.toml:3:10", "whole number"},
        {"[scene]\npreset = \"plummer\"\ndt = 0\n", "bad.toml:3:6", "above 0"},
        {"[scene]\npreset = \"plummer\"\ndt = \"1day\"\n", "bad.toml:3:6", "day"},
        {"[scene]\npreset = \"plummer\"\ndt = \"fast\"\n", "bad.toml:3:6", "fast"},
        {"[scene]\npreset = \"plummer\"\nsoftening = nan\n", "bad.toml:3:13", "nan"},
        {"[scene]\npreset = \"plummer\"\n[compare]\nsoftening = inf\n", "bad.toml:4:13", "inf"},
        {"[scene]\npreset = \"plummer\"\n[viev]\nglow = 1\n", "bad.toml:3:", "[view]"},
        {"scene = 3\n", "bad.toml:1:", "[scene]"},
        {"[scene]\npreset = \"plummer\"\n[view]\nglo = 1\n", "bad.toml:4:1", "glow"},
        {"[scene]\npreset = \"plummer\"\n[view]\nglow = 1.5\n", "bad.toml:4:8", "from 0 to 1, found 1.5"},
        {"[scene]\npreset = \"plummer\"\n[view]\nglow = \"much\"\n", "bad.toml:4:8", "much"},
        {"[scene]\npreset = \"plummer\"\n[view]\nmode = \"dots\"\n", "bad.toml:4:8", "points"},
        {"[scene]\npreset = \"plummer\"\n[view]\noctree = 1\n", "bad.toml:4:10", "true or false"},
        {"[scene]\npreset = \"plummer\"\n[view]\nscalar_range = [2, 1]\n", "bad.toml:4:16", "lower end first"},
        {"[scene]\npreset = \"plummer\"\n[engine]\nengine = \"warp\"\n", "bad.toml:4:10", "direct"},
        {"[scene]\npreset = \"plummer\"\n[engine]\nmap = \"lamda\"\n", "bad.toml:4:7", "lambda"},
        {"[scene]\npreset = \"plummer\"\n[camera]\ntarget = [0, 0]\n", "bad.toml:4:10", "three numbers"},
        {"[scene]\npreset = \"plummer\"\n[camera]\nbookmarks = [{ place = 9 }]\n", "bad.toml:4:", "from 1 to 8"},
        {"[scene]\npreset = \"plummer\"\n[camera]\nbookmarks = [{ place = 1 }, { place = 1 }]\n",
         "bad.toml:4:", "no camera yet"},
        {"[scene]\npreset = \"plummer\"\n[camera]\nbookmarks = [{ place = 1, jaw = 3 }]\n", "bad.toml:4:", "jaw"},
        {"[scene]\npreset = \"plummer\"\n[camera]\npath = [{ time = 2 }, { time = 1 }]\n", "bad.toml:4:", "path"},
        {"[scene]\npreset = \"plummer\"\n[record]\nsupersampling = 4\n", "bad.toml:4:", "from 1 to 3"},
    };
    for (const Bad& bad : table) {
        const auto file = save("bad.toml", bad.text);
        SCOPED_TRACE(bad.text);
        expect_error([&] { read_scene_file(file); }, Blame::kUsage, bad.place, bad.says);
    }
}

/// The corpus of the fuzzers: each file is read, or refused in one line.
TEST_F(SceneErrors, FuzzingCorpusIsReadOrRefused) {
    int files = 0, sound = 0;
    for (const char* folder : {"scene", "session", "settings"})
        for (const auto& entry : std::filesystem::directory_iterator{std::filesystem::path{ORRERY_CORPUS} / folder}) {
            SCOPED_TRACE(entry.path());
            ++files;
            for (const bool session : {false, true}) {
                try {
                    session ? (void)read_session(entry.path()) : (void)read_scene_file(entry.path());
                    ++sound;
                } catch (const Error& error) {
                    const std::string text = error.what();
                    EXPECT_EQ(error.blame(), Blame::kUsage) << text;
                    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
                }
            }
        }
    EXPECT_GE(files, 6);
    EXPECT_GE(sound, 2);
}

TEST_F(SceneErrors, RefusesBinaryAndMissingFiles) {
    save("zeros.toml", std::string(5000, '\0'));
    expect_error([&] { read_scene_file(path("zeros.toml")); }, Blame::kUsage, "zeros.toml:1");
    expect_error([&] { read_scene_file(path("missing.toml")); }, Blame::kUsage, "missing.toml");
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

/// The parser and the destructors of its tables are recursive: without a limit, each of these texts overflows the
/// stack.
TEST_F(SceneErrors, RefusesDeepKeysBeforeParsing) {
    constexpr int kMany = 50'000;
    const std::string deep = repeated("a.", kMany) + "a";
    const std::string texts[] = {
        deep + " = 1\n",
        "[" + deep + "]\n",
        "[[" + deep + "]]\n",
        repeated(R"("a" . )", kMany) + "a = 1\n",
        repeated("'a'.", kMany) + "a = 1\n",
        "x = " + repeated("[", kMany),
        "x = " + repeated("{ a.a.a.a = ", kMany),
        "x = { y = 1, " + deep + " = 2 }\n",
        R"(x = { y = "\"", )" + deep + " = 2 }\n",
    };
    for (const std::string& text : texts) {
        SCOPED_TRACE(text.substr(0, 40));
        const auto file = save("deep.toml", "\n" + text);
        expect_error([&] { read_scene_file(file); }, Blame::kUsage, "deep.toml:2", "more than 32");
    }
    const std::string lines = "x = \"\"\"\n\"\" # \\\"\n\"\"\"\"\ny = '''\n\\'''\n";
    const auto file = save("deep.toml", lines + deep + " = 1\n");
    expect_error([&] { read_scene_file(file); }, Blame::kUsage, "deep.toml:6", "more than 32");
}

TEST_F(SceneErrors, DotsInStringsNumbersAndCommentsAddNoDepth) {
    const std::string dots = repeated("a.", 100) + repeated("[{", 100);
    const auto file = save("flat.toml", "# " + dots + "\n[scene]\npreset = \"plummer\"\ntitle = '" + dots +
                                            "'\nwatch = \"\"\"\n" + dots + R"(\"\"\")" + "\n" + dots +
                                            "\"\"\"\n[view]\nscalar_range = [" + repeated("1.5, ", 100) + "]\n");
    expect_error([&] { read_scene_file(file); }, Blame::kUsage, "scalar_range");
}

TEST_F(SceneErrors, ReadsOnlyRegularFiles) {
    ASSERT_EQ(mkfifo(path("fifo.toml").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", path("zero.toml"));
    std::filesystem::create_directory(path("folder.toml"));
    for (const char* name : {"fifo.toml", "zero.toml", "folder.toml"})
        expect_error([&] { read_scene_file(path(name)); }, Blame::kUsage, name, "not a regular file");
}

}  // namespace
}  // namespace orrery::test
