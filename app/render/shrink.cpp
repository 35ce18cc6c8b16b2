// SPDX-License-Identifier: MIT
#include "app/render/shrink.hpp"

#include <cmath>

namespace orrery {

double light_of_srgb(double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); }
double srgb_of_light(double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

const std::array<std::uint32_t, 256>& light_of_byte() {
    static const auto table = [] {
        std::array<std::uint32_t, 256> light{};
        for (std::size_t i = 0; i < light.size(); ++i) {
            const double s = static_cast<double>(i) / 255;
            light[i] = static_cast<std::uint32_t>(std::lround(65535 * light_of_srgb(s)));
        }
        return light;
    }();
    return table;
}

const std::vector<std::uint8_t>& byte_of_light() {
    static const auto table = [] {
        std::vector<std::uint8_t> bytes(65536);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const double c = static_cast<double>(i) / 65535;
            bytes[i] = static_cast<std::uint8_t>(std::lround(255 * srgb_of_light(c)));
        }
        return bytes;
    }();
    return table;
}

void shrink(const Image& from, int factor, Image& into) {
    const auto& light = light_of_byte();
    const auto& byte = byte_of_light();
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
                    for (int column = 0; column < factor; ++column) sum += light[pixel[column * 4]];
                }
                *to++ = byte[sum / area];
            }
}

}  // namespace orrery
