// SPDX-License-Identifier: MIT
// The thesis' first program: for every body a plain loop over all others, in the precision of the state. Kept for
// study, as the baseline for `direct`.
#include "core/engines/entries.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/pool.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kNaiveRows = 16;  // bodies per item

template <class Real>
class NaiveOnHost final : public Engine<Host, Real> {
public:
    explicit NaiveOnHost(const EngineConfig& config) : pool_{config.threads, config.background} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential, Queue<Host>) override {
        bodies_ = bodies, gravity_ = gravity;
        return (bodies.count + kNaiveRows - 1) / kNaiveRows;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        pool_.parallel_for(first, last, [&](std::uint64_t item) {
            const std::uint64_t end = std::min<std::uint64_t>((item + 1) * kNaiveRows, bodies_.count);
            for (std::uint64_t i = item * kNaiveRows; i < end; ++i)
                bodies_.acceleration[i] = bodies_.low ? acceleration<true>(i) : acceleration<false>(i);
        });
    }

private:
    /// `kSplit`: positions have low parts.
    template <bool kSplit>
    Vec4<Real> acceleration(std::uint64_t i) const {
        const Vec4<Real> self = bodies_.position_mass[i];
        const auto softening = static_cast<Real>(gravity_.softening), G = static_cast<Real>(gravity_.constant);
        const Real softening2 = softening * softening;
        Vec4<Real> sum{};
        for (std::uint64_t j = 0; j < bodies_.count; ++j) {
            const Vec4<Real> other = bodies_.position_mass[j];
            Real x = other.x - self.x, y = other.y - self.y, z = other.z - self.z;
            if constexpr (kSplit) {
                const Vec4<Real> own = bodies_.low[i], low = bodies_.low[j];
                x += low.x - own.x, y += low.y - own.y, z += low.z - own.z;
            }
            const Real r2 = x * x + y * y + z * z + softening2;
            if (j == i || r2 <= kTouching<Real>) continue;
            const Real inverse = 1 / std::sqrt(r2), s = other.w * inverse * inverse * inverse;
            sum.x += s * x, sum.y += s * y, sum.z += s * z, sum.w += other.w * inverse;
        }
        return {G * sum.x, G * sum.y, G * sum.z, -G * sum.w};
    }

    Pool pool_;
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
};

}  // namespace

EngineEntry naive_engine() {
    return {.id = "naive",
            .label = "Direct, naive",
            .doc = "All pairs in a plain loop over all bodies for each, on all cores: the baseline for `direct`.",
            .backend = Backend::kCpu,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 18,
            .capabilities = {Capability::kMixed},
            .make = [](const EngineConfig& config) { return make_in_precision<NaiveOnHost>(config, config); }};
}

}  // namespace orrery
