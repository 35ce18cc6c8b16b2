// Accelerations of a sample of the bodies in double: a work group adds the pull of a share of the bodies on one of them.
// Defines: DOUBLE, of the bodies.
layout(local_size_x = 128) in;
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments {
    uint count, samples, shares, first_item;
    double softening2, constant;
};
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Sample { uint which[]; };
layout(std430, binding = 2) writeonly buffer Parts { dvec4 parts[]; };  // [share][sample]
shared dvec3 sums[gl_WorkGroupSize.x];

void main() {
    uint item = first_item + group_index(), own = gl_LocalInvocationID.x, threads = gl_WorkGroupSize.x * shares;
    uint i = which[item % samples];
    dvec3 self = dvec3(bodies[i].xyz), sum = dvec3(0);
    for (uint j = item / samples * gl_WorkGroupSize.x + own; j < count; j += threads) {
        dvec4 other = dvec4(bodies[j]);
        dvec3 d = other.xyz - self;
        double r2 = dot(d, d) + softening2;
        if (j != i && r2 > 1e-200LF) sum += other.w / (r2 * sqrt(r2)) * d;
    }
    sums[own] = sum;
    for (uint half_of = gl_WorkGroupSize.x / 2u; half_of > 0u; half_of /= 2u) {
        barrier();
        if (own < half_of) sums[own] += sums[own + half_of];
    }
    if (own == 0u) parts[item] = dvec4(constant * sums[0], 0);
}
