// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "app/platform/offscreen_context.hpp"
#include "app/record/background_recorder.hpp"
#include "app/render/readback.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "tests/app/render/decode_video.hpp"
#include "tests/app/render/recording.hpp"

namespace orrery::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

RecorderConfig video_config(std::filesystem::path path, int width = 320, int height = 180) {
    RecorderConfig config;
    config.path = std::move(path);
    config.width = width;
    config.height = height;
    config.fps = 30;
    return config;
}

double mean_difference(const Image& seen, const Image& expected) {
    double sum = 0;
    for (int y = 0; y < expected.height; ++y) {
        for (int i = 0; i < expected.width * 4; ++i) sum += std::abs(seen.row(y)[i] - expected.row(y)[i]);
    }
    return sum / (expected.width * expected.height * 3.0);
}

/// 10-bit values are stored as given: grey at half of the PQ curve, 92 cd/m².
TEST(HdrVideo, HasTenBitsPqAndMasteringMetadata) {
    for (const char* name : {"a.mp4", "a.webm"}) {
        const Folder folder;
        RecorderConfig config = video_config(folder / name, 161, 90);
        config.bits = 10;
        const auto recorder = make_recorder(config);
        EXPECT_THAT(recorder->description(), HasSubstr(", HDR10"));
        auto deep = std::make_shared<DeepImage>();
        deep->rgb.assign(161 * 90 * 3, 32768);
        Image grey{161, 90, {}, deep};
        for (int i = 0; i < 5; ++i) recorder->add(grey);
        EXPECT_THROW(recorder->add(picture(161, 90, 0)), Error) << "an 8-bit frame";
        recorder->finish();
        const Video video = decode_video(folder / name);
        ASSERT_EQ(video.pictures.size(), 5u) << name;
        EXPECT_TRUE(video.bt2020_pq) << name;
        EXPECT_EQ(video.brightest, 1000) << name;
        EXPECT_NEAR(video.middle_luma, 0.5, 0.004) << name;
    }
    const Folder folder;
    RecorderConfig config = video_config(folder / "a.mp4");
    config.bits = 10, config.encoder = "libx264";
    EXPECT_THROW(make_recorder(config), Error);
    config = video_config(folder / "a.gif"), config.bits = 10;
    EXPECT_THROW(make_recorder(config), Error);
}

class EveryVideo : public testing::TestWithParam<std::string> {};

TEST_P(EveryVideo, DecodesToTheAddedFrames) {
    for (const auto& [width, height] : {std::pair{320, 180}, {321, 179}}) {
        const Folder folder;
        const auto path = folder / ("a." + GetParam());
        const auto recorder = make_recorder(video_config(path, width, height));
        for (int i = 0; i < 10; ++i) recorder->add(picture(width, height, 3 * i));
        EXPECT_FALSE(std::filesystem::exists(path)) << "it must appear only when complete";
        recorder->finish();
        const Video video = decode_video(path);
        ASSERT_EQ(video.pictures.size(), 10u) << recorder->description();
        EXPECT_EQ(video.fps, 30);
        EXPECT_TRUE(video.bt709);
        for (int i = 0; i < 10; ++i) {
            const Image& seen = video.pictures[static_cast<std::size_t>(i)];
            EXPECT_TRUE(seen.width == width + width % 2 && seen.height == height + height % 2);
            EXPECT_LT(mean_difference(seen, picture(width, height, 3 * i)), 3) << "frame " << i;
            EXPECT_GT(mean_difference(seen, picture(width, height, 3 * i + 3)), 6) << "frame " << i;
        }
        EXPECT_EQ(folder.files(), 1u);
        EXPECT_THROW(recorder->add(picture(width, height, 0)), Error) << "it is finished";
    }
}

