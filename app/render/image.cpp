// SPDX-License-Identifier: MIT
#include "app/render/image.hpp"

#include <cmath>
#include <mutex>
#include <utility>

#include "app/render/interop.hpp"

namespace orrery {
namespace {

struct Held {
    Image image;
    std::unique_ptr<PinnedMemory> pinned;  // pins the image's memory, so it is destroyed first
};

}  // namespace

struct ImagePool::Spare {
    std::mutex mutex;
    std::vector<std::unique_ptr<Held>> held;
};

ImagePool::ImagePool(Memory memory) : spare_{std::make_shared<Spare>()}, memory_{memory} {}

std::shared_ptr<Image> ImagePool::get(int width, int height) {
    const std::size_t bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
    std::unique_ptr<Held> held;
    {
        const std::lock_guard lock{spare_->mutex};
        std::erase_if(spare_->held, [&](const auto& other) { return other->image.rgba.size() != bytes; });
        if (!spare_->held.empty()) {
            held = std::move(spare_->held.back());
            spare_->held.pop_back();
        }
    }
    if (!held) {
        held = std::make_unique<Held>();
        held->image.rgba.resize(bytes);
        if (memory_ == Memory::kPinned) held->pinned = pin_memory(held->image.rgba.data(), bytes);
    }
    held->image.width = width, held->image.height = height;
    Held* owned = held.release();
    return {&owned->image, [spare = spare_, owned](Image*) {
                std::unique_ptr<Held> returned{owned};
                const std::lock_guard lock{spare->mutex};
                spare->held.push_back(std::move(returned));
            }};
}

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
