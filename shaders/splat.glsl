// SPDX-License-Identifier: MIT
// shaders/splat.glsl: adds the light of each body to the four surrounding pixels. Uses integers, so that the order of
// bodies does not matter.
//   ssbo 0 Bodies   xyz in lengths of the scene, w = colour scalar   core/bodies/frame.hpp
//   ssbo 3 Masses   relative to their mean; read only if mass_power is not 0
// Needs view.glsl, color.glsl, bands.glsl, spheres.glsl and add_units(), which adds fixed-point numbers to a pixel (rows counted
// from below): two or four of them, light and its colour terms.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 3) readonly buffer Masses {
    float masses[];
};

void add(ivec2 pixel, vec4 amount) {
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(resolution)))) return;
    add_units(pixel.y * int(resolution.x) + pixel.x, uvec4(amount + 0.5));
}

void add_body(uint index, vec4 body, vec3 at) {
    vec4 clip = clip_of(at);
    if (!(clip.z >= -clip.w)) return;  // behind the camera, or not a number
    vec2 place = (clip.xy / clip.w * 0.5 + 0.5) * resolution - 0.5;
    if (!(all(greaterThan(place, vec2(-1.0))) && all(lessThan(place, resolution)))) return;
    ivec2 corner = ivec2(floor(place));
    vec2 right = place - vec2(corner), left = 1.0 - right;
    if (sliced_off(at) || (has_spheres() && hidden(at))) return;
    vec4 amount = light_of_body(index, place_of(body, clip)) * (light * fixed_scale);
    if (mass_power > 0.0) amount *= mass_share * pow(masses[index], mass_power);
    add(corner, amount * (left.x * left.y));
    add(corner + ivec2(1, 0), amount * (right.x * left.y));
    add(corner + ivec2(0, 1), amount * (left.x * right.y));
    add(corner + ivec2(1, 1), amount * (right.x * right.y));
}

void main() {
    // Two dimensions of groups: some drivers limit one dimension to 65535.
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * 256u + gl_LocalInvocationID.x;
    if (index >= uint(vertices)) return;
    vec4 body = bodies[index];
    for (int copy = 0; copy < copies(); ++copy) add_body(index, body, placed(body.xyz, copy));
}
