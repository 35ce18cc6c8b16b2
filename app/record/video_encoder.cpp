// SPDX-License-Identifier: MIT
#include "app/record/video_encoder.hpp"

#include <fmt/format.h>

#include <array>

#include "core/base/error.hpp"

namespace orrery {
namespace {

bool halved(AVPixelFormat format) {
    return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_NV12 || format == AV_PIX_FMT_YUV420P10;
}

/// Allocates frames in the memory of the encoder's device.
int open_device(AVCodecContext& codec, const EncoderEntry& entry) {
    AVBufferRef* raw = nullptr;
    if (const int status = av_hwdevice_ctx_create(&raw, entry.device, nullptr, nullptr, 0); status < 0) return status;
    const LibavOwned<AVBufferRef> device{raw};
    LibavOwned<AVBufferRef> pictures{av_hwframe_ctx_alloc(device.get())};
    if (!pictures) return AVERROR(ENOMEM);
    auto& context = *reinterpret_cast<AVHWFramesContext*>(pictures->data);
    context.format = AV_PIX_FMT_VAAPI;
    context.sw_format = entry.format;
    context.width = codec.width, context.height = codec.height;
    context.initial_pool_size = 16;
    if (const int status = av_hwframe_ctx_init(pictures.get()); status < 0) return status;
    codec.pix_fmt = AV_PIX_FMT_VAAPI;
    codec.hw_frames_ctx = pictures.release();
    return 0;
}

LibavOwned<AVCodecContext> open(const EncoderEntry& entry, const RecorderConfig& config, bool global_header,
                                std::string& why) {
    const AVCodec* encoder = avcodec_find_encoder_by_name(entry.name);
    if (!encoder) {
        why = fmt::format("{}: not in this libav", entry.name);
        return nullptr;
    }
    LibavOwned<AVCodecContext> codec{avcodec_alloc_context3(encoder)};
    codec->width = encoded_size(entry.format, config.width);
    codec->height = encoded_size(entry.format, config.height);
    codec->time_base = {1, config.fps};
    codec->framerate = {config.fps, 1};
    codec->pix_fmt = entry.format;
    codec->gop_size = config.fps;  // one fragment per second: the most that a killed process loses
    codec->thread_count = 0;
    if (halved(entry.format)) {
        codec->colorspace = AVCOL_SPC_BT709;
        codec->color_primaries = AVCOL_PRI_BT709;
        codec->color_trc = AVCOL_TRC_BT709;
        codec->color_range = AVCOL_RANGE_MPEG;
    }
    if (entry.hdr) {
        codec->colorspace = AVCOL_SPC_BT2020_NCL;
        codec->color_primaries = AVCOL_PRI_BT2020;
        codec->color_trc = AVCOL_TRC_SMPTE2084;
    }
    if (global_header) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    int status = entry.device == AV_HWDEVICE_TYPE_NONE ? 0 : open_device(*codec, entry);
    if (status >= 0) {
        AVDictionary* options = nullptr;
        entry.configure(*codec, options, config);
        status = avcodec_open2(codec.get(), encoder, &options);
        av_dict_free(&options);
    }
    if (status >= 0) return codec;
    why = fmt::format("{}: {}", entry.name, libav_words(status));
    return nullptr;
}

}  // namespace

std::string libav_words(int status) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(status, text.data(), text.size());
    return text.data();
}

int encoded_size(AVPixelFormat format, int size) { return halved(format) ? size + size % 2 : size; }

OpenEncoder open_encoder(std::string_view container, const RecorderConfig& config, bool global_header) {
    std::string all, known;
    for (const EncoderEntry& entry : encoder_menu()) {
        if (entry.container != container || entry.hdr != (config.bits == 10)) continue;
        known += (known.empty() ? "" : ", ") + std::string{entry.name};
        if (!config.encoder.empty() && config.encoder != entry.name) continue;
        std::string why;
        if (auto codec = open(entry, config, global_header, why)) return {&entry, std::move(codec)};
        all += (all.empty() ? "" : "; ") + why;
    }
    if (all.empty())
        usage_error(fmt::format("{}: no encoder '{}' for {}{}; known encoders: {}", config.path.string(),
                                config.encoder, container, config.bits == 10 ? " with 10 bits" : "", known));
    environment_error(fmt::format("{}: no encoder works: {}", config.path.string(), all));
}

std::string why_not(const EncoderEntry& entry) {
    if (!entry.gpu)
        return avcodec_find_encoder_by_name(entry.name) ? "" : fmt::format("{}: not in this libav", entry.name);
    constexpr int kWidth = 640, kHeight = 360;
    std::string why;
    open(entry, {.path = {}, .width = kWidth, .height = kHeight, .fps = 30}, false, why);
    return why;
}

LibavOwned<AVFrame> uploaded(const AVCodecContext& codec, const AVFrame& picture, int& status) {
    LibavOwned<AVFrame> frame{av_frame_alloc()};
    status = av_hwframe_get_buffer(codec.hw_frames_ctx, frame.get(), 0);
    if (status >= 0) status = av_hwframe_transfer_data(frame.get(), &picture, 0);
    if (status < 0) return nullptr;
    frame->pts = picture.pts;
    return frame;
}

}  // namespace orrery
