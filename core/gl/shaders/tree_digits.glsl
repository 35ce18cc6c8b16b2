// A work group of the sort has 2048 keys, in rounds of 256.
const uint kRounds = 8u;
uint rounds_of(uint block) { return min(kRounds, (count - block * kRounds * 256u + 255u) / 256u); }
uint digit_of(uvec2 key) { return (digit < 4u ? key.x : key.y) >> 8u * (digit % 4u) & 255u; }
