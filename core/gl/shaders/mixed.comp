// Shaders of engines that compute in single precision for bodies in double.
#define DOUBLE 1
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments { uint count; };

#shader widen layout(local_size_x = 128) in;
// Floats as doubles.
layout(std430, binding = 0) readonly buffer From { vec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { dvec4 to[]; };

void main() {
    uint i = thread_index();
    if (i < count) to[i] = dvec4(from[i]);
}

#shader narrow layout(local_size_x = 128) in;
// Doubles that hold floats, as floats.
layout(std430, binding = 0) readonly buffer From { dvec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { vec4 to[]; };

void main() {
    uint i = thread_index();
    if (i < count) to[i] = vec4(from[i]);
}

#shader corners layout(local_size_x = 64) in;
// The box around the bodies that are finite: FIRST 1: of each of 64 work groups, FIRST 0: of these.
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

#shader split layout(local_size_x = 128) in;
// Positions in double about the middle of all bodies, each as the nearest float and the remainder (Dekker 1971).
layout(std430, binding = 0) readonly buffer Bodies { dvec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Corners { dvec4 corners[]; };
layout(std430, binding = 2) writeonly buffer High { vec4 high[]; };
layout(std430, binding = 3) writeonly buffer Low { vec4 low[]; };

void main() {
    uint i = thread_index();
    if (i >= count) return;
    dvec4 b = bodies[i];
    precise dvec3 x = b.xyz - corners[128].xyz;
    vec3 nearest = vec3(x);
    precise dvec3 rest = x - dvec3(nearest);
    high[i] = vec4(nearest, float(b.w));
    low[i] = vec4(vec3(rest), 0);
}
