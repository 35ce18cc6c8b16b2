// SPDX-License-Identifier: MIT
// Symmetric compositions of leapfrog steps to fourth and sixth order (Yoshida 1990; Forest & Ruth 1990).
#include "core/integrators/compositions.hpp"

#include <array>

namespace orrery {
namespace {

using enum Stage::Op;

template <std::size_t N>
using Stages = std::array<Stage, 3 * N + 1>;

/// Concatenates KDK leapfrogs, each `w[i]` of the step long; adjacent kicks are merged.
template <std::size_t N>
constexpr Stages<N> compose_kdk(const std::array<double, N>& w) {
    Stages<N> stages{};
    for (std::size_t i = 0; i < N; ++i) {
        stages[3 * i] = {kKick, i == 0 ? w[0] / 2 : (w[i - 1] + w[i]) / 2};
        stages[3 * i + 1] = {kDrift, w[i]};
        stages[3 * i + 2] = {kForce};
    }
    stages.back() = {kKick, w[N - 1] / 2};
    return stages;
}

/// The same with DKD leapfrogs; adjacent drifts are merged.
template <std::size_t N>
constexpr Stages<N> compose_dkd(const std::array<double, N>& w) {
    Stages<N> stages{};
    for (std::size_t i = 0; i < N; ++i) {
        stages[3 * i] = {kDrift, i == 0 ? w[0] / 2 : (w[i - 1] + w[i]) / 2};
        stages[3 * i + 1] = {kForce};
        stages[3 * i + 2] = {kKick, w[i]};
    }
    stages.back() = {kDrift, w[N - 1] / 2};
    return stages;
}

/// 1 / (2 - 2^(1/3)); with a step of 1 - 2w between two of w the third-order error cancels.
constexpr double kTriple = 1.3512071919596576;
constexpr std::array kFourth{kTriple, 1 - 2 * kTriple, kTriple};

/// Yoshida 1990, table 1, solution A; the digits beyond the 15 printed there are from Hairer, Lubich & Wanner 2006,
/// §V.3.2.
constexpr double kW1 = -1.17767998417887100695, kW2 = 0.23557321335935813368, kW3 = 0.78451361047755726382;
constexpr double kW0 = 1 - 2 * (kW1 + kW2 + kW3);
constexpr std::array kSixth{kW3, kW2, kW1, kW0, kW1, kW2, kW3};

}  // namespace

IntegratorEntry forest_ruth() {
    static constexpr auto stages = compose_dkd(kFourth);
    return {.id = "forest-ruth",
            .label = "Forest-Ruth",
            .doc = "Three leapfrogs DKD: fourth order, symplectic, reversible (Forest & Ruth 1990, Physica D 43, 105).",
            .order = 4,
            .reversible = true,
            .stages = stages};
}

IntegratorEntry yoshida4() {
    static constexpr auto stages = compose_kdk(kFourth);
    return {.id = "yoshida4",
            .label = "Yoshida 4",
            .doc = "Three leapfrogs KDK: fourth order, symplectic, reversible (Yoshida 1990, Phys. Lett. A 150, 262).",
            .order = 4,
            .reversible = true,
            .stages = stages};
}

IntegratorEntry yoshida6() {
    static constexpr auto stages = compose_kdk(kSixth);
    return {.id = "yoshida6",
            .label = "Yoshida 6",
            .doc = "Seven leapfrogs KDK: sixth order, symplectic, reversible (Yoshida 1990, table 1, solution A).",
            .order = 6,
            .reversible = true,
            .stages = stages};
}

}  // namespace orrery
