// SPDX-License-Identifier: MIT
// Decodes recorded videos and counts the frames that a player would show.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <fmt/format.h>
#include <sys/mount.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

struct CloseInput {
    void operator()(AVFormatContext* c) const { avformat_close_input(&c); }
};
struct FreeDecoder {
    void operator()(AVCodecContext* c) const { avcodec_free_context(&c); }
};
struct FreeFrame {
    void operator()(AVFrame* f) const { av_frame_free(&f); }
};

/// Number of frames that can be decoded; -1 if the file is not a video.
int decodable_frames(const std::filesystem::path& path) {
    AVFormatContext* opened = nullptr;
    if (avformat_open_input(&opened, path.c_str(), nullptr, nullptr) < 0) return -1;
    const std::unique_ptr<AVFormatContext, CloseInput> input{opened};
    const AVCodec* codec = nullptr;
    const int stream = av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (stream < 0) return -1;
    const std::unique_ptr<AVCodecContext, FreeDecoder> decoder{avcodec_alloc_context3(codec)};
    avcodec_parameters_to_context(decoder.get(), opened->streams[stream]->codecpar);
    if (avcodec_open2(decoder.get(), codec, nullptr) < 0) return -1;
    const std::unique_ptr<AVFrame, FreeFrame> frame{av_frame_alloc()};
    int count = 0;
    const auto drain = [&] {
        while (avcodec_receive_frame(decoder.get(), frame.get()) == 0) ++count;
    };
    AVPacket packet{};
    while (av_read_frame(opened, &packet) == 0) {
        if (packet.stream_index == stream && avcodec_send_packet(decoder.get(), &packet) == 0) drain();
        av_packet_unref(&packet);
    }
    avcodec_send_packet(decoder.get(), nullptr);
    drain();
    return count;
}

class FilmCommand : public CommandTest {
protected:
    bool can_write(const std::string& id) const {
        const auto list = json({"list", "--json"});
        for (const auto& recorder : list.at("recorders"))
            if (recorder["id"] == id) return recorder["available"];
        return false;
    }
};

TEST_F(FilmCommand, EveryFrameCanBeDecoded) {
    for (const std::string container : {"mp4", "webm", "gif", "apng"}) {
        if (!can_write(container)) continue;
        const std::string film = "film." + container;
        const Finished finished = orrery(
            {"record", "plummer", "--bodies", "500", "--frames", "20", "--width", "160", "--height", "90", "-o", film});
        ASSERT_EQ(finished.code, 0) << finished.err;
        EXPECT_EQ(decodable_frames(path(film)), 20) << film;
    }
    EXPECT_TRUE(can_write("mp4")) << "built with libav, but there is no MP4 encoder";
}

TEST_F(FilmCommand, ErrorKeepsThePartialVideoAndNamesIt) {
    if (!can_write("mp4")) GTEST_SKIP() << "no encoder for MP4";
    const Finished finished = orrery({"record",   "figure-eight", "--dt",        "1e9",    "--backend",         "cpu",
                                      "--engine", "direct",       "--precision", "single", "--steps-per-frame", "1",
                                      "--frames", "50",           "--width",     "160",    "--height",          "90",
                                      "-o",       "film.mp4"});
    EXPECT_EQ(finished.code, 3);
    EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("is no longer finite"));
    const int kept = decodable_frames(path("film.partial.mp4"));
    EXPECT_GE(kept, 2);
    EXPECT_THAT(finished.err,
                testing::HasSubstr(fmt::format("the first {} frames are kept in film.partial.mp4", kept)));
    EXPECT_FALSE(std::filesystem::exists(path("film.mp4")));
}

