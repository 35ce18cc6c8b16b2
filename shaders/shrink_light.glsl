// SPDX-License-Identifier: MIT
// shaders/shrink_light.glsl: the mean of 4 × 4 pixels of light.
//   out narrow   light and light × place, in units of the light that is drawn white: half floats hold that for any number of bodies
// Needs view.glsl and light_at().
layout(location = 0) out vec2 narrow;

void main() {
    ivec2 corner = 4 * ivec2(gl_FragCoord.xy), last = ivec2(resolution) - 1;
    vec2 sum = vec2(0.0);
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) sum += light_at(min(corner + ivec2(x, y), last));
    }
    narrow = min(sum * (0.0625 / white), 60000.0);
}
