// The box and the reference acceleration of each group: group_acceleration() and heavy_acceleration() of
// core/physics/opening.hpp. Defines: DOUBLE, RELATIVE.
layout(local_size_x = 32) in;
#include "common.glsl"
#include "finite.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Starts { uint starts[]; };
layout(std430, binding = 2) writeonly buffer Groups { Group groups[]; };
#if RELATIVE
layout(std430, binding = 3) readonly buffer Norms { Real norms[]; };
#endif

void main() {
    uint group = item_index();
    if (group >= last) return;
    uint begin = starts[group], end = starts[group + 1u];
    const Real kFar = Real(3.4e38);
    Vec3 low = bodies[begin].xyz, high = low;
    Real weakest = kFar, of_heavy = kFar, sum = Real(0);
    bool finite = true;
    for (uint i = begin; i < end; ++i) {
        Vec4 body = bodies[i];
        low = min(low, body.xyz), high = max(high, body.xyz);
#if RELATIVE
        Real norm = norms[i];
        finite = finite && is_finite(Vec4(norm));
        weakest = min(weakest, norm), sum += norm;
        if (body.w >= heavy) of_heavy = min(of_heavy, Real(0.25) * norm);
#endif
    }
    Real least = max(weakest, max(Real(0.1) * sum / Real(end - begin), Real(1e-6) * mean_norm));
    // If a body is not finite, neither are the forces: do not open every cell.
    Real reference = finite && is_finite(Vec4(least)) ? min(least, of_heavy) : kFar;
    groups[group] = Group(Vec4(Real(0.5) * (low + high), reference), Vec4(Real(0.5) * (high - low), Real(0)), begin,
                          end - begin, 0u, 0u);
}
