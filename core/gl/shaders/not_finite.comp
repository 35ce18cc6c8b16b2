// The first body whose state contains NaN or ∞. Defines: DOUBLE.
layout(local_size_x = 128) in;
#include "common.glsl"
#include "finite.glsl"
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
