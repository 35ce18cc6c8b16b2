// SPDX-License-Identifier: MIT
// shaders/finish.glsl: mixes in scattered light, develops, tone maps, and converts to sRGB.
//   tex 1 glow_map   light and its colour terms at reduced size, in units of `glow_unit`
//   shade            sRGB in 0..1
// Software GL executes both sides of a branch, so its shaders are compiled without the features that a frame does not
// use: WITH_GLOW, WITH_RELIEF, WITH_CONTOURS, WITH_SPHERES, and LAYERS of trail_light.glsl. GPU shaders have all but
// the last.
// Needs view.glsl, color.glsl, light_at(), trail_light.glsl, star_light.glsl and spheres.glsl.
layout(binding = 1) uniform sampler2D glow_map;

// Converts light to brightness logarithmically, so that the middle of a galaxy and its outermost body are visible in
// one frame. The hue is that of the mean position in the colour map, and pales where it is bright. Stars bring their
// own colours: light, light × colour.
vec3 develop(vec4 sum, vec4 star, float relief) {
    float light_here = sum.x + star.x;
    if (!(light_here > 0.0)) return vec3(0.0);
    float bright = log2(1.0 + stretch * light_here) * response * relief;
    vec3 hue = vec3(0.0);
    if (sum.x > 0.0) hue = hue_of(sum);
    if (star.x > 0.0) hue = (hue * sum.x + star.yzw) / light_here;
    return bright * mix(hue, vec3(1.0), 0.6 * smoothstep(0.6, 1.6, bright));
}

// K. Narkowicz, "ACES filmic tone mapping curve", 2016: a fit of the curve, not the whole transform.
vec3 aces(vec3 c) { return c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14); }

vec3 tone_mapped(vec3 c) {
    if (tone_map == 0) return aces(c);
    if (tone_map == 1) return c / (1.0 + c);  // Reinhard et al. 2002, eq. 3, per component
    return c;
}

// IEC 61966-2-1 with its power approximated by square roots, to 0.001: a real power costs more than the rest on a CPU.
vec3 srgb(vec3 c) {
    vec3 s1 = sqrt(c), s2 = sqrt(s1), s3 = sqrt(s2);
    vec3 curve = 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c;
    return mix(curve, 12.92 * c, lessThan(c, vec3(0.0031308)));
}

// HDR10: diffuse white at 203 cd/m² (ITU-R BT.2408), highlights up to 1000 cd/m², in the primaries of BT.2020 (ITU-R
// BT.2087) with the PQ curve (SMPTE ST 2084). There is no tone mapping except the roll-off to the limit.
vec3 hdr10(vec3 c) {
    const float limit = 1000.0 / 203.0;
    c = c / sqrt(1.0 + c * c / (limit * limit));
    vec3 wide = mat3(0.6274, 0.0691, 0.0164, 0.3293, 0.9195, 0.0880, 0.0433, 0.0114, 0.8956) * c;
    vec3 y = pow(max(wide * 0.0203, 0.0), vec3(0.1593017578125));  // of 10 000 cd/m²
    return pow((0.8359375 + 18.8515625 * y) / (1.0 + 18.6875 * y), vec3(78.84375));
}

// Less than one step of the format, in a fixed pattern: dark gradients show no bands, and black stays black.
float dither(ivec2 pixel) {
    return fract(52.9829189 * fract(dot(vec2(pixel) + 0.5, vec2(0.06711056, 0.00583715)))) - 0.5;
}

// Brightness relative to the surroundings, which are in the glow map: above 1 on arms and filaments.
float relief_at(vec4 sum, vec2 uv) {
    float around = glow_unit * textureLod(glow_map, uv, 0.0).x;
    float own = log2(1.0 + stretch * sum.x), mean = log2(1.0 + stretch * around);
    return clamp(1.0 + 1.5 * local_contrast * (own - mean) / max(mean, 0.05), 0.2, 3.0);
}

// Index of the contour below a position. Uses the light in the glow map, where single bodies do not make contours.
float line_below(vec2 uv) {
    float light_there = textureLod(glow_map, uv, 0.0).x * glow_unit / white;
    return floor(contours * log2(max(light_there, 1e-9)) * 0.30103);
}

// 1 on a line of equal light; lines end at 10⁻⁴ of white.
float on_contour(vec2 uv) {
    vec2 step = 1.0 / resolution;
    float here = line_below(uv);
    bool line = here != line_below(uv + vec2(step.x, 0.0)) || here != line_below(uv + vec2(0.0, step.y));
    return line && here > -4.0 * contours ? 1.0 : 0.0;
}

vec4 shade(ivec2 pixel, vec2 uv) {
    vec4 sum = light_at(pixel) + trail_at(pixel), star = star_at(pixel);
    float relief = 1.0;
#ifdef WITH_RELIEF
    if (local_contrast > 0.0) relief = relief_at(sum, uv);
#endif
#ifdef WITH_GLOW
    if (glow > 0.0) {
        vec4 scattered = glow_unit * textureLod(glow_map, uv, 0.0);
        sum = mix(sum, scattered, glow);
        // The scattered light of stars is grey, in the third component, or already part of the colours of the sum.
        if (has_stars()) star = mix(star, vec4(hues == 0 ? scattered.z : hues == 2 ? scattered.w : 0.0), glow);
    }
#endif
    vec3 sphere = vec3(0.0);
#ifdef WITH_SPHERES
    if (has_spheres()) {
        vec4 found = sphere_at(uv);
        sphere = found.w * found.xyz;
        star *= 1.0 - found.w;
    }
#endif
    vec3 developed = develop(sum, star, relief);
    if (hdr != 0) {
        vec3 bright = developed + sphere;
#ifdef WITH_CONTOURS
        if (contours > 0.0) bright = mix(bright, vec3(0.6), 0.55 * on_contour(uv));
#endif
        return vec4(hdr10(bright) + dither(pixel) * (0.98 * finest), 1.0);
    }
    vec3 color = clamp(tone_mapped(developed) + sphere, 0.0, 1.0);
#ifdef WITH_CONTOURS
    if (contours > 0.0) color = mix(color, vec3(0.75), 0.55 * on_contour(uv));
#endif
    return vec4(srgb(color) + dither(pixel) * (0.98 * finest), 1.0);
}
