// SPDX-License-Identifier: MIT
// shaders/dust_cuts.comp: divides depth into slices of equal amounts of dust. Slice 0 lies before all dust, slice
// `slices` + 1 behind it.
//   ssbo 1 Bins        of dust_bins.comp
//   ssbo 7 Slices      slice of each bin
//   uniform 0 slices   number of slices with dust
#version 450 core
#include "dust_bins.glsl"
layout(local_size_x = 1) in;
layout(std430, binding = 1) readonly buffer Bins {
    uint dust_of_bin[];
};
layout(std430, binding = 7) writeonly buffer Slices {
    int slice_of_bin[];
};
layout(location = 0) uniform int slices;

void main() {
    float all = 0.0, before = 0.0;
    int last = -1;
    for (int bin = 0; bin < kBins; ++bin) {
        all += float(dust_of_bin[bin]);
        if (dust_of_bin[bin] > 0u) last = bin;
    }
    for (int bin = 0; bin < kBins; ++bin) {
        float here = float(dust_of_bin[bin]);
        int slice = 1 + min(int(float(slices) * (before + 0.5 * here) / max(all, 1.0)), slices - 1);
        before += here;
        slice_of_bin[bin] = before == 0.0 ? 0 : bin > last ? slices + 1 : slice;
    }
}
