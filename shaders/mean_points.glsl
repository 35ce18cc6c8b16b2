// SPDX-License-Identifier: MIT
// shaders/mean_points.glsl: adds a share of the light of one instant to the sum of earlier ones.
//   tex 1 before    sum so far
//   uniform 0 share of this instant; uniform 1 first: 1 if there is none before it
#include "view.glsl"
#include "light_points.glsl"
#include "mean.glsl"
