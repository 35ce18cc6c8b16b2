// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/record/libav.hpp"
#include "app/record/recorder.hpp"

namespace orrery {

class PictureConverter;

/// A picture in the colours of an encoder. Its memory goes back to the converter.
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

/// RGBA to what an encoder takes, on any number of threads at once. Outlives its pictures.
class PictureConverter {
public:
    /// To this width and height, no smaller than the pictures: the last column and row are repeated. BT.709 where
    /// brightness and colour are told apart. `name` is for messages. Throws Error{kEnvironment} when libswscale
    /// refuses.
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
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Parts>> spare_;
};

}  // namespace orrery
