// For the host: the first cell of each level, the number of all cells, and whether the sort left long runs.
#define DOUBLE 0
layout(local_size_x = 32) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
layout(std430, binding = 0) readonly buffer Offsets { uint offsets[]; };
layout(std430, binding = 1) writeonly buffer Starts { uint starts[]; };
layout(std430, binding = 2) readonly buffer LongRun { uint long_run; };

void main() {
    uint level = gl_LocalInvocationID.x;
    if (group_index() > 0u) return;
    if (level <= kTreeLevels) starts[level] = offsets[level * blocks];
    if (level == 0u) starts[kTreeLevels + 1u] = long_run;
}
