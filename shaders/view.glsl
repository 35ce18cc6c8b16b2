// SPDX-License-Identifier: MIT
// shaders/view.glsl: uniforms and projection shared by all passes.
//   ubo 0 View      std140   app/render/frame_uniforms.hpp
layout(std140, binding = 0) uniform View {
    mat4 clip_from_world;
    vec2 resolution;       // pixels
    float scalar_low;      // of the colour scalar
    float scalar_scale;    // 1 / (high - low)
    float light;           // of one body, summed over all its pixels
    float point_diameter;  // pixels, of a sprite
    float fixed_scale;     // units of the splat buffer per unit of light
    float stretch;         // of the response, see finish.glsl
    float response;        // scale of the response, exposure included
    float glow;            // scattered share of the light, 0 to 1
    int tone_map;          // 0 ACES, 1 Reinhard, 2 clamp
    int vertices;          // bodies in the bound range of the buffer
    float white;           // light in one pixel that becomes brightness 1 at exposure 0
    float light_unit;      // 1 / fixed_scale
    int scalar_scale_kind; // 0 linear, 1 logarithmic (scalar_low is a log2), 2 categories, 3 named categories, 4 depth, 5 symmetric
                           // (asinh of the scalar over scalar_knee); 8 more: NaN has the last colour of the map
    int hues;              // light comes with 0: light × map position; 1: light × colour; 2: both powers of position;
                           // 3: light in three bands
    int trails;            // 1: there is a map of their light
    float mass_power;      // a body's light is proportional to its mass to this power
    float mass_share;      // 1 / mean of mass^mass_power over all bodies
    int stars;             // 1: there is a map of their light
    float glow_unit;       // light that is 1 in the maps of the glow
    int lens;              // 0 flat, 2 panorama, 3 dome: app/render/view_settings.hpp
    float contours;        // lines of equal light per decade
    float local_contrast;  // 0 to 1
    mat4 eye_from_world;
    float finest;          // step of a colour in the frame's format, on a scale of 0 to 1
    float slice_half;      // half of the thickness of the visible slab; 0: all of space is visible
    int hdr;               // 1: BT.2020 with the PQ curve instead of sRGB
    float scalar_knee;     // of the symmetric scale
    vec4 slice;            // normal of the slab, and its middle along the normal
    vec4 space;            // centre and edge of the periodic box; edge 0: space is not periodic
    int tiles;             // copies of the box along each axis
};

int copies() { return tiles * tiles * tiles; }

// Position of a body in a copy of the periodic box: app/camera/periodic.hpp.
vec3 placed(vec3 at, int copy) {
    if (!(space.w > 0.0)) return at;
    vec3 tile = vec3(copy % tiles, copy / tiles % tiles, copy / (tiles * tiles));
    return at - space.w * floor((at - space.xyz) / space.w + 0.5) + space.w * (tile - 0.5 * float(tiles - 1));
}
// The image of `at` nearest to `to`.
vec3 nearest_image(vec3 at, vec3 to) {
    return space.w > 0.0 ? at - space.w * round((at - to) / space.w) : at;
}

bool sliced_off(vec3 place) { return slice_half > 0.0 && !(abs(dot(slice.xyz, place) - slice.w) <= slice_half); }

// Clip coordinates of a position in eye space through the lenses other than flat.
vec4 clip_of_eye(vec3 at) {
    float away = length(at);
    if (lens == 2) return vec4(atan(at.x, -at.z) / 3.14159265, asin(clamp(at.y / away, -1.0, 1.0)) / 1.57079633, 0.0, 1.0);
    float angle = acos(clamp(-at.z / away, -1.0, 1.0)) / 1.57079633;
    if (!(angle <= 1.0)) return vec4(0.0, 0.0, -2.0, 1.0);
    vec2 along = at.xy / max(length(at.xy), 1e-30) * angle;
    return vec4(along * (min(resolution.x, resolution.y) / resolution), 0.0, 1.0);
}

// Clip coordinates of a position, and of a direction.
vec4 clip_of(vec3 place) {
    if (lens == 0) return clip_from_world * vec4(place, 1.0);
    return clip_of_eye((eye_from_world * vec4(place, 1.0)).xyz);
}
vec4 clip_of_direction(vec3 way) {
    if (lens == 0) return clip_from_world * vec4(way, 0.0);
    return clip_of_eye((eye_from_world * vec4(way, 0.0)).xyz);
}

// Distance that determines the size of an object in the frame.
float depth_of(vec3 place, vec4 clip) { return lens == 0 ? clip.w : length((eye_from_world * vec4(place, 1.0)).xyz); }
