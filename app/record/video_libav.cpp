// SPDX-License-Identifier: MIT
extern "C" {
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <vector>

#include "app/record/encoder_menu.hpp"
#include "app/record/palette.hpp"
#include "app/record/png_recorders.hpp"
#include "app/record/video.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

std::string words(int status) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(status, text.data(), text.size());
    return text.data();
}

struct Free {
    void operator()(AVCodecContext* codec) const noexcept { avcodec_free_context(&codec); }
    void operator()(AVFrame* frame) const noexcept { av_frame_free(&frame); }
    void operator()(AVPacket* packet) const noexcept { av_packet_free(&packet); }
    void operator()(SwsContext* scaler) const noexcept { sws_freeContext(scaler); }
    void operator()(AVFormatContext* format) const noexcept {
        if (format->pb) avio_closep(&format->pb);
        avformat_free_context(format);
    }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

/// 4:2:0 halves the colour in both directions: an odd picture gets its last column and row twice.
int even(int size) { return size + size % 2; }

Owned<AVCodecContext> open_encoder(const EncoderEntry& entry, const RecorderConfig& config, bool global_header,
                                   std::string& why) {
    const AVCodec* encoder = avcodec_find_encoder_by_name(entry.name);
    if (!encoder) {
        why += fmt::format("{}{}: not in this libav", why.empty() ? "" : "; ", entry.name);
        return nullptr;
    }
    Owned<AVCodecContext> codec{avcodec_alloc_context3(encoder)};
    const bool halved = entry.format == AV_PIX_FMT_YUV420P;
    codec->width = halved ? even(config.width) : config.width;
    codec->height = halved ? even(config.height) : config.height;
    codec->time_base = {1, config.fps};
    codec->framerate = {config.fps, 1};
    codec->pix_fmt = entry.format;
    codec->gop_size = config.fps;  // a fragment of the file per second: what a killed process can lose
    codec->thread_count = 0;
    if (halved) {
        codec->colorspace = AVCOL_SPC_BT709;
        codec->color_primaries = AVCOL_PRI_BT709;
        codec->color_trc = AVCOL_TRC_BT709;
        codec->color_range = AVCOL_RANGE_MPEG;
    }
    if (global_header) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVDictionary* options = nullptr;
    entry.configure(*codec, options, config);
    const int status = avcodec_open2(codec.get(), encoder, &options);
    av_dict_free(&options);
    if (status >= 0) return codec;
    why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", entry.name, words(status));
    return nullptr;
}

/// GIF counts hundredths of a second, and players slow down what is shorter than two of them.
constexpr int kGifFps = 50;

/// How many pictures a file, perhaps cut off, still gives.
std::int64_t frames_in(const std::filesystem::path& path) {
    AVFormatContext* format = nullptr;
    if (avformat_open_input(&format, ("file:" + path.string()).c_str(), nullptr, nullptr) < 0) return 0;
    const Owned<AVPacket> packet{av_packet_alloc()};
    std::int64_t count = 0;
    while (av_read_frame(format, packet.get()) >= 0) {
        if ((packet->flags & AV_PKT_FLAG_CORRUPT) == 0) ++count;
        av_packet_unref(packet.get());
    }
    avformat_close_input(&format);
    return count;
}

/// Writes NAME.partial.EXT, fragment after fragment, and renames it when it is whole.
class VideoRecorder : public Recorder {
public:
    VideoRecorder(const RecorderConfig& config, std::string_view container);
    VideoRecorder(const VideoRecorder&) = delete;
    VideoRecorder& operator=(const VideoRecorder&) = delete;
    ~VideoRecorder() override;
    void add(const Image& image) override;
    void finish() override;
    std::string description() const override { return description_; }

private:
    void choose_encoder(std::string_view container);
    void open_file();
    void open_converter();
    void convert(const Image& image);
    void encode_converted();
    void encode(const AVFrame* frame);
    void close();
    void check(int status);
    [[noreturn]] void fail(int status);

