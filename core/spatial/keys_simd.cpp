// SPDX-License-Identifier: MIT
// Hilbert keys of many bodies, compiled by Highway once per instruction set and dispatched at run time.
#include "core/spatial/keys.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/spatial/keys_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Spreads 21 bits, with two zeros after each.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V spread(D d, V v) {
    v = hn::And(hn::Or(v, hn::ShiftLeft<32>(v)), hn::Set(d, 0x001f00000000ffffull));
    v = hn::And(hn::Or(v, hn::ShiftLeft<16>(v)), hn::Set(d, 0x001f0000ff0000ffull));
    v = hn::And(hn::Or(v, hn::ShiftLeft<8>(v)), hn::Set(d, 0x100f00f00f00f00full));
    v = hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), hn::Set(d, 0x10c30c30c30c30c3ull));
    return hn::And(hn::Or(v, hn::ShiftLeft<2>(v)), hn::Set(d, 0x1249249249249249ull));
}

/// One axis and one bit of Skilling's loop; see hilbert_key().
template <class D, class V = hn::Vec<D>>
HWY_INLINE void turn_or_exchange(D d, std::uint32_t bit, V& x, V& other) {
    const V below = hn::Set(d, bit - 1), mask = hn::Set(d, bit);
    const V has = hn::VecFromMask(d, hn::Ne(hn::And(other, mask), hn::Zero(d)));
    const V exchanged = hn::AndNot(has, hn::And(hn::Xor(x, other), below));
    x = hn::Xor(x, hn::Or(exchanged, hn::And(below, has)));
    other = hn::Xor(other, exchanged);
}

void keys(const std::uint32_t* xs, const std::uint32_t* ys, const std::uint32_t* zs, std::size_t count,
          std::uint64_t* out) {
    const hn::ScalableTag<std::uint64_t> d64;
    const hn::Rebind<std::uint32_t, decltype(d64)> d;  // half a vector, so that each lane's key is one vector
    using V = hn::Vec<decltype(d)>;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < count; i += lanes) {
        V x = hn::LoadU(d, xs + i), y = hn::LoadU(d, ys + i), z = hn::LoadU(d, zs + i);
        for (std::uint32_t bit = kKeyCells >> 1; bit > 1; bit >>= 1) {
            const V has = hn::VecFromMask(d, hn::Ne(hn::And(x, hn::Set(d, bit)), hn::Zero(d)));
            x = hn::Xor(x, hn::And(has, hn::Set(d, bit - 1)));
            turn_or_exchange(d, bit, x, y);
            turn_or_exchange(d, bit, x, z);
        }
        y = hn::Xor(y, x), z = hn::Xor(z, y);
        // Bit k of `turned` is the parity of the bits of z above k.
        V turned = hn::ShiftRight<1>(z);
        turned = hn::Xor(turned, hn::ShiftRight<1>(turned));
        turned = hn::Xor(turned, hn::ShiftRight<2>(turned));
        turned = hn::Xor(turned, hn::ShiftRight<4>(turned));
        turned = hn::Xor(turned, hn::ShiftRight<8>(turned));
        turned = hn::Xor(turned, hn::ShiftRight<16>(turned));
        const auto sx = spread(d64, hn::PromoteTo(d64, hn::Xor(x, turned)));
        const auto sy = spread(d64, hn::PromoteTo(d64, hn::Xor(y, turned)));
        const auto sz = spread(d64, hn::PromoteTo(d64, hn::Xor(z, turned)));
        const auto key = hn::Or(hn::ShiftLeft<2>(sx), hn::Or(hn::ShiftLeft<1>(sy), sz));
        HWY_ALIGN std::uint64_t whole[HWY_MAX_BYTES / 8];
        hn::Store(key, d64, whole);
        std::copy_n(whole, std::min(lanes, count - i), out + i);
    }
}

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(keys);

void hilbert_keys(const std::uint32_t* x, const std::uint32_t* y, const std::uint32_t* z, std::size_t count,
                  std::uint64_t* out) {
    HWY_DYNAMIC_DISPATCH(keys)(x, y, z, count, out);
}

}  // namespace orrery
#endif