/// The whole pipeline of a recording: readback with frames in flight, conversion on many threads, encoding.
TEST_P(EveryVideo, MultithreadedEncodingKeepsTheOrder) {
    constexpr int kPictures = 60;
    const OffscreenContext context{cuda_info().available ? 0 : -1};
    const RenderTarget target{320, 180};
    Readback readback{context.gl_info(), 1};
    const Folder folder;
    const auto path = folder / ("a." + GetParam());
    BackgroundRecorder recorder{make_recorder(video_config(path)), {7, 10}};
    for (int i = 0; i < kPictures; ++i) {
        write(picture(320, 180, i), target);
        if (readback.in_flight() == Readback::kMost) recorder.add(readback.take());
        readback.begin(target);
    }
    while (readback.in_flight() > 0) recorder.add(readback.take());
    recorder.finish();
    recorder.wait();
    recorder.rethrow();
    const Video video = decode_video(path);
    ASSERT_EQ(video.pictures.size(), static_cast<std::size_t>(kPictures));
    for (int i = 0; i < kPictures; ++i) {
        const Image& seen = video.pictures[static_cast<std::size_t>(i)];
        const double own = mean_difference(seen, picture(320, 180, i));
        EXPECT_LT(own, mean_difference(seen, picture(320, 180, i + 1))) << "frame " << i;
        EXPECT_LT(own, mean_difference(seen, picture(320, 180, i + 39))) << "frame " << i;
    }
}

TEST_P(EveryVideo, FullDiskKeepsThePartialFileAndNamesIt) {
    const Folder folder;
    const auto path = folder / ("a." + GetParam()), partial = folder / ("a.partial." + GetParam());
    std::string message;
    {
        const FullDisk full{60'000};
        const auto recorder = make_recorder(video_config(path));
        try {
            for (int i = 0; i < 3000; ++i) recorder->add(picture(320, 180, i));
            recorder->finish();
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kEnvironment);
            message = error.what();
        }
    }
    EXPECT_THAT(message, AllOf(HasSubstr(path.string() + ": cannot be written: "), HasSubstr(partial.string()),
                               testing::Not(HasSubstr("\n"))));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_GE(decode_video(partial).pictures.size(), 25u);
}

