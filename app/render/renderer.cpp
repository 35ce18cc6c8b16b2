// SPDX-License-Identifier: MIT
#include "app/render/renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "app/render/brightness.hpp"
#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/gl/timer.hpp"
#include "app/render/glow.hpp"
#include "app/render/guides.hpp"
#include "app/render/passes.hpp"
#include "app/render/spheres.hpp"
#include "app/render/stars_pass.hpp"
#include "app/render/trails_pass.hpp"
#include "app/render/view_uniforms.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

// Below: sprites, which a person can tell apart. The rasteriser of a GPU draws more of them in no time.
constexpr std::size_t kFewBodies = 2000, kFewBodiesOfHardware = 5000;
// Of trails, all bodies' together; 16 bytes each.
constexpr std::size_t kTrailPieces = 60'000, kTrailPiecesOfHardware = 4'000'000;

/// As shaders/color.glsl reads it.
struct ShaderScale {
    double low, per_span;
    int kind;
};

ShaderScale shader_scale(const ViewSettings& settings, const FrameExtent& extent) {
    const ColorScale scale = color_mode(extent.color_by).scale;
    ScalarRange range = scalar_range(settings, extent);
    if (scale == ColorScale::kLogarithmic) range = {std::log2(range.low), std::log2(range.high)};
    const double span = range.high - range.low;
    return {range.low, span > 0 ? 1 / span : 0, static_cast<int>(scale)};  // all bodies alike: the low end
}

/// What follows the bodies; reads light where its pass has left it.
struct LightPasses {
    LightPasses(DrawMode mode, Sweep sweep, std::string_view defined)
        : shrink{mode == DrawMode::kPoints ? "shrink_points.glsl" : "shrink_splat.glsl", sweep, defined},
          finish{mode == DrawMode::kPoints ? "finish_points.glsl" : "finish_splat.glsl", sweep, defined} {}
    ScreenPass shrink, finish;
};

/// Of both modes, with trails and stars or without; made when they are first needed.
class LightPassesOf {
public:
    explicit LightPassesOf(Sweep sweep) : sweep_{sweep} {}
    const LightPasses& get(DrawMode mode, bool layers) {
        auto& passes = passes_[mode == DrawMode::kPoints ? 0 : 1][layers ? 1 : 0];
        if (!passes) passes.emplace(mode, sweep_, layers ? "LAYERS" : "");
        return *passes;
    }

private:
    Sweep sweep_;
    std::optional<LightPasses> passes_[2][2];
};

}  // namespace

struct Renderer::Parts {
    bool software;
    PointsPass points;
    SplatPass splat;
    LightPassesOf light_passes;
    Glow glow;
    TrailsPass trails;
    StarsPass stars;
    CellsPass cells;
    LinesPass guides;
    double content_scale = 1;
    std::size_t cells_drawn = 0;
    GlBuffer view{sizeof(ViewUniforms), GL_DYNAMIC_STORAGE_BIT};
    GlBuffer colors{sizeof(ColorTable), GL_DYNAMIC_STORAGE_BIT};
    GlBuffer spheres{sizeof(SphereUniforms), GL_DYNAMIC_STORAGE_BIT};
    const ColorMapEntry* colors_of = nullptr;
    GlTimer timer;
    int width = 0, height = 0;
    LightChannels channels = LightChannels::kIntensityAndPosition, glow_channels = LightChannels::kIntensityAndPosition;
    bool splat_fits = false;
    DrawMode used = DrawMode::kAuto;

    Parts(const GlInfo& gl, Sweep sweep)
        : software{gl.software},
          splat{gl.software},
          light_passes{sweep},
          glow{sweep},
          trails{gl.software ? kTrailPieces : kTrailPiecesOfHardware} {}

