// Shaders of the bodies on the device: frames, moves, checks.
layout(local_size_x = 128) in;
#include "common.glsl"
#include "numbers.glsl"

#shader frame
// The vertices of a frame: positions, and in w the scalar for colours. Defines: DOUBLE, SCALAR: 0 none, 1 speed,
// 2 |acceleration|, 3 mass, 4 potential, 5 velocity along a line, 6 number of the tile, 7 a mark.
layout(std140, binding = 0) uniform Arguments {
    uint count, side;  // side: bodies of a tile
    uint unused_0, unused_1;
    vec4 along;
};
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Velocities { Vec4 velocity[]; };
layout(std430, binding = 2) readonly buffer Accelerations { Vec4 acceleration[]; };
layout(std430, binding = 3) readonly buffer Marks { float marks[]; };
layout(std430, binding = 4) writeonly buffer Vertices { vec4 vertices[]; };

float length_of(Vec3 v) { return float(sqrt(v.x * v.x + v.y * v.y + v.z * v.z)); }

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 body = bodies[i];
    float scalar = 0.0;
#if SCALAR == 1
    scalar = length_of(velocity[i].xyz);
#elif SCALAR == 2
    scalar = length_of(acceleration[i].xyz);
#elif SCALAR == 3
    scalar = float(body.w);
#elif SCALAR == 4
    scalar = float(acceleration[i].w);
#elif SCALAR == 5
    scalar = float(dot(velocity[i].xyz, Vec3(along.xyz)));
#elif SCALAR == 6
    scalar = float(i / side);
#elif SCALAR == 7
    scalar = marks[i];
#endif
    vertices[i] = vec4(vec3(body.xyz), scalar);
}

#shader sample
// Vertices evenly spaced over a frame: sample_indices() of core/bodies/sampling.hpp.
layout(std140, binding = 0) uniform Arguments { uint count, samples, unused_0, unused_1; };
layout(std430, binding = 0) readonly buffer Vertices { vec4 vertices[]; };
layout(std430, binding = 1) writeonly buffer Sample { vec4 found[]; };

void main() {
    uint i = thread_index();
    if (i < samples) found[i] = vertices[i * (count / samples) + i * (count % samples) / samples];
}

#shader move
// Kicks, drifts and ends of steps of each body, in order. Defines: DOUBLE.
layout(std140, binding = 0) uniform Arguments {
    uint count, moves;
    uint ends;    // steps that ended before
    uint unused;
    uvec4 op[2];  // 0: kick, v += dt·a; 1: drift, x += dt·v; 2: end of a step, at most one and the last
    Vec4 dt[2];
};
layout(std430, binding = 0) buffer Positions { Vec4 position[]; };
layout(std430, binding = 1) buffer Velocities { Vec4 velocity[]; };
layout(std430, binding = 2) readonly buffer Accelerations { Vec4 acceleration[]; };
layout(std430, binding = 3) buffer Lost {
    uint lost_end;   // steps that ended before the first one that lost a body
    uint lost_body;  // the first body with a position that is not finite, else 2^31 + the first with such a velocity
};

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 x = position[i], v = velocity[i], a = acceleration[i];
    for (uint m = 0u; m < moves; ++m) {
        Real step = dt[m / 4u][m % 4u];
        uint kind = op[m / 4u][m % 4u];
        if (kind == 0u) {
            v.xyz = fma(Vec3(step), a.xyz, v.xyz);
        } else if (kind == 1u) {
            x.xyz = fma(Vec3(step), v.xyz, x.xyz);
        } else if (!is_finite(x) || !is_finite(v)) {
            if (atomicMin(lost_end, ends) >= ends) atomicMin(lost_body, is_finite(x) ? 0x80000000u + i : i);
        }
    }
    position[i] = x;
    velocity[i] = v;
}

#shader not_finite
// The first body whose state contains NaN or ∞. Defines: DOUBLE.
layout(std140, binding = 0) uniform Arguments { uint count; };
layout(std430, binding = 0) readonly buffer Positions { Vec4 position[]; };
layout(std430, binding = 1) readonly buffer Velocities { Vec4 velocity[]; };
layout(std430, binding = 2) buffer First { uint first[2]; };  // with such a position, with such a velocity

void main() {
    uint i = thread_index();
    if (i >= count) return;
    if (!is_finite(position[i])) atomicMin(first[0], i);
    if (!is_finite(velocity[i])) atomicMin(first[1], i);
}

#shader reference
// Accelerations of a sample of the bodies in double: a work group adds the pull of a share of the bodies on one of them.
// Defines: DOUBLE, of the bodies.
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
