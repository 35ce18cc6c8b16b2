// SPDX-License-Identifier: MIT
extern "C" {
#include <libavutil/mastering_display_metadata.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/record/picture_files.hpp"
#include "app/record/video.hpp"
#include "app/record/video_encoder.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

// "file:" prevents a colon in a name from being parsed as a protocol.
std::string url_of(const std::filesystem::path& path) { return "file:" + path.string(); }

/// An open input file.
class Input {
public:
    ~Input() { avformat_close_input(&format_); }
    Input() = default;
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    int open(const std::filesystem::path& path) {
        const int status = avformat_open_input(&format_, url_of(path).c_str(), nullptr, nullptr);
        if (status < 0) return status;
        return format_->nb_streams == 1 ? 0 : AVERROR_INVALIDDATA;
    }
    AVFormatContext* operator->() const { return format_; }
    AVFormatContext* get() const { return format_; }

private:
    AVFormatContext* format_ = nullptr;
};

/// Copies all packets; the first frame gets time 0.
int copy_packets(const Input& in, AVFormatContext& out) {
    const LibavOwned<AVPacket> packet{av_packet_alloc()};
    const AVRational from = in->streams[0]->time_base, to = out.streams[0]->time_base;
    std::int64_t first = AV_NOPTS_VALUE;
    for (;;) {
        int status = av_read_frame(in.get(), packet.get());
        if (status == AVERROR_EOF) return 0;
        if (status < 0) return status;
        if (first == AV_NOPTS_VALUE) first = packet->pts;
        packet->pts -= first, packet->dts -= first;
        av_packet_rescale_ts(packet.get(), from, to);
        packet->stream_index = 0, packet->pos = -1;
        status = av_interleaved_write_frame(&out, packet.get());
        if (status < 0) return status;
        if (out.pb->error < 0) return out.pb->error;
    }
}

/// Copies a fragmented MP4 to one with its duration in the header and its index in front, so that editors know its
/// length and players need not seek. `rate`: frames per second. `describe` adds side data to the stream. Returns
/// libav's status; if negative, `to` may contain a part.
int write_indexed_mp4(const std::filesystem::path& from, const std::filesystem::path& to, AVRational rate,
                      const std::function<void(AVStream&)>& describe) {
    Input in;
    int status = in.open(from);
    if (status < 0) return status;
    AVFormatContext* made = nullptr;
    status = avformat_alloc_output_context2(&made, nullptr, "mp4", url_of(to).c_str());
    if (status < 0) return status;
    const LibavOwned<AVFormatContext> out{made};
    AVStream* stream = avformat_new_stream(made, nullptr);
    if (!stream) return AVERROR(ENOMEM);
    // The encoder's parameters have headers with start codes, but the packets no longer do.
    status = avcodec_parameters_copy(stream->codecpar, in->streams[0]->codecpar);
    if (status < 0) return status;
    describe(*stream);
    stream->time_base = in->streams[0]->time_base;
    stream->avg_frame_rate = rate;
    status = avio_open(&made->pb, url_of(to).c_str(), AVIO_FLAG_WRITE);
    if (status < 0) return status;
    AVDictionary* options = nullptr;
    av_dict_set(&options, "movflags", "faststart", 0);
    status = avformat_write_header(made, &options);
    av_dict_free(&options);
    if (status < 0) return status;
    status = copy_packets(in, *made);
    const int ended = av_write_trailer(made);
    if (status >= 0) status = ended;
    avio_flush(made->pb);
    if (status >= 0) status = made->pb->error;
    const int closed = avio_closep(&made->pb);
    return status < 0 ? status : closed;
}

/// Counts the readable frames of a file that may be truncated.
std::int64_t frames_in(const std::filesystem::path& path) {
    AVFormatContext* format = nullptr;
    if (avformat_open_input(&format, url_of(path).c_str(), nullptr, nullptr) < 0) return 0;
    const LibavOwned<AVPacket> packet{av_packet_alloc()};
    std::int64_t count = 0;
    while (av_read_frame(format, packet.get()) >= 0) {
        if ((packet->flags & AV_PKT_FLAG_CORRUPT) == 0) ++count;
        av_packet_unref(packet.get());
    }
    avformat_close_input(&format);
    return count;
}

std::filesystem::path partial_of(const Destination& to) {
    const std::filesystem::path& file = to.file();
    if (!to.replaceable()) return file;
    return file.parent_path() / (file.stem().string() + ".partial" + file.extension().string());
}

/// Takes ownership of `data`, allocated by av_malloc(). FFmpeg 7 stores side data with the codec's parameters.
void add_side_data(AVStream& stream, AVPacketSideDataType type, void* data, std::size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVCodecParameters& codec = *stream.codecpar;
    if (!av_packet_side_data_add(&codec.coded_side_data, &codec.nb_coded_side_data, type, data, size, 0)) av_free(data);
#else
    if (av_stream_add_side_data(&stream, type, static_cast<std::uint8_t*>(data), size) < 0) av_free(data);
#endif
}

/// Mastering metadata in the container (SMPTE ST 2086, CTA-861.3).
void describe_screen(AVStream& stream) {
    using S = HdrScreen;
    const auto part = [](double number) { return AVRational{static_cast<int>(std::lround(number * 50000)), 50000}; };
    std::size_t size = 0;
    if (AVMasteringDisplayMetadata* screen = av_mastering_display_metadata_alloc()) {
        size = sizeof *screen;
        const double(*primaries[3])[2] = {&S::kRed, &S::kGreen, &S::kBlue};
        for (int i = 0; i < 3; ++i)
            for (int axis = 0; axis < 2; ++axis) screen->display_primaries[i][axis] = part((*primaries[i])[axis]);
        for (int axis = 0; axis < 2; ++axis) screen->white_point[axis] = part(S::kWhite[axis]);
        screen->max_luminance = {S::kBrightest, 1};
        screen->min_luminance = {static_cast<int>(std::lround(S::kDarkest * 10000)), 10000};
        screen->has_primaries = screen->has_luminance = 1;
        add_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, screen, size);
    }
    if (AVContentLightMetadata* light = av_content_light_metadata_alloc(&size)) {
        light->MaxCLL = S::kBrightest;  // MaxFALL 0: unknown before the end
        add_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, light, size);
    }
    // Required by Apple's players.
    if (stream.codecpar->codec_id == AV_CODEC_ID_HEVC) stream.codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
}

