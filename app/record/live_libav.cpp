// SPDX-License-Identifier: MIT
#include "app/record/video.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/dict.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/record/video_encoder.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

/// An encoder of H.264, with its options for low latency.
struct LiveEntry {
    const char* name;
    std::array<std::pair<const char*, const char*>, 6> options;
};

constexpr std::array kLiveMenu{
    LiveEntry{"h264_nvenc",
              {{{"preset", "p3"},
                {"tune", "ull"},
                {"rc", "cbr"},
                {"zerolatency", "1"},
                {"delay", "0"},
                {"forced-idr", "1"}}}},
    LiveEntry{"libx264", {{{"preset", "superfast"}, {"tune", "zerolatency"}, {"forced-idr", "1"}}}},
    LiveEntry{"libopenh264", {{{"allow_skip_frames", "0"}}}}};

constexpr int kMostThreads = 4;

void set_rate(AVCodecContext& codec, double bit_rate) {
    codec.bit_rate = std::llround(bit_rate);
    codec.rc_max_rate = codec.bit_rate;
    codec.rc_buffer_size = static_cast<int>(std::min(codec.bit_rate / 4, std::int64_t{1} << 30));
}

LibavOwned<AVCodecContext> open_live(const LiveEntry& entry, const LiveConfig& config, std::string& why) {
    const AVCodec* encoder = avcodec_find_encoder_by_name(entry.name);
    if (!encoder) {
        why += fmt::format("{}: not in this libav; ", entry.name);
        return nullptr;
    }
    LibavOwned<AVCodecContext> codec{avcodec_alloc_context3(encoder)};
    codec->width = config.width, codec->height = config.height;
    codec->time_base = {1, config.fps};
    codec->framerate = {config.fps, 1};
    codec->pix_fmt = AV_PIX_FMT_YUV420P;
    codec->gop_size = 60 * config.fps;  // key frames are made on request
    codec->max_b_frames = 0;
    codec->thread_count = kMostThreads;
    codec->thread_type = FF_THREAD_SLICE;
    codec->colorspace = AVCOL_SPC_BT709;
    codec->color_primaries = AVCOL_PRI_BT709;
    codec->color_trc = AVCOL_TRC_BT709;
    codec->color_range = AVCOL_RANGE_MPEG;
    set_rate(*codec, config.bit_rate);
    AVDictionary* options = nullptr;
    for (const auto& [key, value] : entry.options)
        if (key) av_dict_set(&options, key, value, 0);
    const int status = avcodec_open2(codec.get(), encoder, &options);
    av_dict_free(&options);
    if (status >= 0) return codec;
    why += fmt::format("{}: {}; ", entry.name, libav_words(status));
    return nullptr;
}

class LibavLive final : public LiveEncoder {
public:
    LibavLive(const LiveEntry& entry, LibavOwned<AVCodecContext> codec, const LiveConfig& config)
        : name_{entry.name},
          codec_{std::move(codec)},
          converter_{name_, config.width, config.height, AV_PIX_FMT_YUV420P} {}

    bool encode(const Image& image, bool key, double bit_rate, std::vector<std::uint8_t>& into) override {
        set_rate(*codec_, bit_rate);
        const auto converted = converter_.convert(image);
        AVFrame& frame = converted->frame();
        frame.pts = next_++;
        frame.pict_type = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
        require(avcodec_send_frame(codec_.get(), &frame));
        bool is_key = false;
        int status = 0;
        while ((status = avcodec_receive_packet(codec_.get(), packet_.get())) >= 0) {
            into.insert(into.end(), packet_->data, packet_->data + packet_->size);
            is_key |= (packet_->flags & AV_PKT_FLAG_KEY) != 0;
            av_packet_unref(packet_.get());
        }
        if (status != AVERROR(EAGAIN)) require(status);
        return is_key;
    }
    const std::string& name() const override { return name_; }

private:
    void require(int status) const {
        if (status < 0) environment_error(fmt::format("{}: {}", name_, libav_words(status)));
    }

    std::string name_;
    LibavOwned<AVCodecContext> codec_;
    PictureConverter converter_;
    LibavOwned<AVPacket> packet_{av_packet_alloc()};
    std::int64_t next_ = 0;
};

}  // namespace

std::unique_ptr<LiveEncoder> make_live_encoder(const LiveConfig& config) {
    av_log_set_level(AV_LOG_QUIET);  // encoders print to stderr; errors are returned as a status
    std::string why;
    for (const LiveEntry& entry : kLiveMenu)
        if (auto codec = open_live(entry, config, why))
            return std::make_unique<LibavLive>(entry, std::move(codec), config);
    environment_error(fmt::format("no encoder of H.264 works: {}", why.substr(0, why.size() - 2)));
}

}  // namespace orrery
