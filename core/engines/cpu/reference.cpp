// SPDX-License-Identifier: MIT
#include "core/engines/entries.hpp"

#include <vector>

#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/physics/law.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

/// Direct summation in one loop, in double whatever the precision of the state. One item per body.
template <class Real>
class Reference final : public Engine<Host, Real> {
public:
    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential, Queue<Host>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        exact_.resize(bodies.count);
        charge_.clear();
        if (bodies.charge) charge_.assign(bodies.charge, bodies.charge + bodies.count);
        for (std::size_t i = 0; i < bodies.count; ++i) {
            exact_[i] = convert<double>(bodies.position_mass[i]);
            if (!bodies.low) continue;
            const Vec4d low = convert<double>(bodies.low[i]);
            exact_[i].x += low.x, exact_[i].y += low.y, exact_[i].z += low.z;
        }
        return bodies.count;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        for (std::uint64_t i = first; i < last; ++i)
            bodies_.acceleration[i] = convert<Real>(
                reference_acceleration(Law::kPairs, exact_.data(), bodies_.count, i, gravity_, charge_.data()));
    }

private:
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
    std::vector<Vec4d> exact_;
    std::vector<double> charge_;
};

AnyEngine make_reference(const EngineConfig& config) { return make_in_precision<Reference>(config); }

}  // namespace

EngineEntry reference_engine() {
    return {.id = "reference",
            .label = "Reference",
            .doc = "All pairs in one plain loop in double precision: the reference for all other engines.",
            .backend = Backend::kCpu,
            .tolerance_single = 1e-7,  // the result is rounded to float
            .tolerance_double = 1e-15,
            .max_bodies = 65536,
            .pair_laws = every_pair_law(),
            .capabilities = {Capability::kMixed},
            .own_units = true,
            .make = make_reference};
}

}  // namespace orrery
