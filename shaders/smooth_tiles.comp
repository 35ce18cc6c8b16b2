// SPDX-License-Identifier: MIT
// shaders/smooth_tiles.comp: spread.glsl for bodies in an order in which consecutive ones are close. A work group first
// sums its additions in shared memory, 32 × 32 texels of an even and of an odd level (with four numbers 32 × 16), and
// then adds each texel to memory once; a texel whose slot is taken goes to memory at once. Gives the same bits as
// smooth.comp. Without this, 16 million bodies would make 576 million additions to memory.
//   ssbo 4 Order      numbers of the bodies
#version 450 core
#include "spread.glsl"
layout(local_size_x = 512) in;
layout(std430, binding = 4) readonly buffer Order {
    uint order[];
};
const uint kBodies = 2048u, kSize = 512u, kPlaces = 2048u;
shared uint owners[kPlaces];  // number of a texel + 1; 0: free
shared uint sums[2u * kPlaces];

uint places() { return hues == 0 ? kPlaces : kPlaces / 2u; }
int rows() { return hues == 0 ? 5 : 4; }  // bits

void add(int level, ivec2 texel, int number, uvec4 units) {
    int across = texel.x & 31, row = texel.y & (1 << rows()) - 1;
    uint place = uint(across | row << 5 | (level & 1) << 5 + rows()), mine = uint(number) + 1u;
    uint owner = owners[place];
    if (owner == 0u) owner = atomicCompSwap(owners[place], 0u, mine);
    if (owner != 0u && owner != mine) {
        add_units(numbers() * number, units);
        return;
    }
    atomicAdd(sums[place], units.x);
    atomicAdd(sums[place + places()], units.y);
    if (hues == 0) return;
    atomicAdd(sums[place + 2u * places()], units.z);
    atomicAdd(sums[place + 3u * places()], units.w);
}

void main() {
    uint own = gl_LocalInvocationID.x, group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    for (uint place = own; place < kPlaces; place += kSize)
        owners[place] = sums[place] = sums[place + kPlaces] = 0u;
    barrier();
    for (uint i = own; i < kBodies; i += kSize) {
        uint index = group * kBodies + i;
        if (index < uint(vertices)) spread_body(order[index]);
    }
    barrier();
    for (uint place = own; place < places(); place += kSize) {
        if (owners[place] == 0u) continue;
        uvec4 units = uvec4(sums[place], sums[place + places()], 0u, 0u);
        if (hues != 0) units.zw = uvec2(sums[place + 2u * places()], sums[place + 3u * places()]);
        add_units(numbers() * int(owners[place] - 1u), units);
    }
}