/// Writes NAME.partial.EXT in fragments and renames it when it is complete; an MP4 is first copied with an index in
/// front, if the disk has room for the copy.
class VideoRecorder : public Recorder {
public:
    VideoRecorder(const RecorderConfig& config, std::string_view container);
    VideoRecorder(const VideoRecorder&) = delete;
    VideoRecorder& operator=(const VideoRecorder&) = delete;
    ~VideoRecorder() override;
    using Recorder::add;
    std::unique_ptr<PreparedPicture> prepare(const Image& image) const override;
    void add(std::unique_ptr<PreparedPicture> picture) override;
    void finish() override;
    std::string description() const override { return description_; }
    std::filesystem::path unfinished() const override { return to_.replaceable() ? partial_ : std::filesystem::path{}; }

private:
    void choose_encoder(std::string_view container);
    void open_file();
    void open_converter();
    void encode_converted();
    void encode(const AVFrame* frame);
    void close();
    void put_index_in_front();
    void remove_partial() const noexcept;
    void check(int status);
    [[noreturn]] void fail(int status);

    RecorderConfig config_;
    Destination to_;
    std::filesystem::path partial_;  ///< or the requested file, if it cannot be replaced
    Descriptor lock_;
    std::string description_;
    LibavOwned<AVFormatContext> format_;
    OpenEncoder encoder_;
    LibavOwned<AVPacket> packet_{av_packet_alloc()};
    std::optional<PictureConverter> converter_;
    std::unique_ptr<PaletteFilter> palette_;  // for GIF
    LibavOwned<AVFrame> colored_{av_frame_alloc()};
    AVStream* stream_ = nullptr;
    std::int64_t added_ = 0;
    bool open_ = false;   // accepts frames
    bool begun_ = false;  // has a header but no trailer
};

