// Kicks, drifts and ends of steps of each body, in order. Defines: DOUBLE.
layout(local_size_x = 128) in;
#include "common.glsl"
#include "finite.glsl"
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
