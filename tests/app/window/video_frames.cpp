// SPDX-License-Identifier: MIT
#include "tests/app/window/video_frames.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <memory>
#include <stdexcept>

namespace orrery::test {
namespace {

struct Close {
    void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
    void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
    void operator()(AVPacket* packet) const { av_packet_free(&packet); }
    void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};

template <class T>
using Owned = std::unique_ptr<T, Close>;

void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error{std::string{"video: "} + what};
}

}  // namespace

Video decode(const std::filesystem::path& path) {
    AVFormatContext* opened = nullptr;
    expect(avformat_open_input(&opened, path.c_str(), nullptr, nullptr) == 0, "cannot be opened");
    const Owned<AVFormatContext> file{opened};
    expect(avformat_find_stream_info(file.get(), nullptr) >= 0, "no streams");
    const AVCodec* codec = nullptr;
    const int stream = av_find_best_stream(file.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    expect(stream >= 0 && codec, "no video stream");
    const Owned<AVCodecContext> decoder{avcodec_alloc_context3(codec)};
    avcodec_parameters_to_context(decoder.get(), file->streams[stream]->codecpar);
    expect(avcodec_open2(decoder.get(), codec, nullptr) == 0, "no decoder");
    Video video{0, decoder->width, decoder->height};
    const Owned<AVPacket> packet{av_packet_alloc()};
    const Owned<AVFrame> frame{av_frame_alloc()};
    const auto count = [&] {
        while (avcodec_receive_frame(decoder.get(), frame.get()) == 0) ++video.frames;
    };
    while (av_read_frame(file.get(), packet.get()) == 0) {
        if (packet->stream_index == stream) expect(avcodec_send_packet(decoder.get(), packet.get()) == 0, "damaged");
        av_packet_unref(packet.get());
        count();
    }
    avcodec_send_packet(decoder.get(), nullptr);
    count();
    return video;
}

}  // namespace orrery::test