VideoRecorder::VideoRecorder(const RecorderConfig& config, std::string_view container)
    : config_{config}, to_{config.path}, partial_{partial_of(to_)} {
    av_log_set_level(AV_LOG_QUIET);  // encoders print to stderr; errors are returned as a status
    AVFormatContext* format = nullptr;
    if (container == "gif") config_.fps = fitted(config_).fps;
    avformat_alloc_output_context2(&format, nullptr, std::string{container}.c_str(), nullptr);
    if (!format) environment_error(fmt::format("{}: this libav cannot write {}", config_.path.string(), container));
    format_.reset(format);
    choose_encoder(container);
    open_converter();
    open_file();
}

void VideoRecorder::open_converter() {
    const AVCodecContext& codec = *encoder_.codec;
    const bool palette = encoder_.entry->format == AV_PIX_FMT_PAL8;
    const std::string name = config_.path.string();
    converter_.emplace(name, codec.width, codec.height, palette ? AV_PIX_FMT_RGBA : encoder_.entry->format);
    if (palette) palette_ = std::make_unique<PaletteFilter>(name, codec.width, codec.height, config_.fps);
}

void VideoRecorder::choose_encoder(std::string_view container) {
    encoder_ = open_encoder(container, config_, (format_->oformat->flags & AVFMT_GLOBALHEADER) != 0);
    std::string label{container};
    std::ranges::transform(label, label.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const EncoderEntry& entry = *encoder_.entry;
    description_ =
        fmt::format("{}{}{}", container == "webm" ? "WebM" : label,
                    entry.name == container ? "" : ", " + std::string{entry.name}, entry.gpu ? " on the GPU" : "");
    if (entry.hdr) description_ += ", HDR10";
}

void VideoRecorder::open_file() {
    stream_ = avformat_new_stream(format_.get(), nullptr);
    check(avcodec_parameters_from_context(stream_->codecpar, encoder_.codec.get()));
    if (encoder_.entry->hdr) describe_screen(*stream_);
    stream_->time_base = encoder_.codec->time_base;
    stream_->avg_frame_rate = encoder_.codec->framerate;
    to_.require_writable();  // reports errors with the requested path
    std::error_code none;
    const auto there = std::filesystem::status(partial_, none);  // opening a FIFO would wait for a reader
    if (to_.replaceable() && std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        environment_error(fmt::format("{}: exists and is not a file; remove it", partial_.string()));
    lock_ = lock_output(partial_);
    check(avio_open(&format_->pb, url_of(partial_).c_str(), AVIO_FLAG_WRITE));
    AVDictionary* options = nullptr;
    // A fragmented MP4 plays up to the point where it was cut off.
    av_dict_set(&options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
    av_dict_set_int(&options, "cluster_time_limit", 1000, 0);
    format_->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    const int status = avformat_write_header(format_.get(), &options);
    av_dict_free(&options);
    check(status);
    open_ = begun_ = true;
}

std::unique_ptr<PreparedPicture> VideoRecorder::prepare(const Image& image) const {
    check_size(config_, image);
    return converter_->convert(image);
}

void VideoRecorder::add(std::unique_ptr<PreparedPicture> picture) {
    if (!open_) environment_error(config_.path.string() + ": the recording has already ended");
    AVFrame& frame = dynamic_cast<const ConvertedPicture&>(*picture).frame();
    frame.pts = added_++;
    if (palette_) {
        palette_->push(&frame);
        return encode_converted();
    }
    if (!encoder_.codec->hw_frames_ctx) return encode(&frame);
    int status = 0;
    const auto on_device = uploaded(*encoder_.codec, frame, status);
    check(status);
    encode(on_device.get());
}

void VideoRecorder::encode_converted() {
    while (palette_->pull(colored_.get())) encode(colored_.get());
}

/// A null frame drains the encoder.
void VideoRecorder::encode(const AVFrame* frame) {
    check(avcodec_send_frame(encoder_.codec.get(), frame));
    while (true) {
        const int status = avcodec_receive_packet(encoder_.codec.get(), packet_.get());
        if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
        check(status);
        packet_->duration = 1;
        av_packet_rescale_ts(packet_.get(), encoder_.codec->time_base, stream_->time_base);
        packet_->stream_index = stream_->index;
        check(av_interleaved_write_frame(format_.get(), packet_.get()));
        check(format_->pb->error);  // the muxer does not always report a full disk
    }
}

void VideoRecorder::close() {
    open_ = false;
    if (palette_) {
        palette_->push(nullptr);
        encode_converted();
    }
    encode(nullptr);
    begun_ = false;
    check(av_write_trailer(format_.get()));
    avio_flush(format_->pb);
    check(format_->pb->error);
    check(avio_closep(&format_->pb));
}

void VideoRecorder::finish() {
    if (!open_) environment_error(config_.path.string() + ": the recording has already ended");
    close();
    if (!to_.replaceable()) return;
    if (std::string_view{format_->oformat->name} == "mp4") put_index_in_front();
    std::error_code error;
    std::filesystem::rename(partial_, to_.file(), error);
    if (error) {
        environment_error(fmt::format("{}: cannot be written: {}; the video is in {}", config_.path.string(),
                                      error.message(), partial_.string()));
    }
}

/// Leaves the video in fragments, which also plays, if there is no room for a copy.
void VideoRecorder::put_index_in_front() {
    const std::filesystem::path& file = to_.file();
    const auto indexed = file.parent_path() / (file.stem().string() + ".indexed" + file.extension().string());
    std::error_code error;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const std::uintmax_t free = std::filesystem::space(folder, error).available;
    int status = AVERROR(ENOSPC);
    if (const auto size = std::filesystem::file_size(partial_, error); !error && free > size) {
        const auto describe = [this](AVStream& stream) {
            if (encoder_.entry->hdr) describe_screen(stream);
        };
        status = write_indexed_mp4(partial_, indexed, encoder_.codec->framerate, describe);
    }
    if (status >= 0) {
        std::filesystem::rename(indexed, partial_, error);
        if (!error) return;
        status = AVERROR(error.value());
    }
    std::filesystem::remove(indexed, error);
    note_of_recording(fmt::format("{}: the video has no index in front and remains fragmented: {}",
                                  config_.path.string(), libav_words(status)));
}

void VideoRecorder::check(int status) {
    if (status < 0) fail(status);
}

void VideoRecorder::fail(int status) {
    std::string kept;
    open_ = false;
    if (format_ && format_->pb) {
        // libavformat frees the last frame of a GIF only here. Other containers are left as they are.
        if (begun_ && std::string_view{format_->oformat->name} == "gif") av_write_trailer(format_.get());
        begun_ = false;
        format_.reset();
        const std::int64_t frames = to_.replaceable() ? frames_in(partial_) : 0;
        if (frames > 0) kept = fmt::format("; the first {} frames are kept in {}", frames, partial_.string());
        if (frames == 0) remove_partial();
    }
    environment_error(fmt::format("{}: cannot be written: {}{}", config_.path.string(), libav_words(status), kept));
}

VideoRecorder::~VideoRecorder() {
    if (!format_ || !format_->pb) return;
    try {
        close();
    } catch (const Error&) {  // the part on disk is playable
    }
    if (added_ == 0) remove_partial();
}

void VideoRecorder::remove_partial() const noexcept {
    std::error_code ignored;
    if (to_.replaceable()) std::filesystem::remove(partial_, ignored);
}

std::string why_not_container(std::string_view container) {
    std::string names;
    for (const EncoderEntry& entry : encoder_menu()) {
        if (entry.container != container || entry.hdr) continue;
        if (avcodec_find_encoder_by_name(entry.name)) return {};
        names += (names.empty() ? "" : ", ") + std::string{entry.name};
    }
    return "this libav has none of the encoders " + names;
}

std::unique_ptr<Recorder> make_video_recorder(const RecorderConfig& config, std::string_view container) {
    return std::make_unique<VideoRecorder>(config, container);
}

std::vector<VideoEncoder> encoders() {
    std::vector<VideoEncoder> list;
    av_log_set_level(AV_LOG_QUIET);
    for (const EncoderEntry& entry : encoder_menu()) {
        const std::string reason = why_not(entry);
        list.push_back(
            {std::string{entry.container}, entry.name, reason.empty(), entry.gpu, reason, entry.hdr ? 10 : 8});
    }
    return list;
}

}  // namespace
}  // namespace orrery

extern "C" const orrery::VideoLibrary orrery_video_library{orrery::why_not_container, orrery::make_video_recorder,
                                                           orrery::encoders, orrery::make_live_encoder};
