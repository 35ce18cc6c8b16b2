// SPDX-License-Identifier: MIT
#include "core/engines/cuda/fmm/near.cuh"

#include <algorithm>
#include <array>

#include "core/engines/cuda/fmm/kernels.cuh"

namespace orrery::cuda {
namespace {

template <class Real, Softened kSoftened, bool kPotential, Split kSplit>
constexpr std::array<NearVariant<Real>, 4> near_variants() {
    constexpr bool softened = kSoftened == Softened::kYes, split = kSplit == Split::kYes;
    return {{{1, softened, kPotential, split, 1, &evaluate_near_field<Real, 1, kSoftened, kPotential, kSplit, 1>},
             {2, softened, kPotential, split, 1, &evaluate_near_field<Real, 2, kSoftened, kPotential, kSplit, 1>},
             {1, softened, kPotential, split, 4, &evaluate_near_field<Real, 1, kSoftened, kPotential, kSplit, 4>},
             {2, softened, kPotential, split, 4, &evaluate_near_field<Real, 2, kSoftened, kPotential, kSplit, 4>}}};
}
template <class Real, Split kSplit>
constexpr std::array<NearVariant<Real>, 16> near_variants() {
    std::array<NearVariant<Real>, 16> menu{};
    auto to = menu.begin();
    const auto add = [&to](const auto& variants) { to = std::copy(variants.begin(), variants.end(), to); };
    add(near_variants<Real, Softened::kYes, false, kSplit>());
    add(near_variants<Real, Softened::kYes, true, kSplit>());
    add(near_variants<Real, Softened::kNo, false, kSplit>());
    add(near_variants<Real, Softened::kNo, true, kSplit>());
    return menu;
}

}  // namespace

std::span<const NearVariant<float>> near_float() {
    static constexpr auto menu = [] {
        constexpr auto whole = near_variants<float, Split::kNo>(), split = near_variants<float, Split::kYes>();
        std::array<NearVariant<float>, whole.size() + split.size()> both{};
        std::copy(split.begin(), split.end(), std::copy(whole.begin(), whole.end(), both.begin()));
        return both;
    }();
    return menu;
}
std::span<const NearVariant<double>> near_double() {
    static constexpr auto menu = near_variants<double, Split::kNo>();
    return menu;
}

}  // namespace orrery::cuda
