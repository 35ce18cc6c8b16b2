// SPDX-License-Identifier: MIT
#include "core/integrators/integrators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

using enum Stage::Op;

IntegratorEntry leapfrog_kdk() {
    static constexpr std::array stages{Stage{kKick, 0.5}, Stage{kDrift, 1}, Stage{kForce}, Stage{kKick, 0.5}};
    return {.id = "leapfrog",
            .label = "Leapfrog KDK",
            .doc = "Kick-drift-kick leapfrog: second order, symplectic, reversible (Hockney & Eastwood 1988, §4-4-1).",
            .order = 2,
            .reversible = true,
            .stages = stages};
}

IntegratorEntry leapfrog_dkd() {
    static constexpr std::array stages{Stage{kDrift, 0.5}, Stage{kForce}, Stage{kKick, 1}, Stage{kDrift, 0.5}};
    return {.id = "leapfrog-dkd",
            .label = "Leapfrog DKD",
            .doc = "Drift-kick-drift leapfrog: forces at the middle of the step; second order, symplectic, reversible.",
            .order = 2,
            .reversible = true,
            .stages = stages};
}

/// The half kick before the drift adds the a·dt²/2 of the position; the second half uses the same old acceleration.
IntegratorEntry taylor_step() {
    static constexpr std::array stages{Stage{kKick, 0.5}, Stage{kDrift, 1}, Stage{kKick, 0.5}, Stage{kForce}};
    return {.id = "taylor",
            .label = "Taylor step",
            .doc = "x += (v + a dt/2) dt, v += a dt, as in the thesis: first order in the velocities; energy drifts.",
            .order = 1,
            .reversible = false,
            .stages = stages};
}

/// Ends when all bodies are due: the next step begins with those forces.
IntegratorEntry leapfrog_block() {
    static constexpr std::array stages{Stage{kBegin}, Stage{kPredict}, Stage{kForceDue}, Stage{kCorrect},
                                       Stage{kRepeat}};
    return {.id = "leapfrog-block",
            .label = "Leapfrog, block steps",
            .doc =
                "Kick-drift-kick with individual block time steps, dt over a power of two (Springel 2005, MNRAS 364, "
                "1105): second order, not reversible; for the engines direct, half, tree and fmm.",
            .order = 2,
            .reversible = false,
            .stages = stages,
            .individual = true};
}

// Symmetric compositions of leapfrog steps of different lengths, forward and backward, whose errors cancel: to fourth
// and sixth order (Yoshida 1990; Forest & Ruth 1990).

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

// Schemes that also use the jerk; their stages are implemented in core/bodies/hermite.hpp.

/// Ends with a force evaluation at the corrected positions (PECE), so that a step depends only on positions and
/// velocities.
constexpr std::array kHermite{Stage{kBegin},   Stage{kPredict}, Stage{kForceDue},
                              Stage{kCorrect}, Stage{kRepeat},  Stage{kForce}};

IntegratorEntry hermite4() {
    return {.id = "hermite4",
            .label = "Hermite 4",
            .doc =
                "Predictor-corrector scheme from accelerations and jerks: fourth order (Makino & Aarseth 1992, PASJ "
                "44, 141); for the engines direct and half.",
            .order = 4,
            .reversible = false,
            .stages = kHermite,
            .jerk = true};
}

IntegratorEntry hermite4_block() {
    return {.id = "hermite4-block",
            .label = "Hermite 4, block steps",
            .doc =
                "Individual block time steps, dt over a power of two, by the Aarseth criterion (Makino 1991, PASJ 43, "
                "859); for the engines direct and half.",
            .order = 4,
            .reversible = false,
            .stages = kHermite,
            .jerk = true,
            .individual = true};
}

}  // namespace

std::span<const IntegratorEntry> integrators() {
    static const std::array menu{leapfrog_kdk(), leapfrog_dkd(), leapfrog_block(), taylor_step(),   forest_ruth(),
                                 yoshida4(),     yoshida6(),     hermite4(),       hermite4_block()};
    return menu;
}

const IntegratorEntry& integrator(std::string_view id) { return find_in_menu(integrators(), "integrator", id); }

double step_limit(const Bodies& bodies, const Gravity& gravity, double eta) {
    const double softening2 = gravity.softening * gravity.softening;
    double fastest2 = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec4d &a = bodies.position_mass[i], &b = bodies.position_mass[j];
            const Vec3d x = xyz(a) - xyz(b), v = bodies.velocity[i] - bodies.velocity[j];
            const double r2 = dot(x, x) + softening2;
            if (r2 == 0) continue;  // coincident bodies do not attract each other
            const double acceleration = gravity.constant * (a.w + b.w) / std::sqrt(r2);
            fastest2 = std::max(fastest2, (acceleration + dot(v, v)) / r2);
        }
    return eta / std::sqrt(fastest2);
}

void require_adaptive(double eta, std::size_t bodies, const IntegratorEntry& integrator) {
    if (!(eta >= 0 && eta <= 1)) usage_error(fmt::format("adaptive {}: must be between 0 (equal steps) and 1", eta));
    if (eta > 0 && bodies > kMostAdaptive && !integrator.individual)
        usage_error(
            fmt::format("adaptive steps examine all pairs, for at most {1} bodies, not {0}; leapfrog-block and "
                        "hermite4-block have no such limit",
                        bodies, kMostAdaptive));
}

void require_adaptive(double eta, PairLaw law) {
    if (eta > 0 && !attracts_masses(law))
        usage_error(
            fmt::format("adaptive steps need a law of gravity; law {} supports only fixed steps", pair_law(law).id));
}

}  // namespace orrery
