// SPDX-License-Identifier: MIT
#include "app/render/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <glm/geometric.hpp>

#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_metadata.hpp"

namespace orrery {
namespace {

// Trail segments of all bodies; 16 bytes each.
constexpr std::size_t kTrailPieces = 60'000, kTrailPiecesOfHardware = 4'000'000;

/// Parameters of the colour scale for shaders/color.glsl.
struct ShaderScale {
    double low, per_span, knee;
    int kind;
};
constexpr int kWithMissing = 8;  // added to the kind

ShaderScale shader_scale(const ViewSettings& settings, const FrameExtent& extent) {
    const ColorScale scale = color_scale(settings, extent);
    ScalarRange range = scalar_range(settings, extent);
    const double knee = symmetric_knee(scale, range);
    if (knee > 0) range = {std::asinh(range.low / knee), std::asinh(range.high / knee)};
    if (scale == ColorScale::kLogarithmic) range = {std::log2(range.low), std::log2(range.high)};
    const double span = range.high - range.low;
    const int kind = static_cast<int>(scale) + (shows_missing(extent) ? kWithMissing : 0);
    return {range.low, span > 0 ? 1 / span : 0, knee > 0 ? knee : 1, kind};  // if all values are equal: the low end
}

/// Normal of the slab, and the position of the camera's target along it.
glm::vec4 slice_plane(SliceAcross across, const OrbitCamera& camera) {
    const glm::dvec3 normal = across == SliceAcross::kView ? camera.back()
                              : across == SliceAcross::kX  ? glm::dvec3{1, 0, 0}
                              : across == SliceAcross::kY  ? glm::dvec3{0, 1, 0}
                                                           : glm::dvec3{0, 0, 1};
    return {glm::vec3{normal}, static_cast<float>(glm::dot(normal, camera.pose().target))};
}

Periodic space_of(const SharedBuffer& bodies, const ViewSettings& settings) {
    return periodic_of(settings, bodies.words() ? bodies.words()->box : 0);
}

ShownChoice shown_choice(const SharedBuffer& bodies, const ViewSettings& settings) {
    return {.hidden = settings.species.hidden(),
            .filter = settings.filter_as,
            .selection = settings.selection_as,
            .mass_power = OpticsBuffers::shown(bodies, settings) ? 0 : std::clamp(settings.mass_size, 0.0f, 1.0f)};
}

}  // namespace

Renderer::Renderer(const GlInfo& gl) : Renderer{gl.software, best_sweep(gl.software)} {}

Renderer::Renderer(bool software, Sweep sweep)
    : light_{software, sweep},
      trails_{software ? kTrailPieces : kTrailPiecesOfHardware},
      sweep_{sweep},
      finish_{sweep} {}

void Renderer::resize(int width, int height) {
    light_.resize(std::max(width, 1), std::max(height, 1), light_.channels());
    finish_.resize(light_.width(), light_.height(), finish_.channels());
}

/// Filters out hidden bodies; clears the trails when other bodies are hidden.
const SharedBuffer& Renderer::chosen(const SharedBuffer& all, const ViewSettings& settings) {
    const auto before = shown_bodies_.changes();
    const SharedBuffer& bodies = shown_bodies_.of(all, shown_choice(all, settings));
    if (shown_bodies_.changes() != before) trails_.forget();
    return bodies;
}

/// Pixels per unit of length at distance 1 from the eye.
double Renderer::pixels_per_length(const OrbitCamera& camera) const {
    if (lens_ == Lens::kPanorama) return width() / (2 * std::numbers::pi);
    if (lens_ == Lens::kDome) return std::min(width(), height()) / std::numbers::pi;
    return camera.pixels_per_length(1, height());
}

ViewUniforms Renderer::view_uniforms(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                                     const ViewSettings& settings) {
    const Periodic space = space_of(bodies, settings);
    const auto copies = static_cast<std::size_t>(space.copies());
    const Brightness b = brightness(copies * bodies.all_bodies(), space.extent(extent), camera, height(), light_.mode(),
                                    settings, this->scale());
    light_of_body_ = b.light;
    exposure_.set_computed({settings.stretch, static_cast<float>(b.white)});
    const ShaderScale scale = shader_scale(settings, extent);
    const double stretch = std::clamp(static_cast<double>(settings.stretch), 1e-4, 1e4);
    ViewUniforms u{};
    u.clip_from_world = glm::mat4{camera.projection(static_cast<double>(width()) / height()) * camera.view()};
    u.resolution = {static_cast<float>(width()), static_cast<float>(height())};
    u.scalar_low = static_cast<float>(scale.low);
    u.scalar_scale = static_cast<float>(scale.per_span);
    u.scalar_scale_kind = scale.kind;
    u.scalar_knee = static_cast<float>(scale.knee);
    u.hues = static_cast<int>(light_.channels());
    if (light_.channels() == LightChannels::kMoments && scale.per_span > 0) {  // as in color.glsl
        u.scalar_low = static_cast<float>(scale.low - 1 / scale.per_span);
        u.scalar_scale = static_cast<float>(scale.per_span / 3);
    }
    if (settings.slice > 0) u.slice = slice_plane(settings.slice_across, camera);
    u.slice_half = static_cast<float>(settings.slice / 2);
    const Vec3d& centre = space.centre;
    u.space = glm::dvec4{centre.x, centre.y, centre.z, space.edge};
    u.tiles = space.tiles;
    u.trails = settings.trails.on;
    u.stars = settings.stars.on;
    const bool bands = light_.channels() == LightChannels::kBands;
    if (bodies.masses() != 0)
        u.mass_power = bodies.lights() ? 1 : bands ? 0 : std::clamp(settings.mass_size, 0.0f, 1.0f);
    u.mass_share = bodies.lights() ? 1 : static_cast<float>(1 / bodies.mean_mass_power(u.mass_power));
    u.light = static_cast<float>(b.light);
    u.point_diameter = static_cast<float>(b.point_diameter);
    // All light may be in one of three bands.
    u.fixed_scale =
        static_cast<float>(SplatPass::fixed_scale(copies * bodies.all_bodies(), bands ? 3 * b.light : b.light));
    u.stretch = static_cast<float>(stretch);
    u.white = u.glow_unit = static_cast<float>(b.white);
    u.light_unit = 1 / u.fixed_scale;
    u.response = static_cast<float>(std::exp2(settings.exposure) / std::log2(1 + stretch * b.white));
    u.glow = std::clamp(settings.glow, 0.0f, 1.0f);
    u.tone_map = static_cast<int>(settings.tone_map);
    u.lens = is_flat(lens_) ? 0 : static_cast<int>(lens_);
    u.contours = static_cast<float>(std::clamp(settings.contours, 0, ViewSettings::kMostContours));
    u.local_contrast = std::clamp(settings.local_contrast, 0.0f, 1.0f);
    u.finest = bits_ == 16 ? 1.0f / 65535 : bits_ == 10 ? 1.0f / 1023 : 1.0f / 255;
    u.hdr = bits_ == 10;
    u.eye_from_world = glm::mat4{camera.view()};
    return u;
}

/// The largest bodies in the slice, in a flat frame.
SphereUniforms Renderer::visible_spheres(const SharedBuffer& bodies, const OrbitCamera& camera,
                                         const ViewSettings& settings, const ViewUniforms& view) const {
    if (!settings.spheres || !is_flat(lens_)) return {};
    auto largest = bodies.largest(SphereUniforms::kMost);
    if (const Periodic space = space_of(bodies, settings); space.on()) {
        const std::vector<Vec4f> own = std::exchange(largest, {});
        for (const Vec4f& body : own)
            for (int copy = 0; copy < space.copies(); ++copy) {
                const Vec3d at = space.image({body.x, body.y, body.z}, copy);
                largest.push_back(
                    {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z), body.w});
            }
    }
    if (settings.slice > 0)
        std::erase_if(largest, [&](const Vec4f& body) {
            return !(std::abs(glm::dot(glm::vec3{view.slice}, {body.x, body.y, body.z}) - view.slice.w) <=
                     view.slice_half);
        });
    return sphere_uniforms(largest, camera, static_cast<double>(width()) / height(), height());
}

