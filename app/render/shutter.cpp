// SPDX-License-Identifier: MIT
#include "app/render/shutter.hpp"

#include <algorithm>

#include "core/bodies/body_metadata.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMixGroup = 256;  // local_size_x of between.comp

}  // namespace

void MeanLight::add(bool in_texture, int width, int height, Sweep sweep) {
    std::optional<ScreenPass>& pass = in_texture ? of_texture_ : of_buffer_;
    if (!pass) pass.emplace(in_texture ? "mean_points.glsl" : "mean_splat.glsl", sweep);
    for (Canvas& sum : sums_)
        if (sum.width() != width || sum.height() != height) sum = Canvas{GL_RGBA32F, width, height, Filter::kNearest};
    glProgramUniform1f(pass->program(), 0, 1.0f / static_cast<float>(instants_));
    glProgramUniform1i(pass->program(), 1, added_ == 0 ? 1 : 0);
    sums_[latest_].texture().bind(1);
    latest_ = 1 - latest_;
    pass->run(sums_[latest_]);
    ++added_;
}

void MeanLight::add(const BodyLight& light, Sweep sweep) {
    light.bind_light();
    add(light.in_texture(), light.width(), light.height(), sweep);
}

void MeanLight::add(const GlTexture& map, Sweep sweep) {
    map.bind(0);
    add(true, map.width(), map.height(), sweep);
}

const SharedBuffer& BodiesBetween::at(const SharedBuffer& from, const SharedBuffer& to, float share) {
    if (&from == &to || share == 0 || from.count() != to.count() || from.count() == 0 || from.blocks_) return from;
    if (mix_.name() == 0) mix_ = GlProgram{"between.comp"};
    const std::size_t bytes = from.count() * sizeof(Vec4f);
    GlBuffer& buffer = between_.host_[0];
    if (buffer.bytes() < bytes) buffer = GlBuffer{}, buffer = GlBuffer{bytes, GL_DYNAMIC_STORAGE_BIT};
    mix_.use();
    glProgramUniform1f(mix_.name(), 0, share);
    glProgramUniform1f(mix_.name(), 2, from.words_ ? static_cast<float>(from.words_->box) : 0.0f);
    const std::size_t range = items_of_binding(sizeof(Vec4f), kMixGroup);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    for (std::size_t first = 0; first < from.count(); first += range) {
        const std::size_t count = std::min(range, from.count() - first);
        bind_storage_range(0, from.name(), first, count, sizeof(Vec4f));
        bind_storage_range(2, to.name(), first, count, sizeof(Vec4f));
        bind_storage_range(4, buffer.name(), first, count, sizeof(Vec4f));
        glProgramUniform1ui(mix_.name(), 1, static_cast<GLuint>(count));
        dispatch_rows(count, kMixGroup);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    between_.take_properties(from, buffer.name());
    return between_;
}

}  // namespace orrery
