// SPDX-License-Identifier: MIT
#include "app/record/video_encoder.hpp"

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/dict.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {

/// A libswscale context serves one thread at a time, so each frame in progress has its own.
struct ConvertedPicture::Parts {
    LibavOwned<SwsContext> scaler;
    LibavOwned<AVFrame> frame{av_frame_alloc()};
    std::vector<std::uint8_t> padded;  // for frames of odd size
};

ConvertedPicture::~ConvertedPicture() {
    if (!parts_) return;
    const std::lock_guard lock{home_->mutex_};
    home_->spare_.push_back(std::move(parts_));
}

AVFrame& ConvertedPicture::frame() const { return *parts_->frame; }

PictureConverter::PictureConverter(std::string name, int width, int height, AVPixelFormat format)
    : name_{std::move(name)}, width_{width}, height_{height}, format_{format}, deep_{format == AV_PIX_FMT_YUV420P10} {
    spare_.push_back(make());  // fails early if conversion is impossible
}

PictureConverter::~PictureConverter() = default;

std::unique_ptr<PictureConverter::Parts> PictureConverter::make() const {
    auto parts = std::make_unique<Parts>();
    parts->scaler.reset(sws_getContext(width_, height_, deep_ ? AV_PIX_FMT_RGB48 : AV_PIX_FMT_RGBA, width_, height_,
                                       format_, SWS_BILINEAR, nullptr, nullptr, nullptr));
    if (!parts->scaler) environment_error(fmt::format("{}: libswscale refuses the size", name_));
    const int* matrix = sws_getCoefficients(deep_ ? SWS_CS_BT2020 : SWS_CS_ITU709);
    constexpr int kOne = 1 << 16;
    if (deep_ || format_ == AV_PIX_FMT_YUV420P || format_ == AV_PIX_FMT_NV12)
        sws_setColorspaceDetails(parts->scaler.get(), matrix, 1, matrix, 0, 0, kOne, kOne);
    return parts;
}

std::unique_ptr<PictureConverter::Parts> PictureConverter::spare() const {
    std::unique_ptr<Parts> parts;
    {
        const std::lock_guard lock{mutex_};
        if (!spare_.empty()) {
            parts = std::move(spare_.back());
            spare_.pop_back();
        }
    }
    if (!parts) parts = make();
    AVFrame& frame = *parts->frame;
    if (frame.buf[0] && av_frame_is_writable(&frame)) return parts;
    av_frame_unref(&frame);  // an encoder still reads the old one
    frame.format = format_, frame.width = width_, frame.height = height_;
    if (const int status = av_frame_get_buffer(&frame, 0); status < 0)
        environment_error(fmt::format("{}: no memory for a frame: {}", name_, libav_words(status)));
    return parts;
}

std::unique_ptr<ConvertedPicture> PictureConverter::convert(const Image& image) const {
    auto picture = std::make_unique<ConvertedPicture>();
    picture->home_ = this;
    picture->parts_ = spare();
    Parts& parts = *picture->parts_;
    if (deep_ != (image.deep && !image.deep->rgb.empty()))
        usage_error(fmt::format("{}: the bit depth of the frames differs from that of the video", name_));
    const std::uint8_t* pixels =
        deep_ ? reinterpret_cast<const std::uint8_t*>(image.deep->rgb.data()) : image.rgba.data();
    const std::size_t pixel = deep_ ? 3 * sizeof(std::uint16_t) : 4;
    if (width_ != image.width || height_ != image.height) {
        const auto stride = static_cast<std::size_t>(width_) * pixel,
                   row = static_cast<std::size_t>(image.width) * pixel;
        parts.padded.resize(stride * static_cast<std::size_t>(height_));
        for (int y = 0; y < height_; ++y) {
            std::uint8_t* to = parts.padded.data() + static_cast<std::size_t>(y) * stride;
            const std::uint8_t* from = pixels + static_cast<std::size_t>(std::min(y, image.height - 1)) * row;
            std::memcpy(to, from, row);
            std::memcpy(to + stride - pixel, from + row - pixel, pixel);
        }
        pixels = parts.padded.data();
    }
    const std::array<const std::uint8_t*, 1> planes{pixels};
    const std::array<int, 1> strides{width_ * static_cast<int>(pixel)};
    sws_scale(parts.scaler.get(), planes.data(), strides.data(), 0, height_, parts.frame->data, parts.frame->linesize);
    return picture;
}

struct PaletteFilter::Graph {
    AVFilterGraph* graph = avfilter_graph_alloc();
    AVFilterContext *source = nullptr, *sink = nullptr;

    Graph() = default;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { avfilter_graph_free(&graph); }

    /// libavfilter's status.
    int build(int width, int height, int fps) {
        const std::string input = fmt::format("video_size={}x{}:pix_fmt={}:time_base=1/{}:pixel_aspect=1/1", width,
                                              height, static_cast<int>(AV_PIX_FMT_RGBA), fps);
        int status =
            avfilter_graph_create_filter(&source, avfilter_get_by_name("buffer"), "in", input.c_str(), nullptr, graph);
        if (status < 0) return status;
        status =
            avfilter_graph_create_filter(&sink, avfilter_get_by_name("buffersink"), "out", nullptr, nullptr, graph);
        if (status < 0) return status;
        AVFilterInOut* outputs = avfilter_inout_alloc();
        AVFilterInOut* inputs = avfilter_inout_alloc();
        *outputs = {av_strdup("in"), source, 0, nullptr};
        *inputs = {av_strdup("out"), sink, 0, nullptr};
        status = avfilter_graph_parse_ptr(graph,
                                          "[in]split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
                                          "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4[out]",
                                          &inputs, &outputs, nullptr);
        avfilter_inout_free(&inputs);
        avfilter_inout_free(&outputs);
        return status < 0 ? status : avfilter_graph_config(graph, nullptr);
    }
};

PaletteFilter::PaletteFilter(const std::string& name, int width, int height, int fps)
    : name_{name}, graph_{std::make_unique<Graph>()} {
    if (graph_->build(width, height, fps) < 0)
        environment_error(fmt::format("{}: libavfilter cannot choose colours for {} × {} pixels", name, width, height));
}

PaletteFilter::~PaletteFilter() = default;

void PaletteFilter::push(AVFrame* picture) {
    if (av_buffersrc_add_frame_flags(graph_->source, picture, AV_BUFFERSRC_FLAG_KEEP_REF) < 0)
        environment_error(fmt::format("{}: libavfilter refused a frame", name_));
}

bool PaletteFilter::pull(AVFrame* out) {
    av_frame_unref(out);
    const int status = av_buffersink_get_frame(graph_->sink, out);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return false;
    if (status < 0) environment_error(fmt::format("{}: libavfilter returned no frame", name_));
    return true;
}

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

/// Width or height that an encoder of this format needs for frames of this size: 4:2:0 halves the chroma in both
/// directions, so a frame of odd size repeats its last column or row.
int encoded_size(AVPixelFormat format, int size) { return halved(format) ? size + size % 2 : size; }

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

std::string libav_words(int status) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(status, text.data(), text.size());
    return text.data();
}

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
