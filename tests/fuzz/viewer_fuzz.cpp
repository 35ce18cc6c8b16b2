// SPDX-License-Identifier: MIT
// Parses arbitrary bytes as a message from a viewer of `orrery serve`: all fields are within their ranges, or it is
// refused.
#include <cstdlib>
#include <variant>

#include "app/serve/messages.hpp"

namespace {

void require(bool good) {
    if (!good) std::abort();
}

bool sound(const orrery::ViewerSize& size) {
    return size.width >= orrery::kSmallestSide && size.width <= orrery::kLargestSide &&
           size.height >= orrery::kSmallestSide && size.height <= orrery::kLargestSide && size.scale >= 0.25f &&
           size.scale <= 8;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto message = orrery::parse_message({data, size});
    if (!message) return 0;
    require(data[0] == message->index() + 1);
    if (const auto* hello = std::get_if<orrery::Hello>(&*message)) require(sound(hello->size));
    if (const auto* resized = std::get_if<orrery::ViewerSize>(&*message)) require(sound(*resized));
    if (const auto* stroke = std::get_if<orrery::KeyStroke>(&*message))
        require(stroke->key >= 0 && stroke->key < 349 && stroke->action >= 0 && stroke->action <= 2);
    if (const auto* button = std::get_if<orrery::PointerButton>(&*message))
        require(button->button >= 0 && button->button <= 2);
    if (const auto* typed = std::get_if<orrery::Typed>(&*message)) require(typed->text.size() + 1 == size);
    return 0;
}
