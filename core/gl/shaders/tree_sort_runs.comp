// Sorts the keys of each run that have their upper 48 bits in common by the other bits, in place. Runs are short unless
// bodies lie in the same cell of level 16; a longer one sets `long_run`.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
layout(std430, binding = 0) buffer Keys { uvec2 keys[]; };
layout(std430, binding = 1) buffer Order { uint order[]; };
layout(std430, binding = 2) buffer LongRun { uint long_run; };
const uint kLongest = 32u;

bool same_run(uint a, uint b) {
    uvec2 x = keys[a], y = keys[b];
    return x.y == y.y && x.x >> 16u == y.x >> 16u;
}

void main() {
    uint first_of_run = item_index();
    if (first_of_run + 1u >= count || !same_run(first_of_run, first_of_run + 1u)) return;
    if (first_of_run > 0u && same_run(first_of_run - 1u, first_of_run)) return;
    uint end = first_of_run + 2u;
    while (end < count && end - first_of_run <= kLongest && same_run(first_of_run, end)) ++end;
    if (end - first_of_run > kLongest) {
        long_run = 1u;
        return;
    }
    for (uint next = first_of_run + 1u; next < end; ++next) {
        uvec2 key = keys[next];
        uint body = order[next], place = next;
        for (; place > first_of_run && keys[place - 1u].x > key.x; --place)
            keys[place] = keys[place - 1u], order[place] = order[place - 1u];
        keys[place] = key, order[place] = body;
    }
}
