// SPDX-License-Identifier: MIT
#include "core/selection/body_set.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"

namespace orrery {

BodySet BodySet::of_rows(std::size_t bodies, std::span<const std::uint32_t> rows) {
    BodySet set{bodies};
    for (const std::uint32_t i : rows) {
        if (i >= bodies) usage_error(fmt::format("index {}: there are {} bodies, counted from 0", i, bodies));
        set.words_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return set;
}

BodySet BodySet::of_words(std::size_t bodies, std::vector<std::uint64_t> words) {
    BodySet set;
    set.bodies_ = bodies;
    words.resize((bodies + 63) / 64);
    if (bodies % 64 != 0) words.back() &= (std::uint64_t{1} << (bodies % 64)) - 1;
    set.words_ = std::move(words);
    return set;
}

BodySet BodySet::of_values(std::span<const float> values) {
    BodySet set{values.size()};
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0 && !std::isnan(values[i])) set.words_[i / 64] |= std::uint64_t{1} << (i % 64);
    return set;
}

BodySet BodySet::of_ids(std::span<const std::uint64_t> ids, std::span<const std::uint64_t> wanted) {
    BodySet set{ids.size()};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (std::ranges::binary_search(wanted, ids[i])) set.words_[i / 64] |= std::uint64_t{1} << (i % 64);
    return set;
}

std::size_t BodySet::count() const {
    std::size_t all = 0;
    for (const std::uint64_t word : words_) all += static_cast<std::size_t>(std::popcount(word));
    return all;
}

std::vector<std::uint32_t> BodySet::rows() const {
    std::vector<std::uint32_t> rows;
    rows.reserve(count());
    prefer_huge_pages(rows.data(), rows.capacity() * sizeof(std::uint32_t));
    std::array<std::uint32_t, 4096> part;  // appended as a whole: push_back() per body takes three times as long
    std::size_t filled = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
        if (filled + 64 > part.size()) rows.insert(rows.end(), part.begin(), part.begin() + std::exchange(filled, 0));
        for (std::uint64_t word = words_[k]; word != 0; word &= word - 1)
            part[filled++] = static_cast<std::uint32_t>(64 * k) + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    rows.insert(rows.end(), part.begin(), part.begin() + filled);
    return rows;
}

std::vector<std::uint64_t> BodySet::ids_in(std::span<const std::uint64_t> ids) const {
    std::vector<std::uint64_t> found;
    for (const std::uint32_t row : rows()) found.push_back(ids[row]);
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

void BodySet::require_same(const BodySet& other) const {
    if (bodies_ != other.bodies_)
        usage_error(fmt::format("sets over {} and over {} bodies cannot be combined", bodies_, other.bodies_));
}

BodySet& BodySet::operator&=(const BodySet& other) {
    require_same(other);
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] &= other.words_[k];
    return *this;
}

BodySet& BodySet::operator|=(const BodySet& other) {
    require_same(other);
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= other.words_[k];
    return *this;
}

BodySet& BodySet::operator-=(const BodySet& other) {
    require_same(other);
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] &= ~other.words_[k];
    return *this;
}

BodySet BodySet::operator~() const {
    BodySet set{bodies_};
    for (std::size_t k = 0; k < words_.size(); ++k) set.words_[k] = ~words_[k];
    if (bodies_ % 64 != 0) set.words_.back() &= (std::uint64_t{1} << (bodies_ % 64)) - 1;
    return set;
}

BodySet combined(SetOperation operation, const BodySet& before, const BodySet& found) {
    switch (operation) {
        case SetOperation::kReplace:
            return found;
        case SetOperation::kAdd:
            return before | found;
        case SetOperation::kKeep:
            return before & found;
        case SetOperation::kRemove:
            return before - found;
    }
    return found;
}

}  // namespace orrery