/// Writes all uniforms of the frame and adds the light of bodies.
void Renderer::prepare(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                       const ViewSettings& settings, LightOf of) {
    const ColorMapEntry& map = color_map_for(settings.color_map, extent.color_by);
    const bool unordered = without_order(color_mode(extent.color_by).scale) || shows_missing(extent);
    const bool ordered = of == LightOf::kDepth || (map.kind == ColorMapKind::kSequential && !unordered);
    const bool spread = of == LightOf::kColors && settings.dispersion && !unordered;
    const LightChannels channels = of == LightOf::kColors && OpticsBuffers::shown(bodies, settings)
                                       ? LightChannels::kBands
                                   : spread  ? LightChannels::kMoments
                                   : ordered ? LightChannels::kIntensityAndPosition
                                             : LightChannels::kColors;
    light_.resize(width(), height(), channels);
    // With stars, the reduced light has more channels: shrink_light.glsl.
    finish_.resize(width(), height(), settings.stars.on ? LightChannels::kColors : channels);
    light_.choose(bodies, settings);
    ViewUniforms view = view_uniforms(bodies, extent, camera, settings);
    if (of == LightOf::kDepth) view.scalar_scale_kind = 4, view.scalar_low = static_cast<float>(camera.pose().distance);
    uniforms_.load(view, map, shows_missing(extent), visible_spheres(bodies, camera, settings, view));
    for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST, GL_BLEND, GL_STENCIL_TEST}) glDisable(off);
    const GlTexture* const mean = mean_of(of).mean();
    light_.replace(mean);
    mean ? light_.bind_light()
         : light_.add_light(bodies,
                            {pixels_per_length(camera), camera.pose().distance, view.fixed_scale,
                             space_of(bodies, settings).copies()},
                            uniforms_.view());
}

