// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>

namespace orrery {

/// libav's message for a status.
std::string libav_words(int status);

struct FreeLibav {
    void operator()(AVCodecContext* codec) const noexcept { avcodec_free_context(&codec); }
    void operator()(AVFrame* frame) const noexcept { av_frame_free(&frame); }
    void operator()(AVPacket* packet) const noexcept { av_packet_free(&packet); }
    void operator()(AVBufferRef* buffer) const noexcept { av_buffer_unref(&buffer); }
    void operator()(SwsContext* scaler) const noexcept { sws_freeContext(scaler); }
    void operator()(AVFormatContext* format) const noexcept {
        if (format->pb) avio_closep(&format->pb);
        avformat_free_context(format);
    }
};
template <class T>
using LibavOwned = std::unique_ptr<T, FreeLibav>;

}  // namespace orrery
