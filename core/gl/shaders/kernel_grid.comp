// The grid of a kernel of kind map for tile_rows rows.
#define DOUBLE 0
layout(local_size_x = 1) in;
#include "common.glsl"
#include "arguments.glsl"
#include "kernel"
layout(std430, binding = 0) writeonly buffer Found { uvec2 found; };

void main() { found = kernel_grid(tile_rows); }
