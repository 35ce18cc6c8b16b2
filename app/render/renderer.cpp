// SPDX-License-Identifier: MIT
#include "app/render/renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <glm/geometric.hpp>

#include "app/render/brightness.hpp"
#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/gl/timer.hpp"
#include "app/render/glow.hpp"
#include "app/render/guides.hpp"
#include "app/render/light_passes.hpp"
#include "app/render/passes.hpp"
#include "app/render/shown_bodies.hpp"
#include "app/render/spheres.hpp"
#include "app/render/stars_pass.hpp"
#include "app/render/trails_pass.hpp"
#include "app/render/view_uniforms.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

// Fewer bodies than this are drawn as sprites, which a viewer can distinguish. A GPU's rasteriser draws more at no
// cost.
constexpr std::size_t kFewBodies = 2000, kFewBodiesOfHardware = 5000;
constexpr double kMostLarger = 4;
// Trail segments of all bodies; 16 bytes each.
constexpr std::size_t kTrailPieces = 60'000, kTrailPiecesOfHardware = 4'000'000;

/// Parameters of the colour scale for shaders/color.glsl.
struct ShaderScale {
    double low, per_span;
    int kind;
};

ShaderScale shader_scale(const ViewSettings& settings, const FrameExtent& extent) {
    const ColorScale scale = color_mode(extent.color_by).scale;
    ScalarRange range = scalar_range(settings, extent);
    if (scale == ColorScale::kLogarithmic) range = {std::log2(range.low), std::log2(range.high)};
    const double span = range.high - range.low;
    return {range.low, span > 0 ? 1 / span : 0, static_cast<int>(scale)};  // if all values are equal: the low end
}

/// Normal of the slab, and the position of the camera's target along it.
glm::vec4 slice_plane(SliceAcross across, const OrbitCamera& camera) {
    const glm::dvec3 normal = across == SliceAcross::kView ? camera.back()
                              : across == SliceAcross::kX  ? glm::dvec3{1, 0, 0}
                              : across == SliceAcross::kY  ? glm::dvec3{0, 1, 0}
                                                           : glm::dvec3{0, 0, 1};
    return {glm::vec3{normal}, static_cast<float>(glm::dot(normal, camera.pose().target))};
}

}  // namespace

struct Renderer::Parts {
    bool software;
    ShownBodies shown_bodies;
    PointsPass points;
    SplatPass splat;
    std::optional<SmoothPass> smooth;  // created on demand
    Sweep sweep;
    Lens lens = Lens::kFlat;
    bool patient = false;
    BodyWidths widths;
    LightPasses light_passes;
    Glow glow;
    Exposure exposure;
    const Parts* like = nullptr;  // exposure is copied from it, if not null
    bool measured = false;        // exposure of the last frame was measured
    double body_light = 1;        // light of one body
    float finest = 1.0f / 255;
    bool hdr = false;
    std::optional<ScreenPass> raw[2];  // for light in a texture, and in a buffer
    bool shrunk = false;               // the glow contains the light of this frame
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
    bool splat_fits = false, smooth_fits = false, spheres_shown = false;
    DrawMode used = DrawMode::kAuto;

    Parts(const GlInfo& gl, Sweep sweep_)
        : software{gl.software},
          splat{gl.software},
          sweep{sweep_},
          light_passes{sweep_},
          glow{sweep_},
          trails{gl.software ? kTrailPieces : kTrailPiecesOfHardware} {}

    const SharedBuffer& chosen(const SharedBuffer& all, const ViewSettings& settings);
    DrawMode choose(DrawMode wish, std::size_t bodies, const ViewSettings& settings) const;
    DrawMode choose_smooth(const SharedBuffer& bodies, const ViewSettings& settings);
    double pixels_per_length(const OrbitCamera& camera) const;
    void load_colors(const ColorMapEntry& map);
    void resize(int new_width, int new_height, LightChannels new_channels, bool with_stars);
    ViewUniforms uniforms(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                          const ViewSettings& settings);
    double scale() const { return picture_scale(height, content_scale); }
    void draw_guides(const FrameExtent& extent, const OrbitCamera& camera, const GuideView& wish, GLuint target);
    Exposed exposed{4, 1};  // of the last frame, if its light was not measured
    void prepare(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                 const ViewSettings& settings, LightOf of);
    void add_light(const SharedBuffer& bodies, const OrbitCamera& camera);
    void bind_light() const {
        if (used == DrawMode::kPoints) return points.bind_light();
        used == DrawMode::kSmoothed ? smooth->bind_light() : splat.bind_light();
    }
    void expose(const ViewSettings& settings);
    void finish_into(const Canvas& target, const ViewSettings& settings) {
        const bool layers = settings.trails.on || settings.stars.on;
        const PictureHas has{.layers = layers,
                             .glow = settings.glow > 0,
                             .relief = settings.local_contrast > 0,
                             .contours = settings.contours > 0,
                             .spheres = spheres_shown,
                             .channels = channels};
        if (has.glow || has.contours || has.relief) {
            if (layers || !shrunk) glow.shrink(light_passes.shrink(used, layers));
            glow.scatter();
            glow.texture().bind(1);
            bind_light();
        }
        light_passes.finish(used, has).run(target);
    }
};

