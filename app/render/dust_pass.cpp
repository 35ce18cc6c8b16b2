// SPDX-License-Identifier: MIT
#include "app/render/dust_pass.hpp"

#include <utility>

#include "core/physics/starlight.hpp"

namespace orrery {
namespace {

constexpr std::size_t kBins = 4096;      // as in dust_bins.glsl
constexpr std::size_t kBinsGroup = 256;  // bodies per work group of dust_bins.comp
constexpr float kUnitsOfMean = 64;       // of a body with the mean absorbing area, in bins

}  // namespace

DustPass::DustPass(Sweep sweep)
    : bins_{"dust_bins.comp"},
      cuts_{"dust_cuts.comp"},
      absorb_{"absorb.glsl", sweep},
      dust_of_bin_{kBins * sizeof(GLuint), 0},
      slice_of_bin_{kBins * sizeof(GLint), 0} {}

void DustPass::resize(int width, int height) {
    if (canvases_[0].width() == width && canvases_[0].height() == height) return;
    for (Canvas& canvas : canvases_) canvas = Canvas{GL_RGBA32F, width, height, Filter::kNearest};
}

/// Writes the slice of each bin of depths.
void DustPass::cut(const SharedBuffer& bodies, const SmoothKernels& kernels, GlBuffer& view) {
    constexpr GLuint kZero = 0;
    glClearNamedBufferData(dust_of_bin_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &kZero);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, dust_of_bin_.name());
    bins_.use();
    glProgramUniform2f(bins_.name(), 0, kUnitsOfMean / kernels.light.mean_dust, kernels.target);
    for_each_range(bodies, items_of_binding(sizeof(Vec4f), kBinsGroup), view,
                   [&](std::size_t first, std::size_t count) {
                       bind_storage_range(5, kernels.light.name, first, count, sizeof(Vec4f));
                       dispatch_rows(count, kBinsGroup);
                   });
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, slice_of_bin_.name());
    cuts_.use();
    glProgramUniform1i(cuts_.name(), 0, kSlices);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void DustPass::add_light(SmoothPass& smooth, const SharedBuffer& bodies, SmoothKernels kernels, const Sight& sight,
                         double strength, GlBuffer& view, Sweep sweep) {
    kernels.target = static_cast<float>(sight.target);
    cut(bodies, kernels, view);
    kernels.slices = slice_of_bin_.name();
    const auto depth_unit = static_cast<float>(strength * sight.fixed_scale / SmoothPass::kDepthScale);
    glProgramUniform4f(absorb_.program(), 0, static_cast<float>(kExtinction.red), static_cast<float>(kExtinction.green),
                       static_cast<float>(kExtinction.blue), depth_unit);
    canvases_[current_].clear();
    for (kernels.slice = kSlices + 1; kernels.slice >= 0; --kernels.slice) {
        smooth.add_light(bodies, kernels, sight, view, sweep);
        smooth.bind_light();
        canvases_[current_].texture().bind(1);
        absorb_.run(canvases_[1 - current_]);
        current_ = 1 - current_;
    }
}

}  // namespace orrery
