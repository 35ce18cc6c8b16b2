// SPDX-License-Identifier: MIT
// shaders/dust_bins.glsl: bins of depth, fine about the camera's target.
const int kBins = 4096;  // app/render/dust_pass.cpp

/// Bin of a distance from the eye; `target`: distance of the camera's target. From 0 to 100 times as far.
int bin_of(float away, float target) {
    float at = (asinh((away / target - 1.0) * 100.0) + 5.3) / 15.2;
    return clamp(int(at * float(kBins)), 0, kBins - 1);
}
