// SPDX-License-Identifier: MIT
// The exact range of maps without integer correction, measured on the backend where they run.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/backend.hpp"
#include "core/lab/simplex_variants.hpp"
#include "core/maps/any_map.hpp"

namespace orrery {

template <Root R>
ORRERY_HD bool utm_places_row(std::int64_t a, std::int64_t n) {
    const std::int64_t k = (a - 1) * (2 * n - a) / 2;
    return utm_published<R>(k, n) == ThreadPair{a, a + 1} && utm_published<R>(k + n - a - 1, n) == ThreadPair{a, n};
}

/// True if the published thread-space UTM is correct for the first and the last pair (a, b) of row a ≥ 1, with b ≤ n.
ORRERY_HD inline bool utm_places_row(RootId root, std::int64_t a, std::int64_t n) {
    bool right = false;
    with_root(root, [&]<class R>(R) { right = utm_places_row<R>(a, n); });
    return right;
}

/// The first row below `limit` whose first or last tile this λ in row order misplaces; `limit` if there is none. A
/// triangle with that many rows is still exact. Throws Error{kEnvironment} if `where` is not available on this machine.
std::uint32_t first_wrong_row(AnyMap map, std::uint32_t limit, Backend where);
/// The first n below `limit` for which the thread-space UTM misplaces the first or last pair of a row; otherwise
/// `limit`.
std::uint32_t first_wrong_utm(RootId root, std::uint32_t limit, Backend where);

/// The first layer below `limit` in which the published tetrahedral λ, in float or double and with ε added to both
/// roots, misplaces a triple (on a device: the first or the last); otherwise `limit`.
std::uint32_t first_wrong_layer(bool fp64, double epsilon, std::uint32_t limit, Backend where);

/// λ of the 4-simplex: exact with a root of roots(), or with its roots trusted in float or double.
struct Layers4Form {
    enum class Kind : std::uint8_t { kExact, kTrusted, kTrustedFp64 } kind;
    RootId root{};  ///< of kExact
};
/// True if the form finds the first and the last quadruple of layer l.
ORRERY_HD inline bool places_layer4(Layers4Form form, std::uint32_t l) {
    const std::uint64_t first = simplex4(l), last = simplex4(l + std::uint64_t{1}) - 1;
    if (form.kind == Layers4Form::Kind::kTrusted)
        return Lambda4Trusted<float>::layer_of(first) == l && Lambda4Trusted<float>::layer_of(last) == l;
    if (form.kind == Layers4Form::Kind::kTrustedFp64)
        return Lambda4Trusted<double>::layer_of(first) == l && Lambda4Trusted<double>::layer_of(last) == l;
    bool right = false;
    with_root(form.root, [&]<class R>(R) {
        right = exact::quadruple_at<R, CubeRoot<R>>(first) == TileQuadruple{0, 0, 0, l} &&
                exact::quadruple_at<R, CubeRoot<R>>(last) == TileQuadruple{l, l, l, l};
    });
    return right;
}
/// The first layer below `limit` that the form misplaces; otherwise `limit`.
std::uint32_t first_wrong_layer4(Layers4Form form, std::uint32_t limit, Backend where);

/// The ids of lab_forms() whose range the experiment measures.
std::vector<std::string_view> exactness_maps();

// core/lab/cuda
std::uint32_t first_wrong_layer_on_device(bool fp64, double epsilon, std::uint32_t limit);
std::uint32_t first_wrong_layer4_on_device(Layers4Form form, std::uint32_t limit);
std::uint32_t first_wrong_row_on_device(AnyMap map, std::uint32_t limit);
std::uint32_t first_wrong_utm_on_device(RootId root, std::uint32_t limit);

}  // namespace orrery
