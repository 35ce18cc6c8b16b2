// The box and the reference acceleration of each group: group_acceleration() and heavy_acceleration() of
// core/physics/opening.hpp. 32 threads read the bodies of a group. Defines: DOUBLE, RELATIVE.
layout(local_size_x = 64) in;
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

shared Vec3 lows[64], highs[64];
#if RELATIVE
shared Vec4 norms_of[64];  // the weakest, the sum, a quarter of the weakest of heavy bodies; w: 1 if all are finite
#endif

void main() {
    uint lane = gl_LocalInvocationID.x, own = lane % 32u, group = group_number() * 2u + lane / 32u;
    bool there = group < last;
    uint begin = there ? starts[group] : 0u, end = there ? starts[group + 1u] : 0u;
    const Real kFar = Real(3.4e38);
    Vec3 low = Vec3(kFar), high = Vec3(-kFar);
    Real weakest = kFar, of_heavy = kFar, sum = Real(0);
    bool finite = true;
    for (uint i = begin + own; i < end; i += 32u) {
        Vec4 body = bodies[i];
        low = min(low, body.xyz), high = max(high, body.xyz);
#if RELATIVE
        Real norm = norms[i];
        finite = finite && is_finite(Vec4(norm));
        weakest = min(weakest, norm), sum += norm;
        if (body.w >= heavy) of_heavy = min(of_heavy, Real(0.25) * norm);
#endif
    }
    lows[lane] = low, highs[lane] = high;
#if RELATIVE
    norms_of[lane] = Vec4(weakest, sum, of_heavy, finite ? Real(1) : Real(0));
#endif
    barrier();
    if (own != 0u || !there) return;
    for (uint k = lane + 1u; k < lane + min(32u, end - begin); ++k) {
        low = min(low, lows[k]), high = max(high, highs[k]);
#if RELATIVE
        Vec4 other = norms_of[k];
        weakest = min(weakest, other.x), sum += other.y, of_heavy = min(of_heavy, other.z);
        finite = finite && other.w > Real(0);
#endif
    }
    Real least = max(weakest, max(Real(0.1) * sum / Real(end - begin), Real(1e-6) * mean_norm));
    // If a body is not finite, neither are the forces: do not open every cell.
    Real reference = finite && is_finite(Vec4(least)) ? min(least, of_heavy) : kFar;
    groups[group] = Group(Vec4(Real(0.5) * (low + high), reference), Vec4(Real(0.5) * (high - low), Real(0)), begin,
                          end - begin, 0u, 0u);
}
