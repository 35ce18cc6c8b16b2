// SPDX-License-Identifier: MIT
// Output of `list`, `info`, --help and --version that scripts depend on.
#include <fmt/format.h>

#include <filesystem>

#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Menus : public CommandTest {};

TEST_F(Menus, ListContainsEveryMenu) {
    const auto list = json({"list", "--json"});
    ASSERT_TRUE(list.is_object());
    for (const char* menu : {"engines", "presets", "formats", "integrators", "color_modes", "recorders"}) {
        ASSERT_TRUE(list.contains(menu)) << menu;
        ASSERT_FALSE(list[menu].empty()) << menu;
        for (const auto& entry : list[menu])
            for (const char* key : {"id", "label", "doc"})
                EXPECT_FALSE(entry.at(key).get<std::string>().empty()) << menu << ' ' << entry;
    }
    EXPECT_TRUE(list.at("maps").is_array());
    EXPECT_TRUE(list.at("roots").is_array());
    for (const auto& engine : list["engines"]) {
        EXPECT_TRUE(engine.at("backend") == "cpu" || engine.at("backend") == "cuda" || engine.at("backend") == "gl");
        EXPECT_EQ(engine.at("available").get<bool>(), engine.at("reason").get<std::string>().empty());
    }
}

TEST_F(Menus, InfoHasAllKeys) {
    const auto info = json({"info", "--json"});
    ASSERT_TRUE(info.is_object());
    for (const char* key : {"version", "commit", "cpu", "simd"})
        EXPECT_FALSE(info.at(key).get<std::string>().empty()) << key;
    for (const char* key : {"vendor", "renderer", "version"}) EXPECT_TRUE(info.at("gl").at(key).is_string()) << key;
    for (const char* part : {"cuda", "interop"}) {
        const bool available = info.at(part).at("available");
        EXPECT_EQ(available, info.at(part).at("reason").get<std::string>().empty()) << info[part];
    }
    EXPECT_EQ(info.at("gl_frames").at("shared").get<bool>(), info["gl_frames"].at("reason").get<std::string>().empty());
    EXPECT_EQ(info["cuda"].at("devices").empty(), !info["cuda"]["available"].get<bool>());
    EXPECT_TRUE(info.contains("video"));
    EXPECT_TRUE(info.at("encoders").is_array());
}

TEST_F(Menus, InfoWorksWithoutGlAndGpu) {
    const Finished info =
        orrery({"info", "--json"},
               {.environment = {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null"}, {"CUDA_VISIBLE_DEVICES", "-1"}}});
    ASSERT_EQ(info.code, 0) << info.err;
    const auto found = nlohmann::json::parse(info.out);
    EXPECT_THAT(found["gl"]["reason"].get<std::string>(), testing::Not(IsEmpty()));
    EXPECT_EQ(found["gl"]["renderer"], "");
    EXPECT_FALSE(found["cuda"]["available"]);
    EXPECT_FALSE(found["interop"]["available"]);
}

TEST_F(Menus, DefaultOutputIsText) {
    for (const char* command : {"list", "info"}) {
        const Finished text = orrery({command});
        EXPECT_EQ(text.code, 0);
        EXPECT_THAT(text.err, IsEmpty());
        EXPECT_THAT(text.out, testing::AnyOf(HasSubstr("direct"), HasSubstr("engines"))) << command;
    }
}

TEST_F(Menus, HelpAndVersionGoToStandardOutput) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                      {"--version"},
                                                      {"run", "--help"},
                                                      {"record", "--help"},
                                                      {"bench", "--help"},
                                                      {"check", "--help"},
                                                      {"info", "--help"},
                                                      {"list", "--help"}}) {
        const Finished help = orrery(arguments);
        EXPECT_EQ(help.code, 0) << arguments.front();
        EXPECT_THAT(help.err, IsEmpty());
        EXPECT_THAT(help.out, HasSubstr("orrery"));
    }
}

/// True if --version lists this part of the build as included.
bool has(const std::string& version, const std::string& part) {
    const std::size_t at = version.find("\n" + part + ": ");
    EXPECT_NE(at, std::string::npos) << part << " in " << version;
    return version.compare(at + part.size() + 3, 3, "yes") == 0;
}

TEST_F(Menus, VersionListsPartsOfTheBuild) {
    const std::string version = orrery({"--version"}).out;
    const auto info = json({"info", "--json"});
    const auto list = json({"list", "--json"});
    EXPECT_THAT(version, testing::StartsWith(fmt::format("orrery {} ({})\n", info["version"].get<std::string>(),
                                                         info["commit"].get<std::string>())));
    EXPECT_THAT(version, HasSubstr("compiler: " + info["compiler"].get<std::string>()));
    bool cuda = false, hdf5 = false;
    for (const auto& engine : list["engines"]) cuda |= engine["backend"] == "cuda";
    for (const auto& format : list["formats"]) hdf5 |= format["id"] == "gadget-hdf5" && format["available"];
    EXPECT_EQ(has(version, "CUDA engines"), cuda);
    EXPECT_EQ(has(version, "HDF5"), hdf5);
    for (const char* part : {"MPI", "NCCL", "video (MP4, WebM)"}) has(version, part);
}

TEST_F(Menus, ManualIsWrittenToTheGivenFolder) {
    const Finished written = write_manual(path("share").string());
    ASSERT_EQ(written.code, 0) << written.err;
    for (const char* file : {"man/man1/orrery.1", "man/man1/orrery-record.1", "bash-completion/completions/orrery",
                             "zsh/site-functions/_orrery", "fish/vendor_completions.d/orrery.fish"}) {
        EXPECT_TRUE(std::filesystem::file_size(path("share") / file) > 200) << file;
        EXPECT_THAT(written.out, HasSubstr(file));
    }
    EXPECT_NE(write_manual("/proc/nowhere").code, 0);
}

TEST_F(Menus, FullDiskUnderStandardOutputIsReported) {
    const Finished list = orrery({"list", "--json"}, {.out = "/dev/full"});
    EXPECT_EQ(list.code, 3);
    EXPECT_EQ(list.error_lines(), 1u) << list.err;
}

}  // namespace
}  // namespace orrery::test
