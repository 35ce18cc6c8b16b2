// SPDX-License-Identifier: MIT
#include "core/formats/nemo_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/nemo.hpp"

namespace orrery::nemo_files {
namespace {

constexpr std::size_t kAhead = 4096, kMostText = 64, kMostDims = 8;  // the latter two as in NEMO's filestruct.h
constexpr std::array<std::pair<char, std::size_t>, 11> kSizes{
    {{'a', 1}, {'b', 1}, {'c', 1}, {'s', 2}, {'h', 2}, {'i', 4}, {'f', 4}, {'l', 8}, {'d', 8}, {'(', 0}, {')', 0}}};

}  // namespace

std::size_t Item::size() const { return std::ranges::find(kSizes, type, &std::pair<char, std::size_t>::first)->second; }

void Items::refuse(std::uintmax_t at, const std::string& what) const {
    usage_error(fmt::format("{}: byte {}: {}", file_.path().string(), at, what));
}

std::byte Items::get() {
    if (at_ < block_at_ || at_ >= block_at_ + block_.size()) {
        if (at_ >= file_.size()) refuse(at_, "truncated: ends within an item");
        block_.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(kAhead, file_.size() - at_)));
        file_.seek(at_);
        file_.read(block_);
        block_at_ = at_;
    }
    return block_[static_cast<std::size_t>(at_++ - block_at_)];
}

std::string Items::text(const char* what) {
    const std::uintmax_t begin = at_;
    std::string text;
    for (char c = static_cast<char>(get()); c != 0; c = static_cast<char>(get())) {
        if (text.size() == kMostText || static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            refuse(begin, fmt::format("expected {}: up to {} letters and a 0", what, kMostText));
        text += c;
    }
    return text;
}

void Items::read_dims(Item& item) {
    for (;;) {
        const std::uintmax_t at = at_;
        std::array<std::byte, 4> bytes;
        for (std::byte& b : bytes) b = get();
        const auto dim = load<std::int32_t>(bytes.data(), item.order);
        if (dim == 0 && !item.dims.empty()) return;
        const std::uintmax_t most = file_.size() / item.elements;
        if (dim <= 0 || item.dims.size() == kMostDims || static_cast<std::uintmax_t>(dim) > most)
            refuse(at, fmt::format("{} {}: expected a dimension that the file has room for, found {}", "item", item.tag,
                                   dim));
        item.dims.push_back(static_cast<std::uint64_t>(dim));
        item.elements *= static_cast<std::uint64_t>(dim);
    }
}

bool Items::next(Item& item) {
    if (at_ >= file_.size()) return false;
    item = {};
    item.header = at_;
    const std::array magic{get(), get()};
    std::uint16_t number = 0;
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        number = load<std::uint16_t>(magic.data(), order);
        item.order = order;
        if (number == kSingle || number == kPlural) break;
    }
    if (number != kSingle && number != kPlural)
        refuse(item.header, fmt::format("expected the magic number of an item, 0x0992 or 0x0B92, found 0x{:04X}",
                                        load<std::uint16_t>(magic.data(), std::endian::little)));
    const std::uintmax_t type_at = at_;
    const std::string type = text("the type of an item");
    if (type.size() != 1 || std::ranges::find(kSizes, type[0], &std::pair<char, std::size_t>::first) == kSizes.end())
        refuse(type_at, fmt::format("no type of an item: \"{}\"", type));
    item.type = type[0];
    if (item.type != ')') item.tag = text("the tag of an item");
    if (number == kPlural) read_dims(item);
    item.data = at_;
    if (item.elements * item.size() > file_.size() - at_)
        refuse(item.header, fmt::format("truncated: item {} has {} bytes of data, of which {} are there", item.tag,
                                        item.elements * item.size(), file_.size() - at_));
    at_ += item.elements * item.size();
    return true;
}

double Items::number(const Item& item) {
    if (item.elements != 1 || !(item.real() || item.whole()))
        refuse(item.header, fmt::format("item {}: expected one number", item.tag));
    std::array<std::byte, 8> bytes;
    const std::uintmax_t behind = std::exchange(at_, item.data);
    for (std::size_t i = 0; i < item.size(); ++i) bytes[i] = get();
    at_ = behind;
    switch (item.type) {
        case 's':
            return load<std::int16_t>(bytes.data(), item.order);
        case 'i':
            return load<std::int32_t>(bytes.data(), item.order);
        case 'l':
            return static_cast<double>(load<std::int64_t>(bytes.data(), item.order));
        case 'f':
            return load<float>(bytes.data(), item.order);
        default:
            return load<double>(bytes.data(), item.order);
    }
}

}  // namespace orrery::nemo_files
