// SPDX-License-Identifier: MIT
#include "tests/app/render/decode_video.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mastering_display_metadata.h>
#include <libswscale/swscale.h>
}

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

Image convert(const AVFrame& frame) {
    Image image{frame.width, frame.height, {}};
    image.rgba.resize(static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height) * 4);
    SwsContext* scaler =
        sws_getContext(frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), frame.width, frame.height,
                       AV_PIX_FMT_RGBA, SWS_BILINEAR, nullptr, nullptr, nullptr);
    const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
    sws_setColorspaceDetails(scaler, bt709, 0, bt709, 1, 0, 1 << 16, 1 << 16);
    std::uint8_t* planes[1] = {image.rgba.data()};
    const int strides[1] = {frame.width * 4};
    sws_scale(scaler, frame.data, frame.linesize, 0, frame.height, planes, strides);
    sws_freeContext(scaler);
    return image;
}

}  // namespace

Video decode_video(const std::filesystem::path& path) {
    Video video;
    AVFormatContext* format = nullptr;
    if (avformat_open_input(&format, path.c_str(), nullptr, nullptr) < 0 ||
        avformat_find_stream_info(format, nullptr) < 0 || format->nb_streams != 1) {
        ADD_FAILURE() << path << " is not a video";
        return video;
    }
    const AVStream* stream = format->streams[0];
    AVCodecContext* codec = avcodec_alloc_context3(avcodec_find_decoder(stream->codecpar->codec_id));
    avcodec_parameters_to_context(codec, stream->codecpar);
    EXPECT_GE(avcodec_open2(codec, codec->codec, nullptr), 0);
    video.fps = stream->avg_frame_rate.den > 0 ? stream->avg_frame_rate.num / stream->avg_frame_rate.den : 0;
    if (const auto* side = reinterpret_cast<const AVMasteringDisplayMetadata*>(
            av_stream_get_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, nullptr)))
        video.brightest = static_cast<int>(av_q2d(side->max_luminance));
    AVPacket* packet = av_packet_alloc();
    AVFrame* frame = av_frame_alloc();
    for (bool more = true; more;) {
        more = av_read_frame(format, packet) >= 0;
        avcodec_send_packet(codec, more ? packet : nullptr);
        av_packet_unref(packet);
        while (avcodec_receive_frame(codec, frame) >= 0) {
            if (frame->format == AV_PIX_FMT_YUV420P10LE) {
                video.bt2020_pq = frame->colorspace == AVCOL_SPC_BT2020_NCL &&
                                  frame->color_primaries == AVCOL_PRI_BT2020 && frame->color_trc == AVCOL_TRC_SMPTE2084;
                const auto* row =
                    reinterpret_cast<const std::uint16_t*>(frame->data[0] + frame->height / 2 * frame->linesize[0]);
                video.middle_luma = (row[frame->width / 2] - 64) / 876.0;
            }
            video.bt709 = frame->colorspace == AVCOL_SPC_BT709;
            video.pictures.push_back(convert(*frame));
        }
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    avformat_close_input(&format);
    return video;
}

}  // namespace orrery::test
