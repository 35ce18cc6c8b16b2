// SPDX-License-Identifier: MIT
// shaders/spheres.glsl: bodies drawn as spheres of their true size, which hide what is behind them.
//   ubo 2 Spheres   std140   app/render/frame_uniforms.hpp
// Needs view.glsl.
layout(std140, binding = 2) uniform Spheres {
    vec4 eye;         // position in the scene; w: number of spheres
    vec4 to_right;    // from the middle of the frame to its edge, in the plane at distance 1 before the eye
    vec4 to_top;
    vec4 to_middle;   // from the eye to the middle of that plane
    vec4 to_sun;      // direction to the light source, a unit vector
    vec4 spheres[16]; // positions relative to the eye, radii
};

bool has_spheres() { return eye.w > 0.0; }

// True if this position is behind or inside a sphere.
bool hidden(vec3 place) {
    vec3 way = place - eye.xyz;
    float per_way2 = 1.0 / max(dot(way, way), 1e-30);
    for (int i = 0; i < int(eye.w); ++i) {
        vec3 off = spheres[i].xyz - clamp(dot(spheres[i].xyz, way) * per_way2, 0.0, 1.0) * way;
        if (dot(off, off) < spheres[i].w * spheres[i].w) return true;
    }
    return false;
}

// Linear colour of the nearest sphere in this pixel, and its coverage of the pixel.
vec4 sphere_at(vec2 uv) {
    vec3 ray = normalize(to_middle.xyz + (2.0 * uv.x - 1.0) * to_right.xyz + (2.0 * uv.y - 1.0) * to_top.xyz);
    float pixel = 2.0 * length(to_top.xyz) / resolution.y;  // width of a pixel at distance 1 before the eye
    vec4 found = vec4(0.0);
    float nearest = 1e30;
    for (int i = 0; i < int(eye.w); ++i) {
        vec3 centre = spheres[i].xyz;
        float radius = spheres[i].w, along = dot(centre, ray);
        vec3 off = along * ray - centre;
        float miss = length(off), soft = pixel * max(along, 0.0);
        float cover = clamp((radius - miss) / max(soft, 1e-30) + 0.5, 0.0, 1.0);
        if (along <= 0.0 || cover <= 0.0 || along - radius > nearest) continue;
        nearest = along - radius;
        vec3 normal = normalize(off * min(1.0, radius / max(miss, 1e-30)) -
                                sqrt(max(radius * radius - miss * miss, 0.0)) * ray);
        float lit = 0.03 + 0.97 * max(dot(normal, to_sun.xyz), 0.0);
        found = vec4(vec3(0.62, 0.50, 0.33) * lit, max(cover, found.w));
    }
    return found;
}