    RecorderConfig config_;
    std::filesystem::path partial_;
    std::string description_;
    Owned<AVFormatContext> format_;
    Owned<AVCodecContext> codec_;
    Owned<AVFrame> frame_{av_frame_alloc()};
    Owned<AVPacket> packet_{av_packet_alloc()};
    Owned<SwsContext> scaler_;
    std::unique_ptr<PaletteFilter> palette_;  // of GIF
    Owned<AVFrame> colored_{av_frame_alloc()};
    AVStream* stream_ = nullptr;
    std::vector<std::uint8_t> padded_;  // of an odd picture
    std::int64_t added_ = 0;
};

VideoRecorder::VideoRecorder(const RecorderConfig& config, std::string_view container) : config_{config} {
    av_log_set_level(AV_LOG_QUIET);  // encoders chat on stderr; what matters comes back as a status
    partial_ =
        config_.path.parent_path() / (config_.path.stem().string() + ".partial" + config_.path.extension().string());
    AVFormatContext* format = nullptr;
    if (container == "gif") config_.fps = std::min(config_.fps, kGifFps);
    avformat_alloc_output_context2(&format, nullptr, std::string{container}.c_str(), nullptr);
    if (!format) environment_error(fmt::format("{}: this libav cannot write {}", config_.path.string(), container));
    format_.reset(format);
    choose_encoder(container);
    open_converter();
    open_file();
}

void VideoRecorder::open_converter() {
    const AVPixelFormat drawn = codec_->pix_fmt == AV_PIX_FMT_PAL8 ? AV_PIX_FMT_RGBA : codec_->pix_fmt;
    frame_->format = drawn;
    frame_->width = codec_->width;
    frame_->height = codec_->height;
    check(av_frame_get_buffer(frame_.get(), 0));
    scaler_.reset(sws_getContext(codec_->width, codec_->height, AV_PIX_FMT_RGBA, codec_->width, codec_->height, drawn,
                                 SWS_BILINEAR, nullptr, nullptr, nullptr));
    if (!scaler_) environment_error(fmt::format("{}: libswscale refuses the size", config_.path.string()));
    const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
    constexpr int kOne = 1 << 16;
    if (drawn == AV_PIX_FMT_YUV420P) sws_setColorspaceDetails(scaler_.get(), bt709, 1, bt709, 0, 0, kOne, kOne);
    if (codec_->pix_fmt == AV_PIX_FMT_PAL8)
        palette_ = std::make_unique<PaletteFilter>(config_.path.string(), codec_->width, codec_->height, config_.fps);
}

void VideoRecorder::choose_encoder(std::string_view container) {
    const bool global_header = (format_->oformat->flags & AVFMT_GLOBALHEADER) != 0;
    std::string why;
    for (const EncoderEntry& entry : encoder_menu()) {
        if (entry.container != container) continue;
        codec_ = open_encoder(entry, config_, global_header, why);
        if (!codec_) continue;
        std::string label{container};
        std::ranges::transform(label, label.begin(),
                               [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        description_ = fmt::format("{}, {}", container == "webm" ? "WebM" : label, entry.name);
        if (container == "gif") description_ += fmt::format(", {} pictures per second", config_.fps);
        return;
    }
    environment_error(fmt::format("{}: no encoder works: {}", config_.path.string(), why));
}

void VideoRecorder::open_file() {
    stream_ = avformat_new_stream(format_.get(), nullptr);
    check(avcodec_parameters_from_context(stream_->codecpar, codec_.get()));
    stream_->time_base = codec_->time_base;
    stream_->avg_frame_rate = codec_->framerate;
    if (std::filesystem::is_directory(config_.path)) fail(AVERROR(EISDIR));
    // "file:" keeps a colon in a name from being taken for a protocol.
    check(avio_open(&format_->pb, ("file:" + partial_.string()).c_str(), AVIO_FLAG_WRITE));
    AVDictionary* options = nullptr;
    // MP4 in fragments: a file that ends anywhere plays up to there.
    av_dict_set(&options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
    av_dict_set_int(&options, "cluster_time_limit", 1000, 0);
    format_->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    const int status = avformat_write_header(format_.get(), &options);
    av_dict_free(&options);
    check(status);
}

void VideoRecorder::convert(const Image& image) {
    const std::uint8_t* pixels = image.rgba.data();
    const int width = codec_->width, height = codec_->height;
    if (width != image.width || height != image.height) {
        const auto stride = static_cast<std::size_t>(width) * 4, row = static_cast<std::size_t>(image.width) * 4;
        padded_.resize(stride * static_cast<std::size_t>(height));
        for (int y = 0; y < height; ++y) {
            std::uint8_t* to = padded_.data() + static_cast<std::size_t>(y) * stride;
            const std::uint8_t* from = image.row(std::min(y, image.height - 1));
            std::memcpy(to, from, row);
            std::memcpy(to + stride - 4, from + row - 4, 4);
        }
        pixels = padded_.data();
    }
    const std::array<const std::uint8_t*, 1> planes{pixels};
    const std::array<int, 1> strides{width * 4};
    sws_scale(scaler_.get(), planes.data(), strides.data(), 0, height, frame_->data, frame_->linesize);
}

void VideoRecorder::add(const Image& image) {
    check_size(config_, image);
    if (!format_ || !format_->pb) environment_error(config_.path.string() + ": the recording has already ended");
    check(av_frame_make_writable(frame_.get()));
    convert(image);
    frame_->pts = added_++;
    if (!palette_) return encode(frame_.get());
    palette_->push(frame_.get());
    encode_converted();
}

void VideoRecorder::encode_converted() {
    while (palette_->pull(colored_.get())) encode(colored_.get());
}

/// A null frame drains the encoder.
void VideoRecorder::encode(const AVFrame* frame) {
    check(avcodec_send_frame(codec_.get(), frame));
    while (true) {
        const int status = avcodec_receive_packet(codec_.get(), packet_.get());
        if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
        check(status);
        packet_->duration = 1;
        av_packet_rescale_ts(packet_.get(), codec_->time_base, stream_->time_base);
        packet_->stream_index = stream_->index;
        check(av_interleaved_write_frame(format_.get(), packet_.get()));
        check(format_->pb->error);  // the muxer does not always pass a full disk on
    }
}

void VideoRecorder::close() {
    if (palette_) {
        palette_->push(nullptr);
        encode_converted();
    }
    encode(nullptr);
    check(av_write_trailer(format_.get()));
    avio_flush(format_->pb);
    check(format_->pb->error);
    check(avio_closep(&format_->pb));
}

void VideoRecorder::finish() {
    if (!format_ || !format_->pb) environment_error(config_.path.string() + ": the recording has already ended");
    close();
    std::error_code error;
    std::filesystem::rename(partial_, config_.path, error);
    if (error) {
        environment_error(fmt::format("{}: cannot be written: {}; the video is in {}", config_.path.string(),
                                      error.message(), partial_.string()));
    }
}

void VideoRecorder::check(int status) {
    if (status < 0) fail(status);
}

void VideoRecorder::fail(int status) {
    std::string kept;
    if (format_ && format_->pb) {
        format_.reset();
        const std::int64_t frames = frames_in(partial_);
        if (frames > 0) kept = fmt::format("; the first {} pictures are kept in {}", frames, partial_.string());
        std::error_code ignored;
        if (frames == 0) std::filesystem::remove(partial_, ignored);
    }
    environment_error(fmt::format("{}: cannot be written: {}{}", config_.path.string(), words(status), kept));
}

VideoRecorder::~VideoRecorder() {
    if (!format_ || !format_->pb) return;
    try {
        close();
    } catch (const Error&) {  // the part that reached the disk plays
    }
    std::error_code ignored;
    if (added_ == 0) std::filesystem::remove(partial_, ignored);
}

}  // namespace

std::string why_no_video(std::string_view container) {
    std::string names;
    for (const EncoderEntry& entry : encoder_menu()) {
        if (entry.container != container) continue;
        if (avcodec_find_encoder_by_name(entry.name)) return {};
        names += (names.empty() ? "" : ", ") + std::string{entry.name};
    }
    return "this libav has none of the encoders " + names;
}

std::unique_ptr<Recorder> make_video_recorder(const RecorderConfig& config, std::string_view container) {
    return std::make_unique<VideoRecorder>(config, container);
}

std::vector<VideoEncoder> list_video_encoders() {
    std::vector<VideoEncoder> list;
    for (const EncoderEntry& entry : encoder_menu()) {
        list.push_back({std::string{entry.container}, entry.name, avcodec_find_encoder_by_name(entry.name) != nullptr});
    }
    return list;
}

}  // namespace orrery
