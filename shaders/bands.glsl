// SPDX-License-Identifier: MIT
// shaders/bands.glsl: the light of a body and its colour terms, by its index.
//   ssbo 5 Lights   light in red, green, blue over the mean, absorbing area: app/render/optics_buffers.hpp
// Compiled with BANDS for pictures of starlight, otherwise without. Needs color.glsl.
#ifdef BANDS
layout(std430, binding = 5) readonly buffer Lights {
    vec4 lights[];
};

vec4 light_of_body(uint index, float place) {
    vec3 bands = lights[index].rgb;
    float mean = dot(bands, vec3(1.0 / 3.0));
    return hues == 3 ? vec4(mean, bands) : mean * light_of(place);
}
#else
vec4 light_of_body(uint index, float place) { return light_of(place); }
#endif
