// SPDX-License-Identifier: MIT
#include "core/selection/body_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostStrips = 1024;

}  // namespace

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

Outline::Outline(const std::vector<OutlinePoint>& corners) {
    if (corners.size() < 3) return;
    const auto [left, right] = std::ranges::minmax(corners, {}, &OutlinePoint::x);
    const auto [low, high] = std::ranges::minmax(corners, {}, &OutlinePoint::y);
    shape_.left = left.x, shape_.right = right.x, shape_.low = low.y, shape_.high = high.y;
    if (!(high.y > low.y)) return;
    const std::size_t strips = std::min(kMostStrips, corners.size());
    shape_.strips_per_height = static_cast<double>(strips) / (high.y - low.y);
    const auto strip_of = [&](double y) {
        const double at = (y - shape_.low) * shape_.strips_per_height;
        return at <= 0 ? std::size_t{0} : std::min(static_cast<std::size_t>(at), strips - 1);
    };
    std::vector<std::vector<Edge>> by_strip(strips);
    for (std::size_t i = 0, before = corners.size() - 1; i < corners.size(); before = i++) {
        const OutlinePoint &a = corners[before], &b = corners[i];
        if (a.y == b.y) continue;
        const Edge edge{a.x, a.y, (b.x - a.x) / (b.y - a.y), std::min(a.y, b.y), std::max(a.y, b.y)};
        for (std::size_t k = strip_of(edge.low); k <= strip_of(edge.high); ++k) by_strip[k].push_back(edge);
    }
    for (const std::vector<Edge>& strip : by_strip) {
        shape_.first.push_back(static_cast<std::uint32_t>(shape_.edges.size()));
        shape_.edges.insert(shape_.edges.end(), strip.begin(), strip.end());
    }
    shape_.first.push_back(static_cast<std::uint32_t>(shape_.edges.size()));
}

bool Outline::holds(double x, double y) const {
    const Shape& in = shape_;
    if (!(x >= in.left && x <= in.right && y >= in.low && y < in.high)) return false;
    const auto strip =
        std::min(static_cast<std::size_t>((y - in.low) * in.strips_per_height), in.first.size() - std::size_t{2});
    bool odd = false;
    for (std::uint32_t k = in.first[strip]; k < in.first[strip + 1]; ++k) {
        const Edge& edge = in.edges[k];
        if (y >= edge.low && y < edge.high && x < edge.x + edge.slope * (y - edge.y)) odd = !odd;
    }
    return odd;
}

}  // namespace orrery