TEST_P(EveryVideo, PlaysUpToTheKill) {
    const Folder folder;
    const pid_t child = fork();
    if (child == 0) {
        const auto recorder = make_recorder(video_config(folder / ("a." + GetParam())));
        for (int i = 0; i < 150; ++i) recorder->add(picture(320, 180, i));
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const Video video = decode_video(folder / ("a.partial." + GetParam()));
    ASSERT_GE(video.pictures.size(), 60u) << "five seconds were recorded";
    EXPECT_LT(mean_difference(video.pictures[20], picture(320, 180, 20)), 8);
}

TEST_P(EveryVideo, DestructionWithoutFinishKeepsThePartialFile) {
    const Folder folder;
    const auto path = folder / ("a." + GetParam());
    {
        const auto recorder = make_recorder(video_config(path));
        for (int i = 0; i < 5; ++i) recorder->add(picture(320, 180, i));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(decode_video(folder / ("a.partial." + GetParam())).pictures.size(), 5u);
}

INSTANTIATE_TEST_SUITE_P(Containers, EveryVideo, testing::Values("mp4", "webm"),
                         [](const auto& line) { return line.param; });

class EveryAnimation : public testing::TestWithParam<std::string> {};

TEST_P(EveryAnimation, DecodesToTheAddedFrames) {
    const Folder folder;
    const auto path = folder / ("a." + GetParam());
    const auto recorder = make_recorder(video_config(path, 161, 90));
    for (int i = 0; i < 10; ++i) recorder->add(picture(161, 90, 3 * i));
    recorder->finish();
    EXPECT_EQ(folder.files(), 1u);
    const Video video = decode_video(path);
    ASSERT_EQ(video.pictures.size(), 10u) << recorder->description();
    for (int i = 0; i < 10; ++i) {
        const Image& seen = video.pictures[static_cast<std::size_t>(i)];
        EXPECT_TRUE(seen.width == 161 && seen.height == 90);
        EXPECT_LT(mean_difference(seen, picture(161, 90, 3 * i)), GetParam() == "apng" ? 0.01 : 5) << "frame " << i;
    }
}

TEST_P(EveryAnimation, PlaysUpToTheKill) {
    const Folder folder;
    const pid_t child = fork();
    if (child == 0) {
        const auto recorder = make_recorder(video_config(folder / ("a." + GetParam()), 160, 90));
        for (int i = 0; i < 60; ++i) recorder->add(picture(160, 90, i));
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_GE(decode_video(folder / ("a.partial." + GetParam())).pictures.size(), 50u);
}

TEST_P(EveryAnimation, FullDiskKeepsThePartialFileAndNamesIt) {
    const Folder folder;
    const auto path = folder / ("a." + GetParam()), partial = folder / ("a.partial." + GetParam());
    std::string message;
    {
        const FullDisk full{100'000};
        const auto recorder = make_recorder(video_config(path, 160, 90));
        try {
            for (int i = 0; i < 3000; ++i) recorder->add(picture(160, 90, i));
            recorder->finish();
        } catch (const Error& error) {
            message = error.what();
        }
    }
    EXPECT_THAT(message, AllOf(HasSubstr(path.string() + ": cannot be written: "), HasSubstr(partial.string())));
    EXPECT_GE(decode_video(partial).pictures.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Containers, EveryAnimation, testing::Values("gif", "apng"),
                         [](const auto& line) { return line.param; });

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// Reads a 32-bit number at an offset behind the name of a box.
std::uint32_t in_box(const std::string& bytes, std::string_view box, std::size_t at) {
    const std::size_t from = bytes.find(box) + box.size() + at;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes.at(from + i));
    return number;
}

TEST(Mp4, CompleteFileStartsWithItsIndexAndHasNoFragments) {
    const Folder folder;
    const auto recorder = make_recorder(video_config(folder / "a.mp4"));
    for (int i = 0; i < 75; ++i) recorder->add(picture(320, 180, i));
    recorder->finish();
    const std::string bytes = bytes_of(folder / "a.mp4");
    EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
    EXPECT_EQ(bytes.find("moof"), std::string::npos);
    const double scale = in_box(bytes, "mvhd", 12), length = in_box(bytes, "mvhd", 16);
    EXPECT_NEAR(length / scale, 2.5, 0.01);
    EXPECT_EQ(in_box(bytes, "stsz", 8), 75u) << "the number of frames";
    EXPECT_EQ(folder.files(), 1u);
}

TEST(Mp4, InterruptedFileStaysFragmented) {
    const Folder folder;
    {
        const auto recorder = make_recorder(video_config(folder / "a.mp4"));
        for (int i = 0; i < 75; ++i) recorder->add(picture(320, 180, i));
    }
    EXPECT_NE(bytes_of(folder / "a.partial.mp4").find("moof"), std::string::npos);
    EXPECT_EQ(decode_video(folder / "a.partial.mp4").pictures.size(), 75u);
}

TEST(FittedRecorders, ReportTheActualSizeAndFrameRate) {
    const RecorderConfig video = fitted(video_config("a.mp4", 1279, 719));
    EXPECT_EQ(video.width, 1280);
    EXPECT_EQ(video.height, 720);
    EXPECT_EQ(fitted(video_config("a.png", 1279, 719)).width, 1279);
    RecorderConfig gif = video_config("a.gif", 1279, 719);
    gif.fps = 60;
    EXPECT_EQ(fitted(gif).fps, 50);
    EXPECT_EQ(fitted(gif).width, 1279);
    gif.fps = 25;
    EXPECT_EQ(fitted(gif).fps, 25);
}

TEST(VideoEncoders, AreListedPerContainerAndOneWorks) {
    int working = 0;
    for (const VideoEncoder& encoder : list_video_encoders()) {
        EXPECT_NO_THROW(recorder_for("a." + encoder.container)) << encoder.container;
        working += encoder.available;
    }
    EXPECT_GE(working, 2);
}

}  // namespace
}  // namespace orrery::test
