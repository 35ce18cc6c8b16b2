// SPDX-License-Identifier: MIT
// shaders/lasso.comp: finds the bodies that appear within a closed line, 32 by each thread. It computes in double
// precision with a bound of its error; bodies that are nearer than that to the line are left to the host, so the result
// does not depend on the GPU.
//   ssbo 0 Bodies   xyz in lengths of the scene
//   ssbo 1 Numbers  of the projection and of the line, as Header in app/render/lasso.cpp; then 5 for each edge
//   ssbo 2 Strips   first edge of each strip, and their number
//   ssbo 3 Inside   a bit per body
//   ssbo 4 Unsure   a bit per body
//   uniform 0       number of bodies, number of strips
#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 1) readonly buffer Numbers {
    double numbers[];
};
layout(std430, binding = 2) readonly buffer Strips {
    uint first_edge[];
};
layout(std430, binding = 3) writeonly buffer Inside {
    uint inside[];
};
layout(std430, binding = 4) writeonly buffer Unsure {
    uint unsure[];
};
layout(location = 0) uniform uvec2 counts;

const uint kOutside = 0u, kInside = 1u, kUnsure = 2u;
const double kTiny = 1e-12LF;  // several thousand times the relative error of an operation
const uint kHeader = 27u;      // numbers before the edges

dvec3 vector_at(uint at) { return dvec3(numbers[at], numbers[at + 1u], numbers[at + 2u]); }

uint within_line(double x, double y, double error) {
    double left = numbers[17], right = numbers[18], low = numbers[19], high = numbers[20];
    if (x < left - error || x > right + error || y < low - error || y > high + error) return kOutside;
    if (!(x > left + error && x < right - error && y > low + error && y < high - error)) return kUnsure;
    double at = (y - low) * numbers[21], from_strip = fract(at), error_at = error * numbers[21] + kTiny * (1.0LF + at);
    if (!(from_strip > error_at && from_strip < 1.0LF - error_at)) return kUnsure;
    uint strip = min(uint(at), counts.y - 1u);
    bool odd = false;
    for (uint k = first_edge[strip]; k < first_edge[strip + 1u]; ++k) {
        uint edge = kHeader + 5u * k;
        double bottom = numbers[edge + 3u], top = numbers[edge + 4u];
        if (y < bottom - error || y > top + error) continue;
        if (!(y > bottom + error && y < top - error)) return kUnsure;
        double along = numbers[edge + 2u] * (y - numbers[edge + 1u]), crossing = numbers[edge] + along;
        double error_x = error * (1.0LF + abs(numbers[edge + 2u])) + kTiny * (abs(numbers[edge]) + abs(along));
        if (!(abs(x - crossing) > error_x)) return kUnsure;
        if (x < crossing) odd = !odd;
    }
    return odd ? kInside : kOutside;
}

uint image_found(dvec3 body) {
    dvec3 seen = body - vector_at(0u);
    double size = abs(seen.x) + abs(seen.y) + abs(seen.z), depth = -dot(seen, vector_at(9u)), nearest = numbers[14];
    if (abs(depth - nearest) <= kTiny * size) return kUnsure;
    if (depth < nearest) return kOutside;
    double scale = numbers[15] / (2.0LF * depth * numbers[16]);
    double x = numbers[12] + scale * dot(seen, vector_at(3u)), y = numbers[13] - scale * dot(seen, vector_at(6u));
    double error = kTiny * (abs(numbers[12]) + abs(numbers[13]) + scale * size * (1.0LF + size / depth));
    return within_line(x, y, error);
}

// app/camera/periodic.hpp
uint found(vec3 body) {
    if (any(isnan(body)) || any(isinf(body))) return kOutside;
    double edge = numbers[25];
    if (!(edge > 0.0LF)) return image_found(dvec3(body));
    int tiles = int(numbers[26]);
    dvec3 first = dvec3(body) - edge * floor((dvec3(body) - vector_at(22u)) / edge + 0.5LF) - edge * 0.5LF * double(tiles - 1);
    uint best = kOutside;
    for (int copy = 0; copy < tiles * tiles * tiles; ++copy) {
        uint is = image_found(first + edge * dvec3(copy % tiles, copy / tiles % tiles, copy / (tiles * tiles)));
        if (is == kInside) return kInside;
        if (is == kUnsure) best = kUnsure;
    }
    return best;
}

void main() {
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
    if (32u * word >= counts.x) return;
    uint bits_inside = 0u, bits_unsure = 0u, last = min(32u, counts.x - 32u * word);
    for (uint k = 0u; k < last; ++k) {
        uint is = found(bodies[32u * word + k].xyz);
        if (is == kInside) bits_inside |= 1u << k;
        if (is == kUnsure) bits_unsure |= 1u << k;
    }
    inside[word] = bits_inside;
    unsure[word] = bits_unsure;
}
