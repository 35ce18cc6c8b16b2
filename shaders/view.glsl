// SPDX-License-Identifier: MIT
// shaders/view.glsl: what every pass knows of the picture.
//   ubo 0 View      std140   app/render/view_uniforms.hpp
layout(std140, binding = 0) uniform View {
    mat4 clip_from_world;
    vec2 resolution;       // pixels
    float scalar_low;      // of the colour scalar
    float scalar_scale;    // 1 / (high - low)
    float light;           // of one body, added over all its pixels
    float point_diameter;  // pixels, of a sprite
    float fixed_scale;     // units of the splat buffer per unit of light
    float stretch;         // of the response, see finish.glsl
    float response;        // scale of the response, exposure included
    float glow;            // share of the light that is scattered, 0 to 1
    int tone_map;          // 0 ACES, 1 Reinhard, 2 clamp
    int vertices;          // bodies in the bound range of the buffer
    float white;           // light in one pixel that becomes brightness 1 at exposure 0
    float light_unit;      // 1 / fixed_scale
    int scalar_scale_kind; // 0 linear, 1 logarithmic (scalar_low is a log2), 2 categories, 3 the few that have names
    int hues;              // 0: light comes with light × place in the colour map; 1: with light × colour
    int trails;            // 1: there is a map of their light
    float mass_power;      // a body's light is proportional to its mass to this power
    float mass_share;      // 1 / mean of that over all bodies
    int stars;             // 1: there is a map of their light
};