void Renderer::open_shutter(int instants, bool depth) {
    blur_.depth = depth;
    blur_.colors.begin(instants), blur_.depths.begin(depth ? instants : 0), blur_.stars.begin(instants);
}

void Renderer::close_shutter() {
    blur_.colors.end(), blur_.depths.end(), blur_.stars.end();
    light_.replace(nullptr);
}

void Renderer::add_instant(const SharedBuffer& all, const FrameExtent& extent, const OrbitCamera& camera,
                           const ViewSettings& settings) {
    const SharedBuffer& bodies = chosen(all, settings);
    if (blur_.depth) {
        prepare(bodies, extent, camera, settings, LightOf::kDepth);
        blur_.depths.add(light_, sweep_);
    }
    prepare(bodies, extent, camera, settings, LightOf::kColors);
    blur_.colors.add(light_, sweep_);
    if (!settings.stars.on) return;
    stars_.add_light(settings.stars, width(), height());
    blur_.stars.add(stars_.light(), sweep_);
}

std::vector<float> Renderer::read_motion(const SharedBuffer& all, const FrameExtent& extent, const OrbitCamera& camera,
                                         const ViewSettings& settings, const MotionPass::Next& next, int shrink) {
    if (!motion_) motion_.emplace();
    const SharedBuffer& bodies = chosen(all, settings);
    const SharedBuffer& later = motion_->shown.of(next.bodies, shown_choice(next.bodies, settings));
    if (later.count() != bodies.count())
        usage_error("motion vectors: the number of bodies changes between two pictures");
    prepare(bodies, extent, camera, settings, LightOf::kColors);
    return motion_->pass.read(bodies, camera, {later, next.camera},
                              {.width = width() / shrink,
                               .height = height() / shrink,
                               .shrink = static_cast<double>(shrink),
                               .sprites = light_.mode() == DrawMode::kPoints,
                               .widths = light_.widths(),
                               .pixels_per_length = pixels_per_length(camera),
                               .copies = space_of(bodies, settings).copies()});
}

