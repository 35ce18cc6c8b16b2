// SPDX-License-Identifier: MIT
#pragma once
// Support for laws other than gravity in engines of pairs: bodies with strengths in place of masses, and the conversion
// of a sum to an acceleration.
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/engines/views.hpp"
#include "core/physics/pair.cuh"
#include "core/physics/pair_law.hpp"

namespace orrery::cuda {

template <class Real>
__global__ void write_strengths(const Vec4<Real>* bodies, const Real* charge, std::uint64_t count, PairLaw law,
                                Vec4<Real>* out) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4<Real> body = bodies[i];
    out[i] = {body.x, body.y, body.z, strength_of(law, body.w, charge ? charge[i] : Real(0))};
}

/// Bodies with the strengths of a law in place of their masses.
template <class Real>
class Strengths {
public:
    /// For gravity, returns the bodies themselves.
    const Vec4<Real>* of(const BodyView<Device, Real>& bodies, PairLaw law, cudaStream_t stream) {
        if (law == PairLaw::kGravity) return bodies.position_mass;
        if (memory_.size() != bodies.count) memory_ = {}, memory_ = DeviceBuffer<Vec4<Real>>{bodies.count};
        launch("write_strengths", linear(bodies.count), stream, write_strengths<Real>, bodies.position_mass,
               bodies.charge, bodies.count, law, memory_.data());
        return memory_.data();
    }

private:
    DeviceBuffer<Vec4<Real>> memory_;
};

/// Converts the sum over a body's pairs to its acceleration, and w to its potential.
template <class Real>
struct FinishGravity {
    Real G;
    __device__ Vec4<Real> operator()(const Vec4<Real>& sum, std::uint64_t) const { return finished(sum, G); }
};
template <class Real>
struct FinishLaw {
    const Vec4<Real>* bodies;  ///< with their masses
    PairLaw law;
    Real constant;
    __device__ Vec4<Real> operator()(const Vec4<Real>& sum, std::uint64_t i) const {
        const Real scale = scale_of(law, constant, bodies[i].w);
        return {scale * sum.x, scale * sum.y, scale * sum.z, -scale * sum.w};
    }
};

/// Calls f with the conversion for this law. `bodies`: with their masses.
template <class Real, class F>
void with_finish(const Gravity& gravity, const Vec4<Real>* bodies, const F& f) {
    const auto constant = static_cast<Real>(gravity.constant);
    if (gravity.law == PairLaw::kGravity)
        f(FinishGravity<Real>{constant});
    else
        f(FinishLaw<Real>{bodies, gravity.law, constant});
}

}  // namespace orrery::cuda
