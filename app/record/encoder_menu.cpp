// SPDX-License-Identifier: MIT
#include "app/record/encoder_menu.hpp"

extern "C" {
#include <libavutil/dict.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace orrery {
namespace {

/// Interpolates from `worst` at quality 1 to `best` at 100.
int scaled(int quality, double worst, double best) {
    return static_cast<int>(std::lround(worst + (best - worst) * (quality - 1) / 99.0));
}

/// For encoders without a constant-quality mode: 0.15 bits per pixel at quality 80.
std::int64_t bit_rate(const RecorderConfig& c) {
    const double bits = 0.15 * std::pow(2.0, (c.quality - 80) / 20.0);
    return std::max<std::int64_t>(200'000, std::llround(bits * c.width * c.height * c.fps));
}

void x264(AVCodecContext&, AVDictionary*& options, const RecorderConfig& config) {
    av_dict_set(&options, "preset", "veryfast", 0);
    av_dict_set_int(&options, "crf", scaled(config.quality, 50, 10), 0);
}

void by_bit_rate(AVCodecContext& codec, AVDictionary*&, const RecorderConfig& config) {
    codec.bit_rate = bit_rate(config);
}

void vpx(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config) {
    // With rate 0, VP9 uses the quality alone; VP8 uses the rate as its limit.
    codec.bit_rate = codec.codec_id == AV_CODEC_ID_VP9 ? 0 : 2 * bit_rate(config);
    av_dict_set_int(&options, "crf", scaled(config.quality, 60, 10), 0);
    av_dict_set(&options, "deadline", "realtime", 0);
    av_dict_set_int(&options, "cpu-used", 6, 0);
    if (codec.codec_id == AV_CODEC_ID_VP9) av_dict_set_int(&options, "row-mt", 1, 0);
}

void svt_av1(AVCodecContext&, AVDictionary*& options, const RecorderConfig& config) {
    av_dict_set_int(&options, "preset", 9, 0);
    av_dict_set_int(&options, "crf", scaled(config.quality, 60, 15), 0);
}

void aom_av1(AVCodecContext&, AVDictionary*& options, const RecorderConfig& config) {
    av_dict_set_int(&options, "cpu-used", 8, 0);
    av_dict_set(&options, "usage", "realtime", 0);
    av_dict_set_int(&options, "crf", scaled(config.quality, 60, 15), 0);
}

void mpeg4(AVCodecContext& codec, AVDictionary*&, const RecorderConfig& config) {
    codec.flags |= AV_CODEC_FLAG_QSCALE;
    codec.global_quality = FF_QP2LAMBDA * scaled(config.quality, 31, 1);
}

void nvenc(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config) {
    codec.bit_rate = 0;  // constant quality
    av_dict_set(&options, "preset", "p4", 0);
    av_dict_set(&options, "rc", "vbr", 0);
    av_dict_set_int(&options, "cq", scaled(config.quality, 50, 12), 0);
}

void vaapi(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config) {
    av_dict_set(&options, "rc_mode", "CQP", 0);
    codec.global_quality = scaled(config.quality, 50, 12);
}

/// Units of 0.00002 and of 0.0001 cd/m²: for players that read the stream's metadata instead of the container's.
void x265(AVCodecContext&, AVDictionary*& options, const RecorderConfig& config) {
    using S = HdrScreen;
    const auto pair = [](const double(&p)[2]) {
        return fmt::format("({},{})", std::lround(p[0] * 50000), std::lround(p[1] * 50000));
    };
    const std::string parameters = fmt::format(
        "log-level=none:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
        "master-display=G{}B{}R{}WP{}L({},{}):max-cll={},0",
        pair(S::kGreen), pair(S::kBlue), pair(S::kRed), pair(S::kWhite), S::kBrightest * 10000,
        std::lround(S::kDarkest * 10000), S::kBrightest);
    av_dict_set(&options, "preset", "superfast", 0);
    av_dict_set_int(&options, "crf", scaled(config.quality, 50, 10), 0);
    av_dict_set(&options, "x265-params", parameters.c_str(), 0);
}

void exact(AVCodecContext&, AVDictionary*&, const RecorderConfig&) {}

}  // namespace

std::span<const EncoderEntry> encoder_menu() {
    // H.264 plays everywhere. NVIDIA's H.264 encoder is limited to 4096 pixels, its HEVC encoder to 8192.
    static constexpr auto menu = std::to_array<EncoderEntry>(
        {{"mp4", "h264_nvenc", nvenc, AV_PIX_FMT_YUV420P, true},
         {"mp4", "h264_vaapi", vaapi, AV_PIX_FMT_NV12, true, AV_HWDEVICE_TYPE_VAAPI},
         {"mp4", "hevc_nvenc", nvenc, AV_PIX_FMT_YUV420P, true},
         {"mp4", "av1_nvenc", nvenc, AV_PIX_FMT_YUV420P, true},
         {"mp4", "libx264", x264},
         {"mp4", "libopenh264", by_bit_rate},
         {"mp4", "libsvtav1", svt_av1},
         {"mp4", "libaom-av1", aom_av1},
         {"mp4", "mpeg4", mpeg4},
         {"webm", "libvpx-vp9", vpx},
         {"webm", "libvpx", vpx},
         {"webm", "libsvtav1", svt_av1},
         {"webm", "libaom-av1", aom_av1},
         {"mp4", "libx265", x265, AV_PIX_FMT_YUV420P10, false, AV_HWDEVICE_TYPE_NONE, true},
         {"mp4", "libsvtav1", svt_av1, AV_PIX_FMT_YUV420P10, false, AV_HWDEVICE_TYPE_NONE, true},
         {"webm", "libsvtav1", svt_av1, AV_PIX_FMT_YUV420P10, false, AV_HWDEVICE_TYPE_NONE, true},
         {"webm", "libvpx-vp9", vpx, AV_PIX_FMT_YUV420P10, false, AV_HWDEVICE_TYPE_NONE, true},
         {"gif", "gif", exact, AV_PIX_FMT_PAL8},
         {"apng", "apng", exact, AV_PIX_FMT_RGB24}});
    return menu;
}

}  // namespace orrery
