// Sorts up to 2048 keys, with the indices of their bodies, in place and in one work group: a bitonic sort (Batcher 1968,
// AFIPS 32). Equal keys are ordered by index, so the order is that of the radix sort.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
layout(std430, binding = 0) buffer Keys { uvec2 keys[]; };
layout(std430, binding = 1) buffer Order { uint order[]; };
const uint kMost = 2048u;
shared uvec2 sorted[kMost];
shared uint bodies[kMost];

bool is_after(uint a, uint b) {
    uvec2 x = sorted[a], y = sorted[b];
    if (x.y != y.y) return x.y > y.y;
    return x.x != y.x ? x.x > y.x : bodies[a] > bodies[b];
}

void main() {
    uint lane = gl_LocalInvocationID.x, size = 1u;
    if (group_index() > 0u) return;
    while (size < count) size *= 2u;
    for (uint i = lane; i < size; i += 256u) {
        sorted[i] = i < count ? keys[i] : uvec2(~0u);  // larger than every key
        bodies[i] = i < count ? order[i] : i;
    }
    for (uint run = 2u; run <= size; run *= 2u)
        for (uint apart = run / 2u; apart > 0u; apart /= 2u) {
            barrier();
            for (uint pair = lane; pair < size / 2u; pair += 256u) {
                uint a = 2u * pair - (pair & apart - 1u), b = a + apart;
                if (is_after(a, b) == ((a & run) == 0u)) {
                    uvec2 key = sorted[a];
                    uint body = bodies[a];
                    sorted[a] = sorted[b], bodies[a] = bodies[b];
                    sorted[b] = key, bodies[b] = body;
                }
            }
        }
    barrier();
    for (uint i = lane; i < count; i += 256u) keys[i] = sorted[i], order[i] = bodies[i];
}
