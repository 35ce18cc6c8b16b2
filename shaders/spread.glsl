// SPDX-License-Identifier: MIT
// shaders/spread.glsl: spreads the light of a body by a kernel of the body's width over 3 × 3 texels of two levels,
// each half as fine as the one before, mixed so that the kernel has the required variance. Weights are those of a
// quadratic B-spline (the "triangular shaped cloud" of R. Hockney & J. Eastwood, 1981); smooth.glsl interpolates a
// coarse level by the same spline, so that kernels are smooth at any width. Integers: a body's parts add up to its
// light, and the order of bodies does not matter. Included by smooth.comp and smooth_tiles.comp, which define add().
//   ssbo 0 Bodies     as in splat.glsl
//   ssbo 1 Light      levels one after the other, two or four numbers per texel, zeroed before this pass
//   ssbo 2 Widths     distance of each body to its k-th neighbour
//   ssbo 3 Masses     as in splat.glsl
//   ssbo 6 Lengths    with LENGTHS: smoothing lengths of some bodies, which take the place of widths
//   ssbo 7 Slices     with SLICES: of dust_cuts.comp; light then comes with the optical depth in V in place of its sum
//   uniform 0 scale   pixels per length at distance 1 from the eye, standard deviation over width
//   uniform 1 shape   for each level: first texel, width, height; app/render/body_light.cpp
//   uniform 11 levels number of levels
//   uniform 12 support radius of a kernel's support over its smoothing length
//   uniform 13 shown_slice whose bodies are drawn
//   uniform 14 depths distance of the camera's target, units per optical depth
#include "view.glsl"
#include "color.glsl"
#include "bands.glsl"
#include "spheres.glsl"
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 1) buffer Light {
    uint light_sum[];
};
layout(std430, binding = 2) readonly buffer Widths {
    float widths[];
};
layout(std430, binding = 3) readonly buffer Masses {
    float masses[];
};
#ifdef LENGTHS
layout(std430, binding = 6) readonly buffer Lengths {
    float lengths[];
};
layout(location = 12) uniform float support;
#endif
#ifdef SLICES
#include "dust_bins.glsl"
layout(std430, binding = 7) readonly buffer Slices {
    int slice_of_bin[];
};
layout(location = 13) uniform int shown_slice;
layout(location = 14) uniform vec2 depths;
#endif
layout(location = 0) uniform vec2 scale;
layout(location = 1) uniform ivec3 shape[10];
layout(location = 11) uniform int levels;
const float kMargin = 2.0;  // texels of each level beyond the edges of the frame

/// Adds to the numbers of one texel in memory; `at` is their index in `light_sum`.
void add_units(int at, uvec4 units) {
    atomicAdd(light_sum[at], units.x);
    atomicAdd(light_sum[at + 1], units.y);
    if (hues == 0) return;
    atomicAdd(light_sum[at + 2], units.z);
    atomicAdd(light_sum[at + 3], units.w);
}
int numbers() { return hues == 0 ? 2 : 4; }

void add(int level, ivec2 texel, int number, uvec4 units);  // `number`: index of the texel among those of all levels

void give(int level, ivec2 texel, uvec4 units) {
    ivec3 of = shape[level];
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, of.yz))) return;
    add(level, texel, of.x + texel.y * of.y + texel.x, units);
}

void spread(int level, vec2 place, uvec4 units) {
    vec2 at = place * exp2(-float(level)) + kMargin;
    ivec2 middle = ivec2(floor(at));
    if (any(lessThan(middle, ivec2(-1))) || any(greaterThan(middle, shape[level].yz))) return;
    vec2 d = at - vec2(middle) - 0.5;
    vec2 weights[3] = vec2[3](0.5 * (0.5 - d) * (0.5 - d), 0.75 - d * d, 0.5 * (0.5 + d) * (0.5 + d));
    uvec4 left = units;
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) {
            if (x == 1 && y == 1) continue;
            uvec4 part = uvec4(vec4(units) * (weights[x].x * weights[y].y));
            left -= part;
            give(level, middle + ivec2(x - 1, y - 1), part);
        }
    give(level, middle, left);
}

void spread_image(uint index, vec4 body, vec3 at) {
    vec4 clip = clip_of(at);
    if (!(clip.z >= -clip.w)) return;  // behind the camera, or not a number
    vec2 place = (clip.xy / clip.w * 0.5 + 0.5) * resolution;
    float away = max(depth_of(at, clip), 1e-30), width = widths[index];
#ifdef SLICES
    if (slice_of_bin[bin_of(away, depths.x)] != shown_slice) return;
#endif
#ifdef LENGTHS
    if (lengths[index] > 0.0) width = support * lengths[index];
#endif
    float sigma = width * scale.y * scale.x / away;
    // Variance on a level with texels d pixels wide: d² / 4 by spreading, (d² - 1) / 4 by interpolation back to pixels.
    float variance = 2.0 * min(sigma * sigma, 1e12) + 0.5;  // d²
    if (!(all(lessThan(abs(place), vec2(1e9))))) return;
    if (sliced_off(at) || (has_spheres() && hidden(at))) return;
    vec4 amount = light_of_body(index, place_of(body, clip)) * (light * fixed_scale);
    if (mass_power > 0.0) amount *= mass_share * pow(masses[index], mass_power);
#ifdef SLICES
    amount.x = min(lights[index].w * scale.x * scale.x / (away * away) * depths.y, 2e9);
#endif
    uvec4 units = uvec4(amount + 0.5);
    int level = clamp(int(floor(0.5 * log2(max(variance, 1.0)))), 0, levels - 2);
    float own = exp2(2.0 * float(level));
    float coarse = clamp((variance - own) / (3.0 * own), 0.0, 1.0);
    uvec4 part = min(uvec4(vec4(units) * coarse), units);
    if (any(greaterThan(part, uvec4(0u)))) spread(level + 1, place, part);
    spread(level, place, units - part);
}

void spread_body(uint index) {
    vec4 body = bodies[index];
    for (int copy = 0; copy < copies(); ++copy) spread_image(index, body, placed(body.xyz, copy));
}
