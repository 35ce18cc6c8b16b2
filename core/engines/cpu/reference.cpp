// SPDX-License-Identifier: MIT
#include "core/engines/cpu/reference.hpp"

#include "core/physics/law.hpp"

namespace orrery {
namespace {

/// One loop, in double, whatever the precision of the state. One item per body.
template <class Real>
class Reference final : public Engine<Host, Real> {
public:
    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential, Queue<Host>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        return bodies.count;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        for (std::uint64_t i = first; i < last; ++i)
            bodies_.acceleration[i] =
                convert<Real>(reference_pull(Law::kGravity, bodies_.position_mass, bodies_.count, i, gravity_));
    }

private:
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
};

AnyEngine make(const EngineConfig& config) {
    if (config.precision == Precision::kSingle) return std::make_unique<Reference<float>>();
    return std::make_unique<Reference<double>>();
}

}  // namespace

EngineEntry reference_engine() {
    return {.id = "reference",
            .label = "Reference",
            .doc = "Every pair in one plain loop in double precision: what all other engines are measured against.",
            .backend = Backend::kCpu,
            .tolerance_single = 1e-7,  // the result is rounded to float
            .tolerance_double = 1e-15,
            .max_bodies = 65536,
            .tile_knobs = false,
            .make = make};
}

}  // namespace orrery
