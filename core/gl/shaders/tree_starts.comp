// The first cell of each level, and the number of all cells, for the host.
#define DOUBLE 0
layout(local_size_x = 32) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
layout(std430, binding = 0) readonly buffer Offsets { uint offsets[]; };
layout(std430, binding = 1) writeonly buffer Starts { uint starts[]; };

void main() {
    uint level = gl_LocalInvocationID.x;
    if (group_index() == 0u && level <= kTreeLevels) starts[level] = offsets[level * blocks];
}
