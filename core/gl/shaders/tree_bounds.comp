// The box around the finite bodies, their mean mass, and the mean |acceleration|, of each work group. Means
// instead of sums, which may overflow. Defines: DOUBLE, NORMS 1: of |acceleration|, NORMS 2: of the estimates of a
// walk, alone.
layout(local_size_x = 64) in;
#include "common.glsl"
#include "finite.glsl"
#include "norm.glsl"
#include "tree_arguments.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
#if NORMS == 2
layout(std430, binding = 1) readonly buffer Norms { Real norms[]; };
#else
layout(std430, binding = 1) readonly buffer Accelerations { Vec4 acceleration[]; };
#endif
// For each work group: the low corner with the mean mass, the high corner with the mean |acceleration|, and the numbers
// of bodies in these means.
layout(std430, binding = 2) writeonly buffer Parts { Vec4 parts[]; };
shared Vec4 least[64], most_of[64];
shared uvec2 numbers[64];

void add_to_mean(inout Real mean, uint number, Real value) { mean += (value - mean) / Real(number); }

void main() {
    uint lane = gl_LocalInvocationID.x, group = group_index();
#if DOUBLE
    const Real kFar = 1.7e308LF;
#else
    const Real kFar = 3.4e38;
#endif
    Vec4 low = Vec4(Vec3(kFar), Real(0)), high = Vec4(Vec3(-kFar), Real(0));
    uvec2 number = uvec2(0u);
    for (uint i = group * 64u + lane; i < count; i += gl_NumWorkGroups.x * 64u) {
#if NORMS != 2
        Vec4 body = bodies[i];
        if (is_finite(body)) {
            low.xyz = min(low.xyz, body.xyz), high.xyz = max(high.xyz, body.xyz);
            if (is_finite(Vec4(body.w))) add_to_mean(low.w, ++number.x, abs(body.w));
        }
#endif
#if NORMS == 1
        Real norm = norm_of(acceleration[i].xyz);
        if (is_finite(Vec4(norm))) add_to_mean(high.w, ++number.y, norm);
#elif NORMS == 2
        Real norm = norms[i];
        if (is_finite(Vec4(norm))) add_to_mean(high.w, ++number.y, norm);
#endif
    }
    least[lane] = low, most_of[lane] = high, numbers[lane] = number;
    barrier();
    if (lane != 0u) return;
    uvec2 all = uvec2(0u);
    for (uint other = 0u; other < 64u; ++other) all += numbers[other];
    Real mass = Real(0), norm = Real(0);
    for (uint other = 0u; other < 64u; ++other) {
        low.xyz = min(low.xyz, least[other].xyz), high.xyz = max(high.xyz, most_of[other].xyz);
        if (all.x > 0u) mass += least[other].w * (Real(numbers[other].x) / Real(all.x));
        if (all.y > 0u) norm += most_of[other].w * (Real(numbers[other].y) / Real(all.y));
    }
    parts[3u * group] = Vec4(low.xyz, mass);
    parts[3u * group + 1u] = Vec4(high.xyz, norm);
    parts[3u * group + 2u] = Vec4(Real(all.x), Real(all.y), Real(0), Real(0));
}
