// SPDX-License-Identifier: MIT
// The thesis' first GPU program: one thread per body, which reads every other body from global memory. Kept for study,
// as the baseline for the tiled kernel.
#include "core/cuda/launch.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/mixed.hpp"
#include "core/physics/pair.cuh"

namespace orrery {
namespace {

using namespace cuda;

constexpr unsigned kThreads = 256;

template <Softened kSoftened, bool kPotential, Split kSplit, class Real>
__global__ void naive(BodyView<Device, Real> bodies, std::uint64_t first_row, Real softening2, Real G) {
    const std::uint64_t i = first_row + thread_index();
    if (i >= bodies.count) return;
    const auto body = [&](std::uint64_t at) { return point_mass<kSplit>(bodies.position_mass, bodies.low, at); };
    const PointMass<Real, kSplit> self = body(i);
    Sum<Real> sum;
    for (std::uint64_t j = 0; j < bodies.count; ++j)
        add_acceleration<kSoftened, kPotential>(sum, self, body(j), mass_beside<kPotential>(body(j), j == i),
                                                softening2);
    bodies.acceleration[i] = finished(Vec4<Real>{sum.x, sum.y, sum.z, sum.w}, G);
}

/// An item is a block of kThreads rows.
template <class Real>
class Naive final : public Engine<Device, Real> {
public:
    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device>) override {
        bodies_ = bodies;
        gravity_ = gravity;
        potential_ = potential;
        return (bodies.count + kThreads - 1) / kThreads;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        const auto softening = static_cast<Real>(gravity_.softening);
        const Real softening2 = softening * softening;
        const bool softened = softening2 > kTouching<Real>, potential = potential_ == Potential::kCompute;
        const auto kernel =
            bodies_.low ? choose<Split::kYes>(softened, potential) : choose<Split::kNo>(softened, potential);
        launch("naive", {dim3(static_cast<unsigned>(last - first)), dim3(kThreads)}, queue.stream, kernel, bodies_,
               first * kThreads, softening2, gravity_.constant);
    }

    bool replays() const override { return true; }

private:
    template <Split kSplit>
    static auto choose(bool softened, bool potential) {
        using enum Softened;
        if (softened) return potential ? naive<kYes, true, kSplit, Real> : naive<kYes, false, kSplit, Real>;
        return potential ? naive<kNo, true, kSplit, Real> : naive<kNo, false, kSplit, Real>;
    }

    BodyView<Device, Real> bodies_{};
    Gravity gravity_;
    Potential potential_{};
};

AnyEngine make_naive(const EngineConfig& config) { return make_in_precision<Naive>(config); }

}  // namespace

EngineEntry cuda_naive_engine() {
    return {.id = "naive",
            .label = "Direct, naive",
            .doc = "All pairs on the GPU without shared memory, one thread per body: the baseline for tiling.",
            .backend = Backend::kCuda,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .capabilities = {Capability::kMixed},
            .make = make_naive};
}

}  // namespace orrery
