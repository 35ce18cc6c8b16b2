// SPDX-License-Identifier: MIT
// shaders/shrink_light.glsl: the mean of 4 × 4 pixels of light.
//   shade   light and its colour terms in units of glow_unit, which half floats can hold for any number
//           of bodies; if light comes with a position in the colour map, the third number is that of stars, and
//           with its square the fourth
// Needs view.glsl, light_at(), trail_light.glsl and star_light.glsl.

vec4 shade(ivec2 narrow, vec2 uv) {
    ivec2 corner = 4 * narrow, last = ivec2(resolution) - 1;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            ivec2 pixel = min(corner + ivec2(x, y), last);
            sum += light_at(pixel) + trail_at(pixel);
            if (has_stars()) sum += hues == 0   ? vec4(0.0, 0.0, star_at(pixel).x, 0.0)
                                    : hues == 2 ? vec4(0.0, 0.0, 0.0, star_at(pixel).x)
                                                : star_at(pixel);
        }
    }
    return min(sum * (0.0625 / glow_unit), 60000.0);
}
