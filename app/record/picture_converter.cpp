// SPDX-License-Identifier: MIT
#include "app/record/picture_converter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
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

}  // namespace orrery
