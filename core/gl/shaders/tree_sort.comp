// Shaders that sort keys, and prefix sums.
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree.glsl"

// A work group of the sort has 2048 keys, in rounds of 256.
const uint kRounds = 8u;
uint rounds_of(uint block) { return min(kRounds, (count - block * kRounds * 256u + 255u) / 256u); }
uint digit_of(uvec2 key) { return (digit < 4u ? key.x : key.y) >> 8u * (digit % 4u) & 255u; }

#shader few
// Sorts up to 2048 keys, with the indices of their bodies, in place and in one work group: a bitonic sort (Batcher 1968,
// AFIPS 32). Equal keys are ordered by index, so the order is that of the radix sort.
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

#shader count_digits
// Radix sort: how often each value of a digit occurs in each work group.
layout(std430, binding = 0) readonly buffer Keys { uvec2 keys[]; };
layout(std430, binding = 1) writeonly buffer Counts { uint counts[]; };  // [value][work group]
shared uint found[256];

void main() {
    uint block = group_number(), lane = gl_LocalInvocationID.x;
    if (block >= blocks) return;
    found[lane] = 0u;
    barrier();
    for (uint turn = 0u; turn < rounds_of(block); ++turn) {
        uint i = (block * kRounds + turn) * 256u + lane;
        if (i < count) atomicAdd(found[digit_of(keys[i])], 1u);
    }
    barrier();
    counts[lane * blocks + block] = found[lane];
}

#shader move
// Radix sort: moves each key, with the index of its body, to its place by one digit. Keys with the same digit keep
// their order: the threads of a round set bits in a mask of their digit, and the lower bits give their rank.
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

#shader runs
// Sorts the keys of each run that have their upper 48 bits in common by the other bits, in place. Runs are short unless
// bodies lie in the same cell of level 16; a longer one sets `long_run`.
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

#shader scan
// Exclusive prefix sums of `count` numbers: PART 0 adds 2048 numbers per work group, PART 1 scans these sums in one
// work group, PART 2 scans the numbers. For up to 2048 numbers PART 2 suffices.
// Prefix sums in a work group of 256 threads.
shared uint scan_memory[256];

// The sum of `mine` over the threads before this one; `total`: over all threads.
uint scan_of_group(uint mine, out uint total) {
    uint lane = gl_LocalInvocationID.x, sum = mine;
    for (uint step = 1u; step < 256u; step *= 2u) {
        barrier();
        scan_memory[lane] = sum;
        barrier();
        if (lane >= step) sum += scan_memory[lane - step];
    }
    barrier();
    scan_memory[lane] = sum;
    barrier();
    total = scan_memory[255];
    return sum - mine;
}

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
