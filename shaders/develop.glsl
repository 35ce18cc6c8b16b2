// SPDX-License-Identifier: MIT
// shaders/develop.glsl: turns light into brightness as a photograph would, so that the middle of a galaxy and its
// outermost body show in one picture: the logarithm of the strongest component, the hue kept.
// Needs view.glsl.
vec3 develop(vec3 light_sum) {
    float strength = max(light_sum.r, max(light_sum.g, light_sum.b));
    if (!(strength > 0.0)) return vec3(0.0);
    return light_sum * (log2(1.0 + stretch * strength) * response / strength);
}
