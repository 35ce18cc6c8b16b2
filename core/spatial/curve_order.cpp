// SPDX-License-Identifier: MIT
// Sorts bodies by Hilbert key with a parallel sample sort: blocks are sorted separately, divided into buckets, and each
// bucket is merged.
#include "core/spatial/curve_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/physics/opening.hpp"

namespace orrery {
namespace {

// The partition into blocks and buckets must not depend on the number of threads. More blocks than this make the table
// of their pieces too large.
constexpr std::size_t kBlock = 4096, kMostBlocks = 128;
constexpr std::size_t kKeysAtOnce = 64;
constexpr std::size_t kSamples = 32;  // per block, to choose the bucket boundaries

/// Bounding box and mass of a part of the bodies.
template <class Real>
struct Span {
    Vec4<Real> low, high;
    double mass;
};

/// Binary exponent of a positive number; 0 for any other.
int exponent(double value) { return value > 0 && std::isfinite(value) ? std::ilogb(value) : 0; }

/// 2^-power as two factors of half the power: the whole, down to 2^±149 for a float's scale, may not be a float.
template <class Real>
std::pair<Real, Real> halves(int power) {
    return {static_cast<Real>(std::ldexp(1.0, -(power / 2))), static_cast<Real>(std::ldexp(1.0, -(power - power / 2)))};
}

/// Converts a body to internal units.
template <class Real>
struct InUnits {
    InUnits(int length_exponent, int mass_exponent)
        : length{halves<Real>(length_exponent)}, mass{halves<Real>(mass_exponent)} {}
    Vec4<Real> operator()(const Vec4<Real>& body) const {
        return {body.x * length.first * length.second, body.y * length.first * length.second,
                body.z * length.first * length.second, body.w * mass.first * mass.second};
    }
    std::pair<Real, Real> length, mass;
};

}  // namespace

template <class Real>
void CurveOrder<Real>::update(Pool& pool, const Vec4<Real>* bodies, const Vec4<Real>* low, std::size_t count,
                              double softening) {
    if (count != order_.size()) {
        order_.resize(count), keys_.resize(count), sorted_.resize(count), work_.resize(count);
        entries_.resize(count), merged_.resize(count);
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
        blocks_ = std::clamp<std::size_t>(count / kBlock, 1, kMostBlocks);
        pieces_.assign((blocks_ + 1) * (blocks_ + 1), 0);
        bucket_start_.assign(blocks_ + 1, 0);
    }
    measure(pool, bodies, softening);
    pool.parallel_for(0, blocks_, [&](std::uint64_t block) { sort_block(block, bodies); });
    choose_borders();
    heavy_of_.resize(blocks_);
    pool.parallel_for(0, blocks_, [&](std::uint64_t bucket) { merge_bucket(bucket); });
    heavy_.clear();
    for (const auto& some : heavy_of_) heavy_.insert(heavy_.end(), some.begin(), some.end());
    sort_low_parts(pool, low);
}

template <class Real>
void CurveOrder<Real>::follow(Pool& pool, const Vec4<Real>* bodies, const Vec4<Real>* low) {
    pool.parallel_for(0, blocks_, [&](std::uint64_t block) {
        const InUnits<Real> ours{length_exponent_, mass_exponent_};
        for (std::size_t i = start(block); i < start(block + 1); ++i) sorted_[i] = ours(bodies[order_[i]]);
    });
    sort_low_parts(pool, low);
}

template <class Real>
void CurveOrder<Real>::sort_low_parts(Pool& pool, const Vec4<Real>* low) {
    low_parts_.resize(low ? order_.size() : 0);
    if (!low) return;
    const auto [a, b] = halves<Real>(length_exponent_);
    pool.parallel_for(0, blocks_, [&, a = a, b = b](std::uint64_t block) {
        for (std::size_t i = start(block); i < start(block + 1); ++i) {
            const Vec4<Real> part = low[order_[i]];
            low_parts_[i] = {part.x * a * b, part.y * a * b, part.z * a * b, 0};
        }
    });
}

template <class Real>
void CurveOrder<Real>::measure(Pool& pool, const Vec4<Real>* bodies, double softening) {
    // Excludes lost bodies, NaN or infinite: one of them would put all others into one cell and cost N². The step
    // completes and is then refused.
    constexpr Real most = std::numeric_limits<Real>::max();
    const auto lower = [](Real a, Real b) { return b < a && b >= -most ? b : a; };
    const auto higher = [](Real a, Real b) { return b > a && b <= most ? b : a; };
    const auto join = [&](Span<Real>& to, const Vec4<Real>& low, const Vec4<Real>& high, double mass) {
        to.low = {lower(to.low.x, low.x), lower(to.low.y, low.y), lower(to.low.z, low.z), 0};
        to.high = {higher(to.high.x, high.x), higher(to.high.y, high.y), higher(to.high.z, high.z), 0};
        to.mass += mass;
    };
    const Span<Real> nothing{{most, most, most, 0}, {-most, -most, -most, 0}, 0};
    std::vector<Span<Real>> spans(blocks_, nothing);
    pool.parallel_for(0, blocks_, [&](std::uint64_t block) {
        Span<Real> span = nothing;
        for (std::size_t i = start(block); i < start(block + 1); ++i) join(span, bodies[i], bodies[i], bodies[i].w);
        spans[block] = span;
    });
    Span<Real> all = nothing;
    for (const Span<Real>& span : spans) join(all, span.low, span.high, span.mass);
    const double side = std::max({double(all.high.x) - double(all.low.x), double(all.high.y) - double(all.low.y),
                                  double(all.high.z) - double(all.low.z)});
    length_exponent_ = exponent(std::max(side, softening)) - zoom_;
    mass_exponent_ = exponent(all.mass);
    heavy_from_ =
        heavy_from(static_cast<Real>(std::ldexp(all.mass, -mass_exponent_)), static_cast<Real>(order_.size()));
    const auto scaled = [&](double value) { return static_cast<Real>(std::ldexp(value, -length_exponent_)); };
    low_ = {scaled(all.low.x), scaled(all.low.y), scaled(all.low.z)};
    side_ = scaled(side);
}

template <class Real>
void CurveOrder<Real>::sort_block(std::uint64_t block, const Vec4<Real>* bodies) {
    const KeyGrid<Real> grid = key_grid(low_, side_);
    const InUnits<Real> in_units{length_exponent_, mass_exponent_};
    const std::size_t first = start(block), last = start(block + 1);
    for (std::size_t from = first; from < last; from += kKeysAtOnce) {
        const std::size_t count = std::min(kKeysAtOnce, last - from);
        alignas(64) std::uint32_t x[kKeysAtOnce] = {}, y[kKeysAtOnce] = {}, z[kKeysAtOnce] = {};
        std::uint64_t keys[kKeysAtOnce];
        for (std::size_t k = 0; k < count; ++k) {
            const Vec4<Real> ours = in_units(bodies[order_[from + k]]);
            work_[from + k] = ours;
            const GridPoint cell = grid(xyz(ours));
            x[k] = cell.x, y[k] = cell.y, z[k] = cell.z;
        }
        hilbert_keys(x, y, z, count, keys);
        for (std::size_t k = 0; k < count; ++k)
            entries_[from + k] = {keys[k], order_[from + k], static_cast<std::uint32_t>(from + k)};
    }
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first),
               end = entries_.begin() + static_cast<std::ptrdiff_t>(last);
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
}