/// Filters out hidden species; clears the trails when the filter changes.
const SharedBuffer& Renderer::Parts::chosen(const SharedBuffer& all, const ViewSettings& settings) {
    const auto before = shown_bodies.hidden();
    const SharedBuffer& bodies = shown_bodies.of(all, settings.species.hidden());
    if (shown_bodies.hidden() != before) trails.forget();
    return bodies;
}

/// Large bodies cover an area, which `splat` does not draw: the larger they are, the more of them are sprites.
DrawMode Renderer::Parts::choose(DrawMode wish, std::size_t bodies, const ViewSettings& settings) const {
    if (wish == DrawMode::kAuto) {
        const double few = static_cast<double>(software ? kFewBodies : kFewBodiesOfHardware) *
                           std::clamp(static_cast<double>(settings.size), 1.0, kMostLarger);
        wish = static_cast<double>(bodies) < few || !splat_fits ? DrawMode::kPoints : DrawMode::kSplat;
    }
    if (wish == DrawMode::kSplat && !splat_fits) {
        environment_error(fmt::format("a frame of {} x {} pixels is too large for this driver's `splat`; use `points`",
                                      width, height));
    }
    return wish;
}

/// Until the neighbours have been found, the same as kAuto. Throws if the frame is too large.
DrawMode Renderer::Parts::choose_smooth(const SharedBuffer& bodies, const ViewSettings& settings) {
    if (settings.mode != DrawMode::kSmoothed) return choose(settings.mode, bodies.all_bodies(), settings);
    widths = bodies.count() > 0 ? bodies.widths(settings.neighbours, patient) : BodyWidths{};
    if (widths.distances == 0) return choose(DrawMode::kAuto, bodies.all_bodies(), settings);
    if (!smooth) smooth.emplace(software), smooth_fits = smooth->resize(width, height, channels);
    if (!smooth_fits)
        environment_error(fmt::format(
            "a frame of {} x {} pixels is too large for this driver's `smoothed`; use `points`", width, height));
    return DrawMode::kSmoothed;
}

/// Pixels per unit of length at distance 1 from the eye.
double Renderer::Parts::pixels_per_length(const OrbitCamera& camera) const {
    if (lens == Lens::kPanorama) return width / (2 * std::numbers::pi);
    if (lens == Lens::kDome) return std::min(width, height) / std::numbers::pi;
    return camera.pixels_per_length(1, height);
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
        if (smooth) smooth_fits = smooth->resize(new_width, new_height, new_channels);
    }
    const LightChannels new_glow =
        with_stars ? LightChannels::kColors : new_channels;  // room for the light of stars: shrink_light.glsl
    if (other_size || new_glow != glow_channels) glow.resize(new_width, new_height, new_glow);
    width = new_width, height = new_height, channels = new_channels, glow_channels = new_glow;
}

