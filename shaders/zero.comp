// SPDX-License-Identifier: MIT
// shaders/zero.comp: clears the buffer for splat.comp. On an H200 the driver's own glClearNamedBufferData takes longer
// than adding the light of a million bodies.
//   ssbo 1 Light   any length; a group clears 1024 quadruples
#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 1) writeonly buffer Light {
    uvec4 quadruples[];
};

void main() {
    for (uint i = 0u; i < 4u; ++i) {
        uint at = 1024u * gl_WorkGroupID.x + 256u * i + gl_LocalInvocationID.x;
        if (at < uint(quadruples.length())) quadruples[at] = uvec4(0u);
    }
}