    DrawMode choose(DrawMode wish, std::size_t bodies) const;
    void load_colors(const ColorMapEntry& map);
    void resize(int new_width, int new_height, LightChannels new_channels, bool with_stars);
    ViewUniforms uniforms(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                          const ViewSettings& settings);
    double scale() const { return picture_scale(height, content_scale); }
    void draw_guides(const FrameExtent& extent, const OrbitCamera& camera, const GuideView& wish, GLuint target);
    double white = 1;  // of the last picture
    void add_light(const SharedBuffer& bodies);
    void finish_into(const Canvas& target, const ViewSettings& settings) {
        const LightPasses& passes = light_passes.get(used, settings.trails.on || settings.stars.on);
        if (settings.glow > 0) {
            glow.run(passes.shrink);
            glow.texture().bind(1);
            if (used == DrawMode::kPoints) points.bind_light();
        }
        passes.finish.run(target);
    }
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

void Renderer::Parts::load_colors(const ColorMapEntry& map) {
    if (&map == colors_of) return;
    const ColorTable table = color_table(map);
    colors.write(table.data(), sizeof table);
    colors_of = &map;
}

void Renderer::Parts::resize(int new_width, int new_height, LightChannels new_channels, bool with_stars) {
    const bool other_size = new_width != width || new_height != height;
    if (other_size || new_channels != channels) {
        points.resize(new_width, new_height, new_channels);
        splat_fits = splat.resize(new_width, new_height, new_channels);
    }
    const LightChannels new_glow =
        with_stars ? LightChannels::kColors : new_channels;  // one number more than two: shrink_light.glsl
    if (other_size || new_glow != glow_channels) glow.resize(new_width, new_height, new_glow);
    width = new_width, height = new_height, channels = new_channels, glow_channels = new_glow;
}

ViewUniforms Renderer::Parts::uniforms(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                                       const ViewSettings& settings) {
    const Brightness b = brightness(bodies.count(), extent, camera, height, used, settings, scale());
    white = b.white;
    const ShaderScale scale = shader_scale(settings, extent);
    const double stretch = std::clamp(static_cast<double>(settings.stretch), 1e-4, 1e4);
    ViewUniforms u{};
    u.clip_from_world = glm::mat4{camera.projection(static_cast<double>(width) / height) * camera.view()};
    u.resolution = {static_cast<float>(width), static_cast<float>(height)};
    u.scalar_low = static_cast<float>(scale.low);
    u.scalar_scale = static_cast<float>(scale.per_span);
    u.scalar_scale_kind = scale.kind;
    u.hues = channels == LightChannels::kColors;
    u.trails = settings.trails.on;
    u.stars = settings.stars.on;
    u.mass_power = bodies.masses() == 0 ? 0 : std::clamp(settings.mass_size, 0.0f, 1.0f);
    u.mass_share = static_cast<float>(1 / bodies.mean_mass_power(u.mass_power));
    u.light = static_cast<float>(b.light);
    u.point_diameter = static_cast<float>(b.point_diameter);
    u.fixed_scale = static_cast<float>(SplatPass::fixed_scale(bodies.count(), b.light));
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

void Renderer::Parts::draw_guides(const FrameExtent& extent, const OrbitCamera& camera, const GuideView& wish,
                                  GLuint target) {
    if (!wish.grid && !wish.axes) return;
    guides.load(guide_lines(wish, camera, extent));
    guides.draw(1, camera, width, height, scale(), target);
}

Renderer::Renderer(const GlInfo& gl) : parts_{std::make_unique<Parts>(gl, best_sweep(gl.software))} {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

int Renderer::width() const noexcept { return parts_->width; }
int Renderer::height() const noexcept { return parts_->height; }
double Renderer::white() const noexcept { return parts_->white; }
void Renderer::set_content_scale(double scale) noexcept { parts_->content_scale = std::max(1.0, scale); }
void Renderer::record_trails(const SharedBuffer& bodies, const ViewSettings& settings) {
    if (settings.trails.on) parts_->trails.record_trails(bodies, settings.trails);
}
void Renderer::note_passed(const Frame& frame) { parts_->trails.note(frame); }
DrawMode Renderer::mode_used() const noexcept { return parts_->used; }
double Renderer::gpu_ms() const noexcept { return parts_->timer.milliseconds(); }

void Renderer::show_cells(SharedCells cells) { parts_->cells.show(std::move(cells)); }
std::size_t Renderer::cells_drawn() const noexcept { return parts_->cells_drawn; }

void Renderer::resize(int width, int height) {
    Parts& p = *parts_;
    p.resize(std::max(width, 1), std::max(height, 1), p.channels, p.glow_channels != p.channels);
}

void Renderer::draw(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                    const ViewSettings& settings, const RenderTarget& target) {
    Parts& p = *parts_;
    p.timer.begin();
    const ColorMapEntry& map = color_map_for(settings.color_map, extent.color_by);
    const bool ordered = map.kind == ColorMapKind::kSequential && !without_order(color_mode(extent.color_by).scale);
    p.resize(p.width, p.height, ordered ? LightChannels::kIntensityAndPosition : LightChannels::kColors,
             settings.stars.on);
    p.used = p.choose(settings.mode, bodies.count());
    p.load_colors(map);
    const ViewUniforms uniforms = p.uniforms(bodies, extent, camera, settings);
    p.view.write(&uniforms, sizeof uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, p.view.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, p.colors.name());
    SphereUniforms spheres;
    if (settings.spheres)
        spheres = sphere_uniforms(bodies.largest(SphereUniforms::kMost), camera,
                                  static_cast<double>(p.width) / p.height, p.height);
    p.spheres.write(&spheres, sizeof spheres);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, p.spheres.name());
    for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_BLEND, GL_STENCIL_TEST}) glDisable(off);
    if (settings.trails.on) {
        p.trails.record_trails(bodies, settings.trails);
        p.trails.add_light(bodies, settings.trails, p.width, p.height, p.channels, p.scale());
        p.trails.bind_light();
    }
    if (settings.stars.on) {
        p.stars.add_light(settings.stars, p.width, p.height);
        p.stars.bind_light();
    }
    p.add_light(bodies);
    p.finish_into(target.canvas(), settings);
    p.draw_guides(extent, camera, settings.guides, target.framebuffer());
    p.cells_drawn = 0;
    if (settings.octree.on) {
        p.cells.draw(settings.octree, camera, p.width, p.height, p.scale(), target.framebuffer());
        p.cells_drawn = p.cells.drawn();
    }
    p.timer.end();
}

}  // namespace orrery
