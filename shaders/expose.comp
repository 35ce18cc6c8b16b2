// SPDX-License-Identifier: MIT
// shaders/expose.comp: sets white and the steepness of the response from percentiles of light: a twentieth of all light
// is in blocks brighter than `white`, and blocks at the median of light (half of all light is in brighter ones) are
// displayed at `middle`. Neither depends on the number of bodies, unless it is so small that blocks are empty.
//   ssbo 1 Histogram   of measure.comp
//   ssbo 5 View        the uniforms of view.glsl as numbers; white, stretch and response are written
//   uniform 0 wish     the user's stretch over the default, 2^EV, minimum white
#version 450 core
layout(local_size_x = 1) in;
layout(std430, binding = 1) readonly buffer Histogram {
    uint pieces[256];
};
layout(std430, binding = 5) buffer View {
    float view[];
};
layout(location = 0) uniform vec3 wish;
const int kStretch = 23, kResponse = 24, kWhite = 28;  // app/render/frame_uniforms.hpp
const float kAboveWhite = 0.05, kMiddle = 0.47;
const float kMostStretch = 20.0;  // beyond this, the glow of single bodies would be as bright as a dense cloud

// log2 of the light at the middle of a step.
float level(int step) { return (float(step) + 0.5 - 64.0) / 8.0; }

// log2 of the light above which `above` of all light lies; light is taken as uniform within a step.
float percentile(float above) {
    float sum = 0.0;
    for (int i = 255; i >= 0; --i) {
        float here = float(pieces[i]) * exp2(level(i));
        if (sum + here >= above && here > 0.0) return level(i) + (0.5 - (above - sum) / here) / 8.0;
        sum += here;
    }
    return level(0);
}

float bright(float light, float steepness) { return log2(1.0 + steepness * light) / log2(1.0 + steepness); }

void main() {
    float all = 0.0;
    for (int i = 0; i < 256; ++i) all += float(pieces[i]) * exp2(level(i));
    if (!(all > 0.0)) return;  // no light: keep the values set by the host
    float white = max(exp2(percentile(kAboveWhite * all)), wish.z);
    float middle = min(exp2(percentile(0.5 * all)) / white, 1.0);
    float low = -7.0, high = 20.0;  // log2 of the steepness; for uniform light the response is nearly linear
    for (int i = 0; i < 30; ++i) {
        float half_way = 0.5 * (low + high);
        if (bright(middle, exp2(half_way)) < kMiddle) low = half_way;
        else high = half_way;
    }
    float steepness = min(exp2(low), kMostStretch * white) * wish.x;
    view[kWhite] = white;
    view[kStretch] = steepness / white;
    view[kResponse] = wish.y / log2(1.0 + steepness);
}
