// SPDX-License-Identifier: MIT
#include "app/render/frame_uniforms.hpp"

#include <cmath>

#include <glm/geometric.hpp>

namespace orrery {
namespace {

glm::vec4 single(const glm::dvec3& v, double w = 0) { return glm::vec4{glm::dvec4{v, w}}; }

}  // namespace

SphereUniforms sphere_uniforms(std::span<const Vec4f> bodies, const OrbitCamera& camera, double aspect, int height) {
    SphereUniforms all;
    const double half = std::tan(camera.pose().fov / 2);  // of the frame height, at distance 1 from the eye
    const glm::dvec3 eye = camera.eye(), right = aspect * half * camera.right(), top = half * camera.up();
    int count = 0;
    for (const Vec4f& body : bodies) {
        const glm::dvec3 seen = glm::dvec3{body.x, body.y, body.z} - eye;
        const double depth = -glm::dot(seen, camera.back());
        if (!(depth > 0) || !(body.w * camera.pixels_per_length(depth, height) > 0.5)) continue;
        all.spheres[count++] = single(seen, body.w);
        if (count == static_cast<int>(SphereUniforms::kMost)) break;
    }
    all.eye = single(eye, count);
    all.to_right = single(right), all.to_top = single(top);
    all.to_middle = single(-camera.back() - camera.shift().x * right - camera.shift().y * top);
    all.to_sun = single(glm::normalize(camera.back() - 0.9 * camera.right() + 0.8 * camera.up()));
    return all;
}

void FrameUniforms::load(const ViewUniforms& view, const ColorMapEntry& map, bool missing,
                         const SphereUniforms& spheres) {
    if (&map != colors_of_ || missing != colors_with_missing_) {
        const ColorTable table = missing ? table_with_missing(map) : color_table(map);
        colors_.write(table.data(), sizeof table);
        colors_of_ = &map, colors_with_missing_ = missing;
    }
    view_.write(&view, sizeof view);
    spheres_.write(&spheres, sizeof spheres);
    has_spheres_ = spheres.eye.w > 0;
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, view_.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, colors_.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, spheres_.name());
}

}  // namespace orrery
