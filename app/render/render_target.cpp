// SPDX-License-Identifier: MIT
#include "app/render/render_target.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "app/render/image.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kOpaque = 0xff000000;  // the last byte of a pixel is alpha

/// Converts from GL, with rows from bottom to top and possibly blended alpha, to files, from top to bottom and opaque.
void to_file_layout(Image& image) {
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    auto* pixels = reinterpret_cast<std::uint32_t*>(image.rgba.data());
    for (std::size_t top = 0; 2 * top < height; ++top) {
        std::uint32_t *upper = pixels + top * width, *lower = pixels + (height - 1 - top) * width;
        for (std::size_t x = 0; x < width; ++x) {
            const std::uint32_t a = upper[x] | kOpaque, b = lower[x] | kOpaque;
            upper[x] = b, lower[x] = a;
        }
    }
}

}  // namespace

RenderTarget::RenderTarget(int width, int height, int bits)
    : canvas_{bits > 8 ? GLenum{GL_RGBA16} : GLenum{GL_RGBA8}, width, height, Filter::kNearest} {}

Image RenderTarget::read() const {
    Image image;
    read(image);
    return image;
}

void RenderTarget::read(Image& into) const {
    into.width = width(), into.height = height();
    into.rgba.resize(static_cast<std::size_t>(width()) * static_cast<std::size_t>(height()) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage(canvas_.texture().name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(into.rgba.size()),
                      into.rgba.data());
    to_file_layout(into);
}

std::vector<std::uint16_t> RenderTarget::read_deep(int shrink) const {
    const auto wide = static_cast<std::size_t>(width()), high = static_cast<std::size_t>(height());
    std::vector<std::uint16_t> drawn(wide * high * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage(canvas_.texture().name(), 0, GL_RGBA, GL_UNSIGNED_SHORT,
                      static_cast<GLsizei>(drawn.size() * sizeof(std::uint16_t)), drawn.data());
    const auto factor = static_cast<std::size_t>(shrink), width = wide / factor, height = high / factor;
    std::vector<std::uint16_t> rgb;
    rgb.reserve(width * height * 3);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const auto at = [&](std::size_t row, std::size_t column) {
                    return drawn[((high - 1 - y * factor - row) * wide + x * factor + column) * 4 + channel];
                };
                if (factor == 1) {
                    rgb.push_back(at(0, 0));
                    continue;
                }
                double sum = 0;
                for (std::size_t row = 0; row < factor; ++row)
                    for (std::size_t column = 0; column < factor; ++column)
                        sum += light_of_srgb(at(row, column) / 65535.0);
                const double mean = srgb_of_light(sum / static_cast<double>(factor * factor));
                rgb.push_back(static_cast<std::uint16_t>(std::lround(65535 * mean)));
            }
    return rgb;
}

void copy_window(GLuint screen, const RenderTarget& into) {
    const int width = into.width(), height = into.height();
    glBlitNamedFramebuffer(screen, into.framebuffer(), 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
}

}  // namespace orrery