ViewUniforms Renderer::Parts::uniforms(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                                       const ViewSettings& settings) {
    const Brightness b = brightness(bodies.all_bodies(), extent, camera, height, used, settings, scale());
    body_light = b.light;
    exposed = {settings.stretch, static_cast<float>(b.white)};
    const ShaderScale scale = shader_scale(settings, extent);
    const double stretch = std::clamp(static_cast<double>(settings.stretch), 1e-4, 1e4);
    ViewUniforms u{};
    u.clip_from_world = glm::mat4{camera.projection(static_cast<double>(width) / height) * camera.view()};
    u.resolution = {static_cast<float>(width), static_cast<float>(height)};
    u.scalar_low = static_cast<float>(scale.low);
    u.scalar_scale = static_cast<float>(scale.per_span);
    u.scalar_scale_kind = scale.kind;
    u.hues = static_cast<int>(channels);
    if (channels == LightChannels::kMoments && scale.per_span > 0) {  // as in color.glsl
        u.scalar_low = static_cast<float>(scale.low - 1 / scale.per_span);
        u.scalar_scale = static_cast<float>(scale.per_span / 3);
    }
    if (settings.slice > 0) u.slice = slice_plane(settings.slice_across, camera);
    u.slice_half = static_cast<float>(settings.slice / 2);
    u.trails = settings.trails.on;
    u.stars = settings.stars.on;
    if (bodies.masses() != 0) u.mass_power = bodies.lights() ? 1 : std::clamp(settings.mass_size, 0.0f, 1.0f);
    u.mass_share = bodies.lights() ? 1 : static_cast<float>(1 / bodies.mean_mass_power(u.mass_power));
    u.light = static_cast<float>(b.light);
    u.point_diameter = static_cast<float>(b.point_diameter);
    u.fixed_scale = static_cast<float>(SplatPass::fixed_scale(bodies.all_bodies(), b.light));
    u.stretch = static_cast<float>(stretch);
    u.white = u.glow_unit = static_cast<float>(b.white);
    u.light_unit = 1 / u.fixed_scale;
    u.response = static_cast<float>(std::exp2(settings.exposure) / std::log2(1 + stretch * b.white));
    u.glow = std::clamp(settings.glow, 0.0f, 1.0f);
    u.tone_map = static_cast<int>(settings.tone_map);
    u.lens = is_flat(lens) ? 0 : static_cast<int>(lens);
    u.contours = static_cast<float>(std::clamp(settings.contours, 0, ViewSettings::kMostContours));
    u.local_contrast = std::clamp(settings.local_contrast, 0.0f, 1.0f);
    u.finest = finest;
    u.hdr = hdr;
    u.eye_from_world = glm::mat4{camera.view()};
    return u;
}

void Renderer::Parts::add_light(const SharedBuffer& bodies, const OrbitCamera& camera) {
    if (used == DrawMode::kPoints) {
        points.add_light(bodies);
    } else if (used == DrawMode::kSmoothed) {
        smooth->add_light(bodies, widths, pixels_per_length(camera), view, sweep);
    } else {
        splat.add_light(bodies, view);
    }
    bind_light();
}

/// Measures the light of bodies alone, before that of trails is added, which depends on `white`.
void Renderer::Parts::expose(const ViewSettings& settings) {
    measured = !settings.white && settings.exposure_by == ExposureBy::kPicture && used != DrawMode::kPoints;
    shrunk = false;
    if (!measured) return;
    if (like && like->measured) {
        exposure.adopt(like->view, view);
    } else {
        glow.shrink(light_passes.shrink(used, false));
        shrunk = true;
        exposure.measure(glow.texture(), view,
                         {.stretch = std::clamp(settings.stretch, 1e-4f, 1e4f),
                          .gain = std::exp2(settings.exposure),
                          .least_white = used == DrawMode::kSmoothed ? 0.0f : static_cast<float>(kLoneWhite),
                          .scale = scale()});
    }
    exposure.note(view);
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
Exposed Renderer::exposed() const noexcept { return parts_->measured ? parts_->exposure.seen() : parts_->exposed; }
double Renderer::white_in_bodies() const noexcept { return exposed().white / parts_->body_light; }
void Renderer::expose_like(const Renderer* other) noexcept { parts_->like = other ? other->parts_.get() : nullptr; }
void Renderer::set_lens(Lens lens) noexcept { parts_->lens = lens; }
void Renderer::set_bits(int bits) noexcept {
    parts_->hdr = bits == 10;
    parts_->finest = bits == 16 ? 1.0f / 65535 : bits == 10 ? 1.0f / 1023 : 1.0f / 255;
}
void Renderer::set_patient(bool patient) noexcept { parts_->patient = patient; }
void Renderer::set_content_scale(double scale) noexcept { parts_->content_scale = std::max(1.0, scale); }
void Renderer::record_trails(const SharedBuffer& bodies, const ViewSettings& settings) {
    if (settings.trails.on) parts_->trails.record_trails(parts_->chosen(bodies, settings), settings.trails);
}
const SharedBuffer& Renderer::drawn(const SharedBuffer& all) const noexcept { return parts_->shown_bodies.last(all); }
void Renderer::note_passed(const Frame& frame) { parts_->trails.note(frame); }
DrawMode Renderer::mode_used() const noexcept { return parts_->used; }
double Renderer::gpu_ms() const noexcept { return parts_->timer.milliseconds(); }

void Renderer::show_cells(SharedCells cells) { parts_->cells.show(std::move(cells)); }
std::size_t Renderer::cells_drawn() const noexcept { return parts_->cells_drawn; }

void Renderer::resize(int width, int height) {
    Parts& p = *parts_;
    p.resize(std::max(width, 1), std::max(height, 1), p.channels, p.glow_channels != p.channels);
}

/// Writes all uniforms of the frame and adds the light of bodies.
void Renderer::Parts::prepare(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                              const ViewSettings& settings, LightOf of) {
    Parts& p = *this;
    const ColorMapEntry& map = color_map_for(settings.color_map, extent.color_by);
    const bool ordered = of == LightOf::kDepth ||
                         (map.kind == ColorMapKind::kSequential && !without_order(color_mode(extent.color_by).scale));
    const bool spread =
        of == LightOf::kColors && settings.dispersion && !without_order(color_mode(extent.color_by).scale);
    p.resize(p.width, p.height,
             spread    ? LightChannels::kMoments
             : ordered ? LightChannels::kIntensityAndPosition
                       : LightChannels::kColors,
             settings.stars.on);
    p.used = p.choose_smooth(bodies, settings);
    p.load_colors(map);
    ViewUniforms uniforms = p.uniforms(bodies, extent, camera, settings);
    if (of == LightOf::kDepth)
        uniforms.scalar_scale_kind = 4, uniforms.scalar_low = static_cast<float>(camera.pose().distance);
    p.view.write(&uniforms, sizeof uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, p.view.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, p.colors.name());
    SphereUniforms shown;
    if (settings.spheres && is_flat(p.lens)) {
        auto largest = bodies.largest(SphereUniforms::kMost);
        if (settings.slice > 0)
            std::erase_if(largest, [&, plane = uniforms.slice](const Vec4f& body) {
                return !(std::abs(glm::dot(glm::vec3{plane}, {body.x, body.y, body.z}) - plane.w) <=
                         uniforms.slice_half);
            });
        shown = sphere_uniforms(largest, camera, static_cast<double>(p.width) / p.height, p.height);
    }
    p.spheres_shown = shown.eye.w > 0;
    p.spheres.write(&shown, sizeof shown);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, p.spheres.name());
    for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_BLEND, GL_STENCIL_TEST}) glDisable(off);
    p.add_light(bodies, camera);
}

