// Marks the first body of each group: cells of at most `most` bodies, merged with siblings while they have no more.
// Siblings in a cell of many bodies are not merged: the box of their group could contain all of these, and one work
// group would open every cell in it while all others have ended.
#define DOUBLE 0
layout(local_size_x = 64) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
layout(std430, binding = 0) readonly buffer Begins { uvec2 begins[]; };
layout(std430, binding = 1) readonly buffer Ends { uvec2 ends[]; };
layout(std430, binding = 2) writeonly buffer Marks { uint marks[]; };  // all 0

const uint kMostAround = 1024u;

void main() {
    uint at = item_index();
    if (at >= last) return;
    uvec2 begin = begins[at], end = ends[at];
    if (at == 0u && end.x - begin.x <= most) marks[0] = 1u;
    if (end.x - begin.x <= most) return;
    if ((begin.y & kLeaf) != 0u) {
        for (uint body = begin.x; body < end.x; body += most) marks[body] = 1u;
        return;
    }
    bool merges = end.x - begin.x <= kMostAround;
    uint bodies = most;  // of the group so far
    for (uint child = begin.y; child < end.y; ++child) {
        uint first_body = begins[child].x, more = ends[child].x - first_body;
        if (more > most) {
            bodies = most;
        } else if (!merges || bodies + more > most) {
            marks[first_body] = 1u;
            bodies = more;
        } else {
            bodies += more;
        }
    }
}
