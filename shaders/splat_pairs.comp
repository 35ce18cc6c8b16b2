// SPDX-License-Identifier: MIT
// shaders/splat_pairs.comp: splat.comp with two numbers in one atomic addition, giving the same bits: no sum over all
// bodies exceeds 32 bits (SplatPass::fixed_scale), so that no carry passes from one number to the other.
//   ssbo 1 Light    as in splat.comp; requires a little-endian machine
#version 450 core
#extension GL_NV_gpu_shader5 : require
#extension GL_NV_shader_atomic_int64 : require
#include "view.glsl"
#include "color.glsl"
#include "bands.glsl"
#include "spheres.glsl"
layout(std430, binding = 1) buffer Light {
    uint64_t light_sums[];
};

void add_units(int pixel, uvec4 units) {
    int at = (hues == 0 ? 1 : 2) * pixel;
    atomicAdd(light_sums[at], packUint2x32(units.xy));
    if (hues != 0) atomicAdd(light_sums[at + 1], packUint2x32(units.zw));
}
#include "splat.glsl"
