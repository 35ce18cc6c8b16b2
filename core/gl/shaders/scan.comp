// Exclusive prefix sums of `count` numbers: PART 0 adds 2048 numbers per work group, PART 1 scans these sums in one
// work group, PART 2 scans the numbers. For up to 2048 numbers PART 2 suffices.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "scan_group.glsl"
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) buffer Sums { uint sums[]; };
layout(std430, binding = 2) writeonly buffer To { uint to[]; };
const uint kOfThread = 8u, kOfGroup = 2048u;

void main() {
    uint group = group_number(), lane = gl_LocalInvocationID.x, total;
#if PART == 1
    if (group > 0u) return;
    uint before = 0u;
    for (uint first = 0u; first < blocks; first += 256u) {
        uint i = first + lane, mine = i < blocks ? sums[i] : 0u;
        uint place = before + scan_of_group(mine, total);
        if (i < blocks) sums[i] = place;
        before += total;
    }
#else
    if (group >= blocks) return;
    uint first = group * kOfGroup + lane * kOfThread, mine = 0u;
    for (uint i = first; i < min(first + kOfThread, count); ++i) mine += from[i];
    uint before = scan_of_group(mine, total);
#if PART == 0
    if (lane == 0u) sums[group] = total;
#else
    if (blocks > 1u) before += sums[group];
    for (uint i = first; i < min(first + kOfThread, count); ++i) {
        to[i] = before;
        before += from[i];
    }
#endif
#endif
}
