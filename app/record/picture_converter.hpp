// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavutil/frame.h>
}

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/record/libav.hpp"
#include "app/record/recorder.hpp"

namespace orrery {

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

}  // namespace orrery
