// Positions in double about the middle of all bodies, each as the nearest float and the remainder (Dekker 1971).
#define DOUBLE 1
layout(local_size_x = 128) in;
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments { uint count; };
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
