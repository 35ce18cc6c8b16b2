// The box around the bodies that are finite: FIRST 1: of each of 64 work groups, FIRST 0: of these.
#define DOUBLE 1
layout(local_size_x = 64) in;
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments { uint count; };
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) buffer Corners { Vec4 corners[]; };  // 64 low, 64 high, middle
shared Vec4 least[64], most[64];

void main() {
    uint lane = gl_LocalInvocationID.x;
    const Real kFar = 1.7e308LF;
    Vec4 low = Vec4(kFar), high = Vec4(-kFar);
#if FIRST
    for (uint i = thread_index(); i < count; i += 64u * 64u) {
        Vec4 b = bodies[i];
        if (abs(b.x) < kFar && abs(b.y) < kFar && abs(b.z) < kFar) low = min(low, b), high = max(high, b);
    }
#else
    low = corners[lane], high = corners[64u + lane];
#endif
    least[lane] = low, most[lane] = high;
    for (uint width = 32u; width > 0u; width /= 2u) {
        barrier();
        if (lane < width) {
            least[lane] = min(least[lane], least[lane + width]);
            most[lane] = max(most[lane], most[lane + width]);
        }
    }
    if (lane != 0u) return;
#if FIRST
    corners[group_index()] = least[0], corners[64u + group_index()] = most[0];
#else
    corners[128] = least[0].x <= most[0].x ? 0.5LF * least[0] + 0.5LF * most[0] : Vec4(0);
#endif
}
