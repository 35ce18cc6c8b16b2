// Radix sort: moves each key, with the index of its body, to its place by one digit. Keys with the same digit keep
// their order: the threads of a round set bits in a mask of their digit, and the lower bits give their rank.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_digits.glsl"
layout(std430, binding = 0) readonly buffer KeysIn { uvec2 keys_in[]; };
layout(std430, binding = 1) readonly buffer OrderIn { uint order_in[]; };
layout(std430, binding = 2) readonly buffer Offsets { uint offsets[]; };
layout(std430, binding = 3) writeonly buffer KeysOut { uvec2 keys_out[]; };
layout(std430, binding = 4) writeonly buffer OrderOut { uint order_out[]; };
shared uint masks[256 * 8];  // [value][word]
shared uint next[256];       // place of the next key with this value

void main() {
    uint block = group_number(), lane = gl_LocalInvocationID.x, own_word = lane / 32u;
    if (block >= blocks) return;
    next[lane] = offsets[lane * blocks + block];
    for (uint word = 0u; word < 8u; ++word) masks[lane * 8u + word] = 0u;
    barrier();
    for (uint turn = 0u; turn < rounds_of(block); ++turn) {
        uint i = (block * kRounds + turn) * 256u + lane, value = 0u, from = 0u, rank = 0u, all = 0u, base = 0u;
        uvec2 key = uvec2(0u);
        bool there = i < count;
        if (there) {
            key = keys_in[i], from = order_in[i];
            value = digit_of(key);
            atomicOr(masks[value * 8u + own_word], 1u << lane % 32u);
        }
        barrier();
        if (there) {
            for (uint word = 0u; word < 8u; ++word) {
                uint mask = masks[value * 8u + word];
                all += uint(bitCount(mask));
                if (word < own_word) rank += uint(bitCount(mask));
                if (word == own_word) rank += uint(bitCount(mask & ((1u << lane % 32u) - 1u)));
            }
            base = next[value];
            keys_out[base + rank] = key, order_out[base + rank] = from;
        }
        barrier();
        if (there && rank + 1u == all) {
            next[value] = base + all;
            for (uint word = 0u; word < 8u; ++word) masks[value * 8u + word] = 0u;
        }
        barrier();
    }
}