/// Measures the light of bodies alone, before that of trails is added, which depends on `white`. True if the bodies
/// have been shrunk for it.
bool Renderer::expose(const ViewSettings& settings) {
    const DrawMode mode = light_.mode();
    if (settings.white || settings.exposure_by != ExposureBy::kPicture || mode == DrawMode::kPoints) {
        exposure_.use_computed();
        return false;
    }
    if (like_ && like_->exposure_.measured()) {
        exposure_.adopt(like_->uniforms_.view(), uniforms_.view());
        return false;
    }
    exposure_.measure(finish_.shrink_bodies(light_), uniforms_.view(),
                      {.stretch = std::clamp(settings.stretch, 1e-4f, 1e4f),
                       .gain = std::exp2(settings.exposure),
                       .least_white = mode == DrawMode::kSmoothed ? 0.0f : static_cast<float>(kLoneWhite),
                       .scale = scale()});
    return true;
}

void Renderer::draw_lines(const FrameExtent& extent, const OrbitCamera& camera, const ViewSettings& settings,
                          GLuint target) {
    if (settings.guides.grid || settings.guides.axes) {
        guides_.load(guide_lines(settings.guides, camera, extent));
        guides_.draw(1, camera, width(), height(), scale(), target);
    }
    cells_drawn_ = 0;
    if (!settings.octree.on) return;
    cells_.draw(settings.octree, camera, width(), height(), scale(), target);
    cells_drawn_ = cells_.drawn();
}

void Renderer::record_trails(const SharedBuffer& bodies, const ViewSettings& settings) {
    if (settings.trails.on) trails_.record_trails(chosen(bodies, settings), settings.trails);
}

void Renderer::draw(const SharedBuffer& all, const FrameExtent& extent, const OrbitCamera& camera,
                    const ViewSettings& settings, const RenderTarget& target) {
    timer_.begin();
    const SharedBuffer& bodies = chosen(all, settings);
    prepare(bodies, extent, camera, settings, LightOf::kColors);
    const bool shrunk = expose(settings);
    if (settings.trails.on) {
        trails_.record_trails(bodies, settings.trails);
        trails_.add_light(bodies, settings.trails, width(), height(), light_.channels(), scale(),
                          space_of(bodies, settings).copies());
        trails_.bind_light();
    }
    if (settings.stars.on) {
        if (const GlTexture* const mean = blur_.stars.mean()) {
            mean->bind(StarsPass::kUnit);
        } else {
            stars_.add_light(settings.stars, width(), height());
            stars_.bind_light();
        }
    }
    light_.bind_light();
    finish_.run(light_, settings, shrunk, uniforms_.has_spheres(), target.canvas());
    draw_lines(extent, camera, settings, target.framebuffer());
    timer_.end();
}

LightImage Renderer::read_light(const SharedBuffer& all, const FrameExtent& extent, const OrbitCamera& camera,
                                const ViewSettings& settings, LightOf of) {
    prepare(chosen(all, settings), extent, camera, settings, of);
    const Canvas canvas{GL_RGBA32F, width(), height(), Filter::kNearest};
    finish_.write_light(light_, canvas);
    LightImage image{width(),
                     height(),
                     light_.channels() == LightChannels::kColors || light_.channels() == LightChannels::kBands,
                     light_.channels() == LightChannels::kMoments,
                     {}};
    const auto row = static_cast<std::size_t>(width()) * 4, rows = static_cast<std::size_t>(height());
    image.numbers.resize(row * rows);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage(canvas.texture().name(), 0, GL_RGBA, GL_FLOAT,
                      static_cast<GLsizei>(image.numbers.size() * sizeof(float)), image.numbers.data());
    for (std::size_t top = 0; 2 * top < rows; ++top)  // GL counts rows from the bottom
        if (rows - 1 - top != top)
            std::swap_ranges(image.numbers.begin() + static_cast<std::ptrdiff_t>(top * row),
                             image.numbers.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                             image.numbers.begin() + static_cast<std::ptrdiff_t>((rows - 1 - top) * row));
    const auto unit = static_cast<float>(1 / light_of_body_);
    for (float& number : image.numbers) number *= unit;
    if (!image.hues && !image.moments)
        for (std::size_t i = 0; i < image.numbers.size(); i += 4) image.numbers[i + 2] = image.numbers[i + 3] = 0;
    return image;
}

}  // namespace orrery