/// Sample sort: chooses buckets of about equal size from a sample of every block, then locates each block's piece of
/// each bucket. Blocks are sorted, so a piece is an interval.
template <class Real>
void CurveOrder<Real>::choose_borders() {
    std::vector<Entry> sample;
    for (std::uint64_t block = 0; block < blocks_; ++block)
        for (std::size_t k = 0, size = start(block + 1) - start(block); k < std::min(kSamples, size); ++k)
            sample.push_back(entries_[start(block) + k * size / std::min(kSamples, size)]);
    std::sort(sample.begin(), sample.end());
    std::fill(bucket_start_.begin(), bucket_start_.end(), 0);
    for (std::uint64_t block = 0; block < blocks_; ++block) {
        std::size_t* const piece = &pieces_[block * (blocks_ + 1)];
        piece[0] = start(block), piece[blocks_] = start(block + 1);
        for (std::uint64_t bucket = 1; bucket < blocks_; ++bucket) {
            const auto from = entries_.begin() + static_cast<std::ptrdiff_t>(piece[bucket - 1]),
                       to = entries_.begin() + static_cast<std::ptrdiff_t>(piece[blocks_]);
            const Entry& border = sample[bucket * sample.size() / blocks_];
            piece[bucket] = static_cast<std::size_t>(std::lower_bound(from, to, border) - entries_.begin());
        }
        for (std::uint64_t bucket = 0; bucket < blocks_; ++bucket)
            bucket_start_[bucket + 1] += piece[bucket + 1] - piece[bucket];
    }
    std::partial_sum(bucket_start_.begin(), bucket_start_.end(), bucket_start_.begin());
}

/// Concatenates the pieces of all blocks and merges them pairwise.
template <class Real>
void CurveOrder<Real>::merge_bucket(std::uint64_t bucket) {
    const auto at = [this](std::size_t i) { return merged_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::vector<std::size_t> runs{bucket_start_[bucket]};
    for (std::uint64_t block = 0; block < blocks_; ++block) {
        const std::size_t* const piece = &pieces_[block * (blocks_ + 1) + bucket];
        if (piece[0] == piece[1]) continue;
        const std::size_t here = runs.back();
        std::copy(entries_.begin() + static_cast<std::ptrdiff_t>(piece[0]),
                  entries_.begin() + static_cast<std::ptrdiff_t>(piece[1]), at(here));
        const bool follows = runs.size() > 1 && merged_[here - 1] < merged_[here];
        if (follows) runs.pop_back();
        runs.push_back(here + piece[1] - piece[0]);
    }
    while (runs.size() > 2) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            if (i + 2 < runs.size()) std::inplace_merge(at(runs[i]), at(runs[i + 1]), at(runs[i + 2]));
            runs[++kept] = runs[std::min(i + 2, runs.size() - 1)];
        }
        runs.resize(kept + 1);
    }
    heavy_of_[bucket].clear();
    for (std::size_t i = bucket_start_[bucket]; i < bucket_start_[bucket + 1]; ++i) {
        keys_[i] = merged_[i].key, order_[i] = merged_[i].body;
        sorted_[i] = work_[merged_[i].at];
        if (sorted_[i].w >= heavy_from_) heavy_of_[bucket].push_back(static_cast<std::uint32_t>(i));
    }
}

template class CurveOrder<float>;
template class CurveOrder<double>;

}  // namespace orrery
