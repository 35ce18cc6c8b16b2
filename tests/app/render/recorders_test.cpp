// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <png.h>

#include <fstream>
#include <iterator>
#include <set>

#include "app/record/recorders.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/recording.hpp"
#include "tests/support/read_png.hpp"

namespace orrery::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

RecorderConfig config_for(std::filesystem::path path, int width = 64, int height = 48) {
    RecorderConfig config;
    config.path = std::move(path);
    config.width = width;
    config.height = height;
    return config;
}

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

Blame blame_of(const RecorderConfig& config) {
    try {
        const auto recorder = make_recorder(config);
        recorder->add(picture(config.width, config.height, 0));
        recorder->finish();
    } catch (const Error& error) {
        return error.blame();
    }
    ADD_FAILURE() << "no error for " << config.path;
    return {};
}

TEST(Recorders, AreChosenByFileName) {
    const Folder folder;
    EXPECT_EQ(recorder_for("a.mp4").id, "mp4");
    EXPECT_EQ(recorder_for("a.WebM").id, "webm");
    EXPECT_EQ(recorder_for("a.png").id, "png");
    EXPECT_EQ(recorder_for("a_%04d.png").id, "png-sequence");
    EXPECT_EQ(recorder_for("frames").id, "png-sequence");
    EXPECT_EQ(recorder_for(folder.path()).id, "png-sequence");
    EXPECT_EQ(recorder_for("a_%s.png").id, "png") << "only %d is a number";
    EXPECT_EQ(recorder_for("100%done.png").id, "png") << "not %d followed by a letter";
    EXPECT_EQ(recorder_for("a%d_b.png").id, "png-sequence");
    EXPECT_EQ(recorder_for("a%05db.png").id, "png-sequence");
    EXPECT_THAT([] { recorder_for("film.avi"); },
                ThrowsMessage<Error>(AllOf(HasSubstr("'film.avi'"), HasSubstr("NAME.mp4"), HasSubstr("NAME.webm"),
                                           HasSubstr("FOLDER, NAME_%05d.png"))));
    EXPECT_EQ(blame_of(config_for("film.avi")), Blame::kUsage);
}

TEST(Recorders, RefuseInvalidSizesRatesAndQualities) {
    const Folder folder;
    RecorderConfig config = config_for(folder / "a.png", 0, 10);
    EXPECT_EQ(blame_of(config), Blame::kUsage);
    config = config_for(folder / "a.mp4");
    config.fps = 0;
    EXPECT_EQ(blame_of(config), Blame::kUsage);
    config.fps = 30, config.quality = 101;
    EXPECT_EQ(blame_of(config), Blame::kUsage);
    EXPECT_EQ(folder.files(), 0u);
}

TEST(FileName, InsertsTheNumberIntoThePattern) {
    EXPECT_EQ(numbered("d/f_%04d.png", 7), "d/f_0007.png");
    EXPECT_EQ(numbered("%d.png", 123456), "123456.png");
    EXPECT_EQ(numbered("f_%02d.png", 1234), "f_1234.png");
    for (const char* none : {"a.png", "%.png", "%s.png", "%99999d.png", "%d%d.png", "a%5"})
        EXPECT_FALSE(is_pattern(none)) << none;
}

TEST(PngSequence, StoresFramesExactlyAndReproducibly) {
    const Folder folder;
    for (const char* run : {"one", "two"}) {
        const auto recorder = make_recorder(config_for(folder / run, 61, 33));
        for (int i = 0; i < 10; ++i) recorder->add(picture(61, 33, i));
        recorder->finish();
    }
    std::set<std::string> different;
    for (int i = 0; i < 10; ++i) {
        const std::string name = "frame_0000" + std::to_string(i) + ".png";
        EXPECT_EQ(read_png(folder / "one" / name).rgba, picture(61, 33, i).rgba) << name;
        EXPECT_EQ(bytes_of(folder / "one" / name), bytes_of(folder / "two" / name)) << name;
        different.insert(bytes_of(folder / "one" / name));
    }
    EXPECT_EQ(different.size(), 10u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder / "one"}, {}), 10);
}

TEST(Png, StoresOneFrameAndRefusesASecondOrAnotherSize) {
    const Folder folder;
    const auto recorder = make_recorder(config_for(folder / "a.png"));
    EXPECT_THAT([&] { recorder->add(picture(64, 47, 0)); }, ThrowsMessage<Error>(HasSubstr("64 x 48")));
    recorder->add(picture(64, 48, 3));
    EXPECT_THAT([&] { recorder->add(picture(64, 48, 4)); }, ThrowsMessage<Error>(HasSubstr("one picture")));
    recorder->finish();
    EXPECT_EQ(read_png(folder / "a.png").rgba, picture(64, 48, 3).rgba);
}

TEST(Png, LeavesNothingOnAFullDisk) {
    const Folder folder;
    {
        const FullDisk full{100};
        const auto recorder = make_recorder(config_for(folder / "a.png", 400, 300));
        EXPECT_THAT([&] { recorder->add(picture(400, 300, 0)); },
                    ThrowsMessage<Error>(HasSubstr("a.png: cannot be written")));
    }
    EXPECT_EQ(folder.files(), 0u);
}

class EveryRecorder : public testing::TestWithParam<RecorderEntry> {
protected:
    void SetUp() override {
        if (!GetParam().why_not().empty()) GTEST_SKIP() << GetParam().why_not();
    }
    std::string file_name() const {
        const std::string id{GetParam().id};
        if (id == "exr-sequence") return "f_%d.exr";
        return id == "png-sequence" ? "f_%d.png" : "f." + id;
    }
};

TEST_P(EveryRecorder, IsTheFirstToAcceptItsFileName) { EXPECT_EQ(recorder_for(file_name()).id, GetParam().id); }

TEST_P(EveryRecorder, FileInPlaceOfTheFolderIsAnEnvironmentError) {
    const Folder folder;
    std::ofstream{folder / "plain"} << "a file";
    EXPECT_EQ(blame_of(config_for(folder / "plain" / file_name())), Blame::kEnvironment);
    EXPECT_THAT(
        [&] {
            const auto recorder = make_recorder(config_for(folder / "plain" / file_name()));
            recorder->add(picture(64, 48, 0));
        },
        ThrowsMessage<Error>(HasSubstr((folder / "plain").string())));
    EXPECT_EQ(folder.files(), 1u);
}

TEST_P(EveryRecorder, LeavesNoFileWithoutFrames) {
    const Folder folder;
    make_recorder(config_for(folder / file_name())).reset();
    EXPECT_EQ(folder.files(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryRecorder, testing::ValuesIn(recorders().begin(), recorders().end()),
                         [](const auto& line) {
                             std::string name{line.param.id};
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace orrery::test
