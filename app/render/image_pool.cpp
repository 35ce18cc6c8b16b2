// SPDX-License-Identifier: MIT
#include "app/render/image_pool.hpp"

#include <mutex>
#include <vector>

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

}  // namespace orrery
