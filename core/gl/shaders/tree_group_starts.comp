// The first bodies of all groups, and the number of bodies behind them; the number of groups for the host.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
layout(std430, binding = 0) readonly buffer Marks { uint marks[]; };
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, binding = 2) writeonly buffer Starts { uint starts[]; };
layout(std430, binding = 3) writeonly buffer Groups { uint groups; };

void main() {
    uint i = item_index();
    if (i == count || (i < count && marks[i] != 0u)) starts[places[i]] = i;
    if (i == count) groups = places[i];
}