void Renderer::draw(const SharedBuffer& all, const FrameExtent& extent, const OrbitCamera& camera,
                    const ViewSettings& settings, const RenderTarget& target) {
    Parts& p = *parts_;
    p.timer.begin();
    const SharedBuffer& bodies = p.chosen(all, settings);
    p.prepare(bodies, extent, camera, settings, LightOf::kColors);
    p.expose(settings);
    if (settings.trails.on) {
        p.trails.record_trails(bodies, settings.trails);
        p.trails.add_light(bodies, settings.trails, p.width, p.height, p.channels, p.scale());
        p.trails.bind_light();
    }
    if (settings.stars.on) {
        p.stars.add_light(settings.stars, p.width, p.height);
        p.stars.bind_light();
    }
    p.bind_light();
    p.finish_into(target.canvas(), settings);
    p.draw_guides(extent, camera, settings.guides, target.framebuffer());
    p.cells_drawn = 0;
    if (settings.octree.on) {
        p.cells.draw(settings.octree, camera, p.width, p.height, p.scale(), target.framebuffer());
        p.cells_drawn = p.cells.drawn();
    }
    p.timer.end();
}

LightImage Renderer::read_light(const SharedBuffer& all, const FrameExtent& extent, const OrbitCamera& camera,
                                const ViewSettings& settings, LightOf of) {
    Parts& p = *parts_;
    p.prepare(p.chosen(all, settings), extent, camera, settings, of);
    const bool texture = in_texture(p.used);
    auto& pass = p.raw[texture ? 0 : 1];
    if (!pass) pass.emplace(texture ? "raw_points.glsl" : "raw_splat.glsl", p.sweep);
    const Canvas canvas{GL_RGBA32F, p.width, p.height, Filter::kNearest};
    pass->run(canvas);
    LightImage image{
        p.width, p.height, p.channels == LightChannels::kColors, p.channels == LightChannels::kMoments, {}};
    const auto row = static_cast<std::size_t>(p.width) * 4, rows = static_cast<std::size_t>(p.height);
    image.numbers.resize(row * rows);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage(canvas.texture().name(), 0, GL_RGBA, GL_FLOAT,
                      static_cast<GLsizei>(image.numbers.size() * sizeof(float)), image.numbers.data());
    for (std::size_t top = 0; 2 * top < rows; ++top)  // GL counts rows from the bottom
        if (rows - 1 - top != top)
            std::swap_ranges(image.numbers.begin() + static_cast<std::ptrdiff_t>(top * row),
                             image.numbers.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                             image.numbers.begin() + static_cast<std::ptrdiff_t>((rows - 1 - top) * row));
    const auto unit = static_cast<float>(1 / p.body_light);
    for (float& number : image.numbers) number *= unit;
    if (!image.hues && !image.moments)
        for (std::size_t i = 0; i < image.numbers.size(); i += 4) image.numbers[i + 2] = image.numbers[i + 3] = 0;
    return image;
}

}  // namespace orrery
