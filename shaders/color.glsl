// SPDX-License-Identifier: MIT
// shaders/color.glsl: the colour of a body.
//   ubo 1 ColorMap  std140   app/render/color_maps.hpp; linear RGB
// Needs view.glsl.
layout(std140, binding = 1) uniform ColorMap {
    vec4 color_map[256];
};

vec3 color_of(float scalar) {
    float t = (scalar - scalar_low) * scalar_scale;
    t = t > 0.0 ? min(t, 1.0) : 0.0;  // in this form a NaN becomes 0
    return color_map[int(t * 255.0 + 0.5)].rgb;
}
