// SPDX-License-Identifier: MIT
// shaders/color.glsl: the colour scalar, and the colour map.
//   ubo 1 ColorMap  std140   app/render/color_maps.hpp; linear RGB at equal steps
layout(std140, binding = 1) uniform ColorMap {
    vec4 color_map[256];
};

// Position of a scalar in the colour map, 0 to 1. Needs view.glsl. Categories are spread by D. Knuth's multiplicative
// hash (The Art of Computer Programming 3, 6.4), so that adjacent numbers get distant positions.
float place_in_map(float scalar) {
    if (scalar_scale_kind == 2) return float((uint(max(scalar, 0.0)) * 2654435769u) >> 8) / 16777216.0;
    if (scalar_scale_kind == 3) return clamp((scalar + 0.5) / 8.0, 0.0, 1.0);
    if (scalar_scale_kind >= 8 && (floatBitsToUint(scalar) & 0x7fffffffu) > 0x7f800000u) return 1.0;
    if ((scalar_scale_kind & 7) == 1) scalar = log2(max(scalar, 1.2e-38));
    if ((scalar_scale_kind & 7) == 5) scalar = asinh(scalar / scalar_knee);
    float t = (scalar - scalar_low) * scalar_scale;
    t = t > 0.0 ? min(t, 1.0) : 0.0;  // in this form a NaN becomes 0
    return scalar_scale_kind >= 8 ? t * (254.0 / 255.0) : t;
}

// Position of a body in the colour map. Kind 4 is depth: away / (away + that of the target), 0 to 1 over all space.
float place_of(vec4 body, vec4 clip) {
    if (scalar_scale_kind != 4) return place_in_map(body.w);
    float away = depth_of(body.xyz, clip);
    return away / (away + scalar_low);
}

vec3 color_at(float place) { return color_map[int(place * 255.0 + 0.5)].rgb; }

// Light of a body and its colour terms. In an ordered map the mean position of many bodies has a meaningful hue;
// otherwise colours are added. Shaders for software GL may be compiled for one case: IN_ORDER, IN_COLORS or IN_MOMENTS.
vec4 light_of(float place) {
    if (hues == 2) return vec4(1.0, place, place * place, 0.0);
    return hues == 0 ? vec4(1.0, place, 0.0, 0.0) : vec4(1.0, color_at(place));
}
// For moments: positions are those of three times the range, and half of the range is at the end of the map.
float place_of_dispersion(vec4 sum) {
    float mean = sum.y / sum.x;
    return min(6.0 * sqrt(max(sum.z / sum.x - mean * mean, 0.0)), 1.0);
}
#if defined(IN_ORDER)
vec3 hue_of(vec4 sum) { return color_at(sum.y / sum.x); }
#elif defined(IN_COLORS)
vec3 hue_of(vec4 sum) { return sum.yzw / sum.x; }
#elif defined(IN_MOMENTS)
vec3 hue_of(vec4 sum) { return color_at(place_of_dispersion(sum)); }
#else
vec3 hue_of(vec4 sum) {
    if (hues == 2) return color_at(place_of_dispersion(sum));
    return hues == 0 ? color_at(sum.y / sum.x) : sum.yzw / sum.x;
}
#endif
