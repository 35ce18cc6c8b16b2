// SPDX-License-Identifier: MIT
// shaders/color.glsl: the colour scalar, and the colour map.
//   ubo 1 ColorMap  std140   app/render/color_maps.hpp; linear RGB at equal steps
layout(std140, binding = 1) uniform ColorMap {
    vec4 color_map[256];
};

// 0 to 1 over the range of the colour map. Needs view.glsl.
float place_in_map(float scalar) {
    float t = (scalar - scalar_low) * scalar_scale;
    return t > 0.0 ? min(t, 1.0) : 0.0;  // in this form a NaN becomes 0
}

vec3 color_at(float place) { return color_map[int(place * 255.0 + 0.5)].rgb; }
