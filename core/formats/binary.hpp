// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace orrery {

/// The number represented by these bytes in this byte order.
template <class T>
T load(const std::byte* from, std::endian order) {
    std::array<std::byte, sizeof(T)> bytes;
    std::copy_n(from, sizeof(T), bytes.begin());
    if (order != std::endian::native) std::ranges::reverse(bytes);
    return std::bit_cast<T>(bytes);
}

/// Writes the bytes of `value` in this byte order to `to`, which is advanced past them.
template <class T>
void store(std::byte*& to, T value, std::endian order) {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    if (order != std::endian::native) std::ranges::reverse(bytes);
    to = std::ranges::copy(bytes, to).out;
}

}  // namespace orrery
