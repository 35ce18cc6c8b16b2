// SPDX-License-Identifier: MIT
#include "app/render/renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/render/brightness.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/gl/timer.hpp"
#include "app/render/glow.hpp"
#include "app/render/passes.hpp"
#include "app/render/view_uniforms.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

// Below: sprites, which a person can tell apart. The rasteriser of a GPU draws more of them in no time.
constexpr std::size_t kFewBodies = 2000, kFewBodiesOfHardware = 5000;

ScalarRange scalar_range(const ViewSettings& settings, const FrameExtent& extent) {
    return settings.scalar_range.value_or(ScalarRange{extent.scalar_low, extent.scalar_high});
}

/// What follows the bodies; reads light where its pass has left it.
struct LightPrograms {
    GlProgram shrink, finish;
};

}  // namespace

struct Renderer::Parts {
    bool software;
    PointsPass points;
    SplatPass splat;
    LightPrograms points_programs{GlProgram{"screen.vert", "shrink_points.frag"},
                                  GlProgram{"screen.vert", "finish_points.frag"}};
    LightPrograms splat_programs{GlProgram{"screen.vert", "shrink_splat.frag"},
                                 GlProgram{"screen.vert", "finish_splat.frag"}};
    Glow glow;
    CellsPass cells;
    std::size_t cells_drawn = 0;
    GlVertexArray nothing;
    GlBuffer view{sizeof(ViewUniforms), GL_DYNAMIC_STORAGE_BIT};
    GlBuffer colors{sizeof(ColorTable), GL_DYNAMIC_STORAGE_BIT};
    std::string colors_of;
    GlTimer timer;
    int width = 0, height = 0;
    bool splat_fits = false;
    DrawMode used = DrawMode::kAuto;

    explicit Parts(const GlInfo& gl) : software{gl.software} {}

    DrawMode choose(DrawMode wish, std::size_t bodies) const;
    void load_colors(const std::string& id);
    ViewUniforms uniforms(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera,
                          const ViewSettings& settings) const;
    void add_light(const SharedBuffer& bodies);
    void finish_into(GLuint target, bool with_glow);
};

DrawMode Renderer::Parts::choose(DrawMode wish, std::size_t bodies) const {
    if (wish == DrawMode::kAuto) {
        const std::size_t few = software ? kFewBodies : kFewBodiesOfHardware;
        wish = bodies < few || !splat_fits ? DrawMode::kPoints : DrawMode::kSplat;
    }
    if (wish == DrawMode::kSplat && !splat_fits) {
        environment_error(fmt::format(
            "a picture of {} x {} pixels is too large for this driver's `splat`; use `points`", width, height));
    }
    return wish;
}

void Renderer::Parts::load_colors(const std::string& id) {
    if (id == colors_of) return;
    const ColorTable table = color_table(color_map(id));
    colors.write(table.data(), sizeof table);
    colors_of = id;
}

ViewUniforms Renderer::Parts::uniforms(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera,
                                       const ViewSettings& settings) const {
    const Brightness b = brightness(bodies, extent, camera, height, used, settings);
    const ScalarRange range = scalar_range(settings, extent);
    const double span = range.high - range.low;
    const double stretch = std::clamp(static_cast<double>(settings.stretch), 1e-4, 1e4);
    ViewUniforms u{};
    u.clip_from_world = glm::mat4{camera.projection(static_cast<double>(width) / height) * camera.view()};
    u.resolution = {static_cast<float>(width), static_cast<float>(height)};
    u.scalar_low = static_cast<float>(range.low);
    u.scalar_scale = span > 0 ? static_cast<float>(1 / span) : 0;  // all bodies alike: the low end
    u.light = static_cast<float>(b.light);
    u.point_diameter = static_cast<float>(b.point_diameter);
    u.fixed_scale = static_cast<float>(SplatPass::fixed_scale(bodies, b.light));
    u.stretch = static_cast<float>(stretch);
    u.white = static_cast<float>(b.white);
    u.light_unit = 1 / u.fixed_scale;
    u.response = static_cast<float>(std::exp2(settings.exposure) / std::log2(1 + stretch * b.white));
    u.glow = std::clamp(settings.glow, 0.0f, 1.0f);
    u.tone_map = static_cast<int>(settings.tone_map);
    return u;
}

void Renderer::Parts::add_light(const SharedBuffer& bodies) {
    if (used == DrawMode::kPoints) {
        points.add_light(bodies);
        points.bind_light();
    } else {
        splat.add_light(bodies, view);
        splat.bind_light();
    }
}

void Renderer::Parts::finish_into(GLuint target, bool with_glow) {
    const LightPrograms& programs = used == DrawMode::kPoints ? points_programs : splat_programs;
    glBindVertexArray(nothing.name());
    if (with_glow) {
        glow.run(programs.shrink);
        glow.texture().bind(1);
        if (used == DrawMode::kPoints) points.bind_light();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, width, height);
    programs.finish.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

Renderer::Renderer(const GlInfo& gl) : parts_{std::make_unique<Parts>(gl)} {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

int Renderer::width() const noexcept { return parts_->width; }
int Renderer::height() const noexcept { return parts_->height; }
DrawMode Renderer::mode_used() const noexcept { return parts_->used; }
double Renderer::gpu_ms() const noexcept { return parts_->timer.milliseconds(); }

void Renderer::show_cells(SharedCells cells) { parts_->cells.show(std::move(cells)); }
std::size_t Renderer::cells_drawn() const noexcept { return parts_->cells_drawn; }

void Renderer::resize(int width, int height) {
    Parts& p = *parts_;
    width = std::max(width, 1);
    height = std::max(height, 1);
    if (width == p.width && height == p.height) return;
    p.points.resize(width, height);
    p.splat_fits = p.splat.resize(width, height);
    p.glow.resize(width, height);
    p.width = width;
    p.height = height;
}

void Renderer::draw(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                    const ViewSettings& settings, GLuint target_framebuffer) {
    Parts& p = *parts_;
    p.timer.begin();
    p.used = p.choose(settings.mode, bodies.count());
    p.load_colors(settings.color_map);
    const ViewUniforms uniforms = p.uniforms(bodies.count(), extent, camera, settings);
    p.view.write(&uniforms, sizeof uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, p.view.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, p.colors.name());
    for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_BLEND, GL_STENCIL_TEST}) glDisable(off);
    p.add_light(bodies);
    p.finish_into(target_framebuffer, settings.glow > 0);
    p.cells_drawn = 0;
    if (settings.octree.on) {
        p.cells.draw(settings.octree, camera, p.width, p.height, target_framebuffer);
        p.cells_drawn = p.cells.drawn();
    }
    p.timer.end();
}

}  // namespace orrery
