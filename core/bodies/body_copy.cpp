// SPDX-License-Identifier: MIT
#include "core/bodies/body_copy.hpp"

namespace orrery {
namespace {

template <class Real>
Bodies bodies_in(const BodyState& state) {
    Bodies bodies;
    bodies.position_mass.resize(state.count);
    bodies.velocity.resize(state.count);
    const std::byte* at = state.bytes.data();
    const auto next = [&] {
        Vec4<Real> v;
        std::memcpy(&v, at, sizeof v);
        at += sizeof v;
        return convert<double>(v);
    };
    for (Vec4d& x : bodies.position_mass) x = next();
    for (Vec3d& v : bodies.velocity) v = xyz(next());
    return bodies;
}

}  // namespace

Bodies bodies_of(const BodyState& state) {
    return state.precision == Precision::kSingle ? bodies_in<float>(state) : bodies_in<double>(state);
}

BodyState state_of(const Bodies& bodies) {
    std::vector<Vec4d> velocity;
    velocity.reserve(bodies.size());
    for (const Vec3d& v : bodies.velocity) velocity.push_back({v.x, v.y, v.z, 0});
    return pack<double>(bodies.position_mass, velocity, std::vector<Vec4d>(bodies.size()));
}

}  // namespace orrery