/// If a GPU encoder does not open, the next encoder is used; if it was requested by name, the command fails.
TEST_F(FilmCommand, FallsBackToCpuEncodersUnlessRequestedByName) {
    if (!can_write("mp4")) GTEST_SKIP() << "no encoder for MP4";
    const std::vector<std::string> film{"record", "figure-eight", "--frames", "4",  "--width",
                                        "320",    "--height",     "180",      "-o", "film.mp4"};
    const auto with = [&](const std::string& encoder) {
        auto all = film;
        all.insert(all.end(), {"--encoder", encoder});
        return orrery(all);
    };
    std::string first;
    const auto info = json({"info", "--json"});
    for (const auto& encoder : info.at("encoders")) {
        if (encoder.at("container") != "mp4" || encoder.at("bits") != 8) continue;
        const std::string name = encoder.at("name"), reason = encoder.at("reason");
        EXPECT_EQ(encoder.at("available").get<bool>(), reason.empty()) << name;
        if (reason.empty()) {
            if (first.empty()) first = name;
            continue;
        }
        const Finished refused = with(name);
        EXPECT_EQ(refused.code, 3) << name;
        EXPECT_EQ(refused.error_lines(), 1u) << refused.err;
        EXPECT_THAT(refused.err, testing::HasSubstr("film.mp4: no encoder works: " + name + ": "));
    }
    ASSERT_FALSE(first.empty());
    const Finished made = orrery(film);
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, testing::HasSubstr("MP4, " + first));
    EXPECT_EQ(decodable_frames(path("film.mp4")), 4);
    const Finished unknown = with("h265000");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, testing::HasSubstr("no encoder 'h265000' for mp4; known encoders: h264_nvenc, "));
}

TEST_F(FilmCommand, InterruptedVideoPlays) {
    if (!can_write("mp4")) GTEST_SKIP() << "no encoder for MP4";
    const Finished finished = orrery({"record", "plummer", "--bodies", "500", "--frames", "1000000", "--width", "160",
                                      "--height", "90", "-o", "film.mp4"},
                                     {.signal_when = "film.partial.mp4", .signal_at = 4'000});
    EXPECT_EQ(finished.code, 128 + SIGINT) << finished.err;
    EXPECT_GT(decodable_frames(path("film.mp4")), 0);
}

/// Each second of video is a fragment of the file and plays by itself.
TEST_F(FilmCommand, KilledVideoPlaysUpToItsLastSecond) {
    for (const std::string container : {"mp4", "webm"}) {
        if (!can_write(container)) continue;
        const std::string partial = "film.partial." + container;
        const Finished finished = orrery({"record", "plummer", "--bodies", "200", "--frames", "100000", "--fps", "10",
                                          "--width", "160", "--height", "90", "-o", "film." + container},
                                         {.signal = SIGKILL, .signal_when = partial, .signal_at = 60'000});
        EXPECT_EQ(finished.code, 128 + SIGKILL);
        EXPECT_GE(decodable_frames(path(partial)), 20) << finished.err;
        EXPECT_FALSE(std::filesystem::exists(path("film." + container)));
    }
}

/// On a small mounted disk if the test may mount one, else under a limit on file sizes.
TEST_F(FilmCommand, FullDiskLeavesAPlayableVideoAndIsReported) {
    if (!can_write("mp4")) GTEST_SKIP() << "no encoder for MP4";
    std::filesystem::create_directory(path("small"));
    const bool mounted = mount("none", path("small").c_str(), "tmpfs", 0, "size=256k") == 0;
    const Finished finished = orrery({"record", "plummer", "--bodies", "3000", "--frames", "300", "--fps", "10",
                                      "--quality", "100", "--width", "160", "--height", "90", "-o", "small/film.mp4"},
                                     {.file_limit = mounted ? 0u : 262'144u});
    EXPECT_EQ(finished.code, 3);
    EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("small/film.mp4: cannot be written"));
    EXPECT_THAT(finished.err, testing::HasSubstr("small/film.partial.mp4"));
    EXPECT_GE(decodable_frames(path("small/film.partial.mp4")), 10);
    if (mounted) {
        EXPECT_THAT(finished.err, testing::HasSubstr("No space left"));
        EXPECT_EQ(umount(path("small").c_str()), 0);
    }
}

TEST_F(FilmCommand, RefusesVideosLargerThanTheDisk) {
    std::filesystem::create_directory(path("small"));
    if (mount("none", path("small").c_str(), "tmpfs", 0, "size=256k") != 0) GTEST_SKIP() << "no permission to mount";
    const Finished finished = orrery({"record", "plummer", "--frames", "100000", "-o", "small/film.mp4"});
    EXPECT_EQ(umount(path("small").c_str()), 0);
    EXPECT_EQ(finished.code, 3);
    EXPECT_THAT(finished.err, testing::HasSubstr("100000 frames need about"));
    EXPECT_THAT(finished.err, testing::HasSubstr("kB left"));
}

}  // namespace
}  // namespace orrery::test
