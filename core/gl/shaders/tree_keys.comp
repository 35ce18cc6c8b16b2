// Keys of the bodies along the Hilbert curve: core/spatial/keys.hpp, with 63 bits in two words, the lower one first.
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Keys { uvec2 keys[]; };
layout(std430, binding = 2) writeonly buffer Order { uint order[]; };
const uint kKeyCells = 1u << 21;

uint coordinate(Real offset) {
    if (!(offset > Real(0))) return 0u;
    return offset < Real(kKeyCells) ? uint(offset) : kKeyCells - 1u;
}

// Eleven bits, two zeros after each.
uint spread(uint v) {
    v = (v | v << 16) & 0x070000ffu;
    v = (v | v << 8) & 0x0700f00fu;
    v = (v | v << 4) & 0x430c30c3u;
    return (v | v << 2) & 0x49249249u;
}

uvec2 hilbert_key(uint x, uint y, uint z) {
    for (uint bit = kKeyCells >> 1; bit > 1u; bit >>= 1) {
        uint below = bit - 1u;
        if ((x & bit) != 0u) x ^= below;
        uint has = (y & bit) != 0u ? 0xffffffffu : 0u, xy = (x ^ y) & below & ~has;
        x ^= xy | (below & has), y ^= xy;
        has = (z & bit) != 0u ? 0xffffffffu : 0u;
        uint xz = (x ^ z) & below & ~has;
        x ^= xz | (below & has), z ^= xz;
    }
    y ^= x, z ^= y;  // Gray code
    uint turned = 0u;
    for (uint bit = kKeyCells >> 1; bit > 1u; bit >>= 1)
        if ((z & bit) != 0u) turned ^= bit - 1u;
    x ^= turned, y ^= turned, z ^= turned;
    uint low = spread(x & 1023u) << 2 | spread(y & 1023u) << 1 | spread(z & 1023u);  // 30 bits
    x >>= 10, y >>= 10, z >>= 10;
    return uvec2(low | (y & 1u) << 31 | (z & 1u) << 30, spread(x) | spread(y >> 1) << 2 | spread(z >> 1) << 1);
}

void main() {
    uint i = item_index();
    if (i >= count) return;
    Vec4 body = bodies[i];
    keys[i] = hilbert_key(coordinate((body.x - low_x) * cells_per_length),
                          coordinate((body.y - low_y) * cells_per_length),
                          coordinate((body.z - low_z) * cells_per_length));
    order[i] = i;
}
