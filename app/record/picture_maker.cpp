// SPDX-License-Identifier: MIT
#include "app/record/picture_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/render/brightness.hpp"
#include "app/ui/legend.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

int drawn_width(const PictureSize& size) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    const int longest = std::max(size.width, size.height) * size.supersampling;
    if (longest > largest)
        environment_error(fmt::format("{} × {} pixels, supersampled {} times: this OpenGL draws up to {}", size.width,
                                      size.height, size.supersampling, largest));
    return size.width * size.supersampling;
}

/// Light of a byte of sRGB (IEC 61966-2-1), 65535 at most. The mean of bytes would be darker than that of their light.
const auto kLightOfByte = [] {
    std::array<unsigned, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double s = static_cast<double>(i) / 255;
        table[i] =
            static_cast<unsigned>(std::lround(65535 * (s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4))));
    }
    return table;
}();
const auto kByteOfLight = [] {
    std::vector<std::uint8_t> table(65536);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double c = static_cast<double>(i) / 65535;
        const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
        table[i] = static_cast<std::uint8_t>(std::lround(255 * s));
    }
    return table;
}();

}  // namespace

PictureMaker::PictureMaker(const GlInfo& gl, const PictureSize& size, int fps, bool legend)
    : size_{size}, fps_{fps}, renderer_{gl}, target_{drawn_width(size), size.height * size.supersampling} {
    renderer_.resize(target_.width(), target_.height());
    // What is drawn larger and averaged is to look as if it had been drawn at once.
    renderer_.set_content_scale(size.supersampling * picture_scale(size.height, 1));
    if (legend) legend_.emplace(size.height, size.supersampling);
}

const Image& PictureMaker::next(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose,
                                const ViewSettings& settings) {
    const FrameExtent extent = follower_.follow(frame.extent, 1.0 / fps_);
    const OrbitCamera camera{pose};
    renderer_.show_cells(frame.cells);
    renderer_.draw(bodies, extent, camera, settings, target_);
    if (legend_) {
        const bool labels = settings.guides.labels && frame.words && !frame.words->names.empty();
        legend_->draw(frame, extent, labels ? bodies.read(kMostLabels) : std::vector<Vec4f>{}, camera, settings,
                      target_.framebuffer(), target_.width(), target_.height());
    }
    ++pictures_;
    if (size_.supersampling == 1) {
        target_.read(image_);
        return image_;
    }
    target_.read(drawn_);
    shrink(drawn_, size_.supersampling, image_);
    return image_;
}

void shrink(const Image& from, int factor, Image& into) {
    into.width = from.width / factor, into.height = from.height / factor;
    into.rgba.resize(static_cast<std::size_t>(into.width) * static_cast<std::size_t>(into.height) * 4);
    const unsigned area = static_cast<unsigned>(factor * factor);
    std::uint8_t* to = into.rgba.data();
    for (int y = 0; y < into.height; ++y)
        for (int x = 0; x < into.width; ++x)
            for (int channel = 0; channel < 4; ++channel) {
                unsigned sum = area / 2;
                for (int row = 0; row < factor; ++row) {
                    const std::uint8_t* pixel = from.row(y * factor + row) + x * factor * 4 + channel;
                    for (int column = 0; column < factor; ++column) sum += kLightOfByte[pixel[column * 4]];
                }
                *to++ = kByteOfLight[sum / area];
            }
}

}  // namespace orrery
