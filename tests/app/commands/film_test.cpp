// SPDX-License-Identifier: MIT
// Films are decoded again: what a player would show is counted.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <filesystem>
#include <memory>

#include "tests/app/commands/process.hpp"

namespace orrery {
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

/// Frames that can be decoded; -1 when it is no film.
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
    for (const std::string container : {"mp4", "webm"}) {
        if (!can_write(container)) continue;
        const std::string film = "film." + container;
        const Finished finished = orrery(
            {"record", "plummer", "--bodies", "500", "--frames", "20", "--width", "160", "--height", "90", "-o", film});
        ASSERT_EQ(finished.code, 0) << finished.err;
        EXPECT_EQ(decodable_frames(path(film)), 20) << film;
    }
    EXPECT_TRUE(can_write("mp4")) << "a build with libav and no encoder for MP4";
}

TEST_F(FilmCommand, AnInterruptedFilmPlays) {
    if (!can_write("mp4")) GTEST_SKIP() << "no encoder for MP4";
    const Finished finished = orrery({"record", "plummer", "--bodies", "500", "--frames", "1000000", "--width", "160",
                                      "--height", "90", "-o", "film.mp4"},
                                     {.interrupt_after_ms = 1500});
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_GT(decodable_frames(path("film.mp4")), 0);
}

}  // namespace
}  // namespace orrery
