// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace orrery {

/// A message between two processes of this program: a sequence of values. Safe to read from an untrusted writer: taking
/// more than is left throws std::out_of_range.
class Packet {
public:
    Packet() = default;
    explicit Packet(std::vector<std::byte> bytes) : bytes_{std::move(bytes)} {}

    template <class T>
    requires std::is_trivially_copyable_v<T> Packet& put(const T& value) {
        return put_bytes(std::as_bytes(std::span{&value, 1}));
    }
    Packet& put_flag(bool flag) { return put(std::uint8_t{flag}); }
    Packet& put_text(std::string_view text) { return put_all(std::span{text.data(), text.size()}); }
    template <class T>
    requires std::is_trivially_copyable_v<T> Packet& put_all(std::span<T> values) {
        put(std::uint64_t{values.size()});
        return put_bytes(std::as_bytes(values));
    }

    template <class T>
    requires std::is_trivially_copyable_v<T> T take() {
        T value;
        take_bytes(std::as_writable_bytes(std::span{&value, 1}));
        return value;
    }
    bool take_flag() { return take<std::uint8_t>() != 0; }
    template <class T>
    std::vector<T> take_all() {
        const auto count = take<std::uint64_t>();
        if (count > (bytes_.size() - taken_) / sizeof(T)) throw std::out_of_range{"packet too short"};
        std::vector<T> values(static_cast<std::size_t>(count));
        take_bytes(std::as_writable_bytes(std::span{values}));
        return values;
    }
    std::string take_text() {
        const auto letters = take_all<char>();
        return {letters.begin(), letters.end()};
    }

    std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    Packet& put_bytes(std::span<const std::byte> bytes) {
        const std::size_t size = bytes_.size();
        bytes_.resize(size + bytes.size());
        if (!bytes.empty()) std::memcpy(bytes_.data() + size, bytes.data(), bytes.size());
        return *this;
    }
    void take_bytes(std::span<std::byte> into) {
        if (into.size() > bytes_.size() - taken_) throw std::out_of_range{"packet too short"};
        if (!into.empty()) std::memcpy(into.data(), bytes_.data() + taken_, into.size());
        taken_ += into.size();
    }

    std::vector<std::byte> bytes_;
    std::size_t taken_ = 0;
};

}  // namespace orrery
