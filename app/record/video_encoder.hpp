// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/recorders.hpp"

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

class PictureConverter;

/// A frame in the pixel format of an encoder. Its memory returns to the converter when it is destroyed.
class ConvertedPicture final : public PreparedPicture {
public:
    ~ConvertedPicture() override;
    AVFrame& frame() const;

private:
    friend class PictureConverter;
    struct Parts;
    std::unique_ptr<Parts> parts_;
    const PictureConverter* home_ = nullptr;
};

/// Converts RGBA, or for HDR10 deep colours, to an encoder's pixel format, on any number of threads concurrently. Must
/// outlive its frames.
class PictureConverter {
public:
    /// Converts to this width and height, which are at least those of the frames: the last column and row are repeated.
    /// BT.709 for formats with luma and chroma; BT.2020 for the 10-bit format, whose frames are deep. `name` is for
    /// messages. Throws Error{kEnvironment} if libswscale fails.
    PictureConverter(std::string name, int width, int height, AVPixelFormat format);
    ~PictureConverter();
    std::unique_ptr<ConvertedPicture> convert(const Image& image) const;

private:
    friend class ConvertedPicture;
    using Parts = ConvertedPicture::Parts;
    std::unique_ptr<Parts> make() const;
    std::unique_ptr<Parts> spare() const;

    std::string name_;
    int width_, height_;
    AVPixelFormat format_;
    bool deep_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Parts>> spare_;
};

/// Converts RGBA frames to 256 colours, chosen for each frame and dithered, for GIF: libavfilter's palettegen and
/// paletteuse.
class PaletteFilter {
public:
    /// `name` is for messages. Throws Error{kEnvironment} if libavfilter fails.
    PaletteFilter(const std::string& name, int width, int height, int fps);
    ~PaletteFilter();
    void push(AVFrame* picture);  ///< null: end of the stream
    bool pull(AVFrame* out);      ///< false: no frame is ready

private:
    struct Graph;
    std::string name_;
    std::unique_ptr<Graph> graph_;
};

/// An encoder that may exist in the installed libav.
struct EncoderEntry {
    std::string_view container;  ///< recorder id
    const char* name;            ///< in libav
    /// Applies the quality setting, before the encoder is opened.
    void (*configure)(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config);
    AVPixelFormat format = AV_PIX_FMT_YUV420P;  ///< pixel format of frames from the host
    bool gpu = false;                           ///< a hardware encoder: opens only with a suitable GPU
    /// The device whose memory the encoder reads frames from, if any; frames are uploaded to it.
    AVHWDeviceType device = AV_HWDEVICE_TYPE_NONE;
    bool hdr = false;  ///< 10 bits, for HDR10; otherwise 8
};

/// The reference screen of HDR10 videos: primaries of sRGB, as our colours have; 0.005 to 1000 cd/m².
struct HdrScreen {
    static constexpr int kBrightest = 1000;  ///< cd/m², maximum of any pixel; finish.glsl
    static constexpr double kDarkest = 0.005;
    static constexpr double kRed[2] = {0.64, 0.33}, kGreen[2] = {0.3, 0.6}, kBlue[2] = {0.15, 0.06},
                            kWhite[2] = {0.3127, 0.329};
};

/// Ordered by preference within each container: hardware encoders first, because they leave the CPU cores free.
std::span<const EncoderEntry> encoder_menu();

/// An opened encoder.
struct OpenEncoder {
    const EncoderEntry* entry = nullptr;
    LibavOwned<AVCodecContext> codec;
};

/// Opens the first encoder of `container` that works, or config.encoder if it is given. `global_header` as required by
/// the container's muxer. Throws Error{kEnvironment} with the message of each encoder, and Error{kUsage} for a name
/// that is not in the menu.
OpenEncoder open_encoder(std::string_view container, const RecorderConfig& config, bool global_header);

/// The reason why this encoder does not exist or, for a hardware encoder, does not open, in one line; empty if it
/// works.
std::string why_not(const EncoderEntry& entry);

/// Copies a frame to the memory of the encoder's device, with its time stamp. Does not throw: returns null and sets
/// `status` on failure.
LibavOwned<AVFrame> uploaded(const AVCodecContext& codec, const AVFrame& picture, int& status);

}  // namespace orrery
