// SPDX-License-Identifier: MIT
// Compiled without fused multiply-add, like the host version, so that results in double are bitwise equal.
#include "core/bodies/cuda/moment_store.hpp"
#include "core/cuda/launch.cuh"

namespace orrery::cuda {
namespace {

template <class Real>
__global__ void interpolate_bodies(MomentColumns<Real> from, MomentColumns<Real> to, WayPoint at,
                                   Vec4<Real>* position_mass, Vec4<Real>* velocity, std::uint64_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4<Real> x0 = from.position_mass[i], v0 = from.velocity[i], x1 = to.position_mass[i], v1 = to.velocity[i];
    const PhasePoint found = interpolated({{x0.x, x0.y, x0.z}, {v0.x, v0.y, v0.z}},  //
                                          {{x1.x, x1.y, x1.z}, {v1.x, v1.y, v1.z}}, at);
    position_mass[i] = {Real(found.x.x), Real(found.x.y), Real(found.x.z), x0.w};
    velocity[i] = {Real(found.v.x), Real(found.v.y), Real(found.v.z), 0};
}

}  // namespace

template <class Real>
void interpolate(const MomentColumns<Real>& from, const MomentColumns<Real>& to, const WayPoint& at,
                 Vec4<Real>* position_mass, Vec4<Real>* velocity, std::uint64_t count, cudaStream_t stream) {
    launch("interpolate", linear(count), stream, interpolate_bodies<Real>, from, to, at, position_mass, velocity,
           count);
}

template void interpolate(const MomentColumns<float>&, const MomentColumns<float>&, const WayPoint&, Vec4f*, Vec4f*,
                          std::uint64_t, cudaStream_t);
template void interpolate(const MomentColumns<double>&, const MomentColumns<double>&, const WayPoint&, Vec4d*, Vec4d*,
                          std::uint64_t, cudaStream_t);

}  // namespace orrery::cuda
