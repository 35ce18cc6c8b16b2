// SPDX-License-Identifier: MIT
#include "app/record/picture_maker.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "app/picture/compare_view.hpp"
#include "app/picture/legend.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/exposure.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_metadata.hpp"

namespace orrery {
namespace {

constexpr float kLeast = 11;         // pixels: smaller text is illegible
constexpr float kShare = 1 / 45.0f;  // of the frame's height

float text_height_for(int height, int supersampling) {
    return std::round(std::max(kLeast, kShare * static_cast<float>(height))) * static_cast<float>(supersampling);
}

constexpr float kUnclipped = 1e6f;
static_assert(sizeof(ImDrawVert) == 20 && offsetof(ImDrawVert, uv) == 8 && offsetof(ImDrawVert, col) == 16,
              "shaders/draw_list.vert reads five words");

/// Allocates twice the size when growing, as lists of consecutive frames have similar lengths.
void put(GlBuffer& buffer, const void* data, std::size_t bytes) {
    if (bytes > buffer.bytes()) buffer = GlBuffer{2 * bytes, GL_DYNAMIC_STORAGE_BIT};
    buffer.write(data, bytes);
}

}  // namespace

/// Renders an ImGui draw list over a finished frame, without a window or an ImGui context.
class PictureLegend::DrawListPass {
public:
    /// Text is `text_height` pixels high; `extra` as in add_text_font().
    DrawListPass(float text_height, const Glyphs& extra) : font_{add_text_font(atlas_, text_height, extra)} {
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        atlas_.GetTexDataAsRGBA32(&pixels, &width, &height);
        glyphs_ = GlTexture{GL_RGBA8, width, height, Filter::kLinear};
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glTextureSubImage2D(glyphs_.name(), 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        atlas_.ClearTexData();
        shared_.Font = font_;
        shared_.FontSize = font_->FontSize;
        shared_.TexUvWhitePixel = atlas_.TexUvWhitePixel;
        shared_.TexUvLines = atlas_.TexUvLines;
        shared_.ClipRectFullscreen = {0, 0, kUnclipped, kUnclipped};
        shared_.InitialFlags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill;
    }

    ImFont* font() const { return font_; }
    /// An empty list to draw on; positions are in pixels from the upper left.
    ImDrawList& begin() {
        list_._ResetForNewFrame();
        list_.PushClipRectFullScreen();
        list_.PushTextureID(atlas_.TexID);
        return list_;
    }
    /// Draws the list over the lower left width × height pixels of `target`. Leaves blending disabled and `target`
    /// bound.
    void draw(GLuint target, int width, int height) {
        if (list_.IdxBuffer.Size == 0) return;
        put(vertices_, list_.VtxBuffer.Data, static_cast<std::size_t>(list_.VtxBuffer.size_in_bytes()));
        put(indices_, list_.IdxBuffer.Data, static_cast<std::size_t>(list_.IdxBuffer.size_in_bytes()));
        glBindFramebuffer(GL_FRAMEBUFFER, target);
        glViewport(0, 0, width, height);
        glBindVertexArray(nothing_.name());
        glVertexArrayElementBuffer(nothing_.name(), indices_.name());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, vertices_.name());
        glProgramUniform2f(program_.name(), 0, 2 / static_cast<float>(width), 2 / static_cast<float>(height));
        glyphs_.bind(0);
        program_.use();
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        for (const ImDrawCmd& command : list_.CmdBuffer)
            glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount),
                                     sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                                     reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)),
                                     static_cast<GLint>(command.VtxOffset));
        glDisable(GL_BLEND);
    }

private:
    ImFontAtlas atlas_;
    ImFont* font_;
    ImDrawListSharedData shared_;
    ImDrawList list_{&shared_};
    GlTexture glyphs_;
    GlProgram program_{"draw_list.vert", "draw_list.frag"};
    GlVertexArray nothing_;
    GlBuffer vertices_, indices_;
};

PictureLegend::PictureLegend(int height, int supersampling)
    : text_height_{text_height_for(height, supersampling)},
      pass_{std::make_unique<DrawListPass>(text_height_, Glyphs{})} {}

PictureLegend::~PictureLegend() = default;

/// Adds the characters of body names that the pass lacks.
void PictureLegend::take_names(const Frame& frame) {
    if (frame.words == words_) return;
    words_ = frame.words;
    Glyphs extra = words_ ? extra_glyphs(words_->names) : Glyphs{};
    if (extra == extra_) return;
    extra_ = std::move(extra);
    pass_ = std::make_unique<DrawListPass>(text_height_, extra_);
}

Legend PictureLegend::legend_of(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places,
                                const OrbitCamera& camera, const ViewSettings& view, int width, int height) const {
    static const BodyMetadata kNone;
    return make_legend({.view = view,
                        .extent = extent,
                        .words = frame.words ? *frame.words : kNone,
                        .time = frame.time,
                        .scale_factor = frame.scale_factor,
                        .expansion = frame.expansion,
                        .colored = frame.no_color.empty(),
                        .places = places,
                        .camera = camera,
                        .width = static_cast<double>(width),
                        .height = static_cast<double>(height),
                        .longest_scale = 11.0 * text_height_});
}

void PictureLegend::draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places,
                         const OrbitCamera& camera, const ViewSettings& view, GLuint target, int width, int height) {
    take_names(frame);
    const Legend legend = legend_of(frame, extent, places, camera, view, width, height);
    const auto right = static_cast<float>(width) - text_height_, bottom = static_cast<float>(height) - text_height_;
    draw_legend(pass_->begin(), pass_->font(), text_height_, legend,
                {.left = text_height_, .right = right, .bottom = bottom, .above_right = 0});
    pass_->draw(target, width, height);
}

void PictureLegend::draw_halos(const ShownHalos& halos, const Frame& frame, std::span<const Vec4f> members,
                               const OrbitCamera& camera, const Periodic& space, GLuint target, int width, int height) {
    ImDrawList& draw = pass_->begin();
    std::vector<glm::dvec2> dots;
    for (const Vec4f& body : members) {
        const Vec3d seen = space.nearest({body.x, body.y, body.z});
        if (const auto at = camera.project({seen.x, seen.y, seen.z}, width, height)) dots.push_back(*at);
    }
    draw_halo_members(draw, text_height_, dots);
    const std::vector<std::uint32_t> shown = halos.at(frame.expansion);
    draw_halo_circles(draw, pass_->font(), text_height_,
                      halo_circles(halos, shown, camera, width, height, static_cast<double>(text_height_), space));
    pass_->draw(target, width, height);
}

/// A name on a shaded box at the upper edge, between left and right; shrunk if there is not enough room.
void PictureLegend::name(ImDrawList& draw, const std::string& words, unsigned ink, float left, float right,
                         bool at_right) {
    const float gap = text_height_ / 2, room = std::max(right - left - 2 * gap, 1.0f);
    const float wide = pass_->font()->CalcTextSizeA(text_height_, 1e9f, 0, words.c_str()).x;
    const float size = text_height_ * std::min(1.0f, room / wide), width = wide * size / text_height_;
    const ImVec2 at{at_right ? right - gap - width : left + gap, gap};
    draw.AddRectFilled({at.x - gap / 2, at.y - gap / 3}, {at.x + width + gap / 2, at.y + size + gap / 3},
                       IM_COL32(0, 0, 0, 150));
    draw.AddText(pass_->font(), size, at, ink, words.c_str());
}

void PictureLegend::draw(const Compared& c, GLuint target, int width, int height) {
    const auto right = static_cast<float>(width), bottom = static_cast<float>(height);
    const CompareMode mode = c.seen.mode;
    const ComparePanes panes = compare_panes(c.seen, width, 0);
    const auto divider = static_cast<float>(panes.divider);
    take_names(c.frame);
    ImDrawList& draw = pass_->begin();
    if (c.words) {
        const bool split = mode == CompareMode::kSplit;
        const OrbitCamera camera = split ? pane_camera(c.camera, panes.divider, height) : c.camera;
        Legend legend = legend_of(c.frame, c.extent, c.places, camera, c.view, split ? panes.divider : width, height);
        if (split) legend.labels.clear();  // they would overlap the other half
        if (mode == CompareMode::kDifference && legend.colors)
            legend.colors = distance_bar(c.view, c.distances, c.frame.words ? *c.frame.words : BodyMetadata{});
        draw_legend(
            draw, pass_->font(), text_height_, legend,
            {.left = text_height_, .right = right - text_height_, .bottom = bottom - text_height_, .above_right = 0});
    }
    if (mode == CompareMode::kSplit || mode == CompareMode::kWipe) {
        draw.AddLine({divider, 0}, {divider, bottom}, IM_COL32(255, 255, 255, 110), std::max(1.0f, text_height_ / 12));
        name(draw, c.a, kColorOfA, 0, divider, true);
        name(draw, c.b, kColorOfB, divider, right, false);
    } else {
        const bool difference = mode == CompareMode::kDifference, b = difference || c.seen.show_b;
        name(draw, b ? c.b : c.a, b ? kColorOfB : kColorOfA, 0, difference ? right / 2 : right, false);
        if (difference) name(draw, c.a, kColorOfA, right / 2, right, true);
    }
    pass_->draw(target, width, height);
}

namespace {

int drawn_width(const PictureSize& size) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    const int longest = std::max(size.width, size.height) * size.supersampling;
    if (longest > largest)
        environment_error(fmt::format("{} × {} pixels, supersampled {} times: this OpenGL draws up to {}", size.width,
                                      size.height, size.supersampling, largest));
    return size.width * size.supersampling;
}

/// Positions of the first bodies, if names are to be drawn; otherwise empty.
std::vector<Vec4f> named_places(const SharedBuffer& bodies, const Frame& frame, const ViewSettings& settings) {
    const bool labels = settings.guides.labels && frame.words && !frame.words->names.empty();
    return labels ? bodies.read(kMostLabels) : std::vector<Vec4f>{};
}

std::string named(const char* which, const std::string& computed, const std::string& time) {
    return fmt::format("{}: {}{}{}", which, computed, time.empty() ? "" : ", ", time);
}

/// The same as color_at() in shaders/color.glsl.
Vec4f table_color(const ColorTable& table, float place) {
    return table[static_cast<std::size_t>(std::clamp(place, 0.0f, 1.0f) * 255 + 0.5f)];
}

/// The same as place_of_dispersion() in shaders/color.glsl.
float place_of_dispersion(const float* sum) {
    const float mean = sum[1] / sum[0];
    return std::min(6 * std::sqrt(std::max(sum[2] / sum[0] - mean * mean, 0.0f)), 1.0f);
}

/// Computes DeepImage::light: linear red, green and blue as light × colour × `gain`, light, and depth. `depths`
/// contains away / (away + distance). Each block of `shrink` × `shrink` pixels becomes one, with the sum of their light
/// and their mean depth.
std::vector<float> light_and_depth(const LightImage& colors, const LightImage& depths, const ColorTable& table,
                                   double gain, double distance, int shrink) {
    std::vector<float> all;
    const int width = colors.width / shrink, height = colors.height / shrink;
    all.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 5);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::array<double, 3> color{};
            double light = 0, depth = 0;
            for (int row = 0; row < shrink; ++row)
                for (int column = 0; column < shrink; ++column) {
                    const float* here = colors.pixel(x * shrink + column, y * shrink + row);
                    if (!(here[0] > 0)) continue;
                    light += here[0];
                    depth += depths.pixel(x * shrink + column, y * shrink + row)[1];
                    const Vec4f hue = colors.hues ? Vec4f{here[1] / here[0], here[2] / here[0], here[3] / here[0], 0}
                                                  : table_color(table, colors.moments ? place_of_dispersion(here)
                                                                                      : here[1] / here[0]);
                    color[0] += here[0] * hue.x, color[1] += here[0] * hue.y, color[2] += here[0] * hue.z;
                }
            for (const double each : color) all.push_back(static_cast<float>(each * gain));
            all.push_back(static_cast<float>(light));
            const double share = light > 0 ? std::min(depth / light, 0.999999) : 0;
            all.push_back(static_cast<float>(distance * share / (1 - share)));
        }
    return all;
}

}  // namespace

struct PictureMaker::Both {
    Renderer b;  // has separate trails
    std::optional<RenderTarget> pane_a, pane_b;
    ExtentFollower distances;
};

PictureMaker::PictureMaker(const GlInfo& gl, const PictureSize& size, int fps, bool legend)
    : gl_{gl},
      size_{size},
      fps_{fps},
      renderer_{gl},
      target_{drawn_width(size), size.height * size.supersampling, size.bits},
      legend_wanted_{legend},
      legend_{size.height, size.supersampling},
      readback_{gl, size.supersampling} {
    renderer_.set_content_scale(content_scale());
    renderer_.set_lens(size.lens);
    renderer_.set_patient(true);
    renderer_.set_bits(size.bits);
    if (size.bits == 10 && (legend || size.supersampling > 1))
        usage_error("10-bit video (HDR10) supports neither a legend nor supersampling, which need sRGB");
    if (size.light && size.lens == Lens::kStereo)
        usage_error("--lens stereo: light and depth exist for one eye only; record an EXR picture for each");
}

PictureMaker::~PictureMaker() = default;

/// Scales lines and sprites with the supersampling, so that the average looks as if drawn at the final size.
double PictureMaker::content_scale() const { return size_.supersampling * picture_scale(size_.height, 1); }

void PictureMaker::draw(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose,
                        const ViewSettings& settings, const OtherBodies* other) {
    const FrameExtent extent = shutter_extent_ ? *shutter_extent_ : followed(frame);
    renderer_.note_passed(frame);
    renderer_.show_cells(frame.cells);
    if (size_.lens != Lens::kFlat) {
        const GuideView& guides = settings.guides;
        if (guides.grid || guides.axes || settings.octree.on || (other && frame.other))
            usage_error("grid, axes, octree and comparison need the lens `flat`");
    }
    if (halos_.catalogue && (size_.lens != Lens::kFlat || size_.bits == 10 || (other && frame.other)))
        usage_error("circles of haloes need the lens `flat`, 8 or 16 bits, and no comparison");
    if (size_.bits == 10 && (settings.octree.on || (other && frame.other)))
        usage_error("10-bit video (HDR10) supports neither octree nor comparison, which need sRGB");
    if (other && frame.other) {
        draw_both(bodies, frame, extent, pose, settings, *other);
    } else {
        both_.reset();
        draw_one(bodies, frame, extent, pose, settings);
    }
    ++pictures_;
    if (is_deep())
        keep_deep(bodies, frame, extent, pose, settings);
    else
        readback_.begin(target_);
    if (shutter_extent_) renderer_.close_shutter(), shutter_extent_.reset();
    next_.reset();
}

FrameExtent PictureMaker::followed(const Frame& frame) { return follower_.follow(frame.extent, 1.0 / fps_); }

void PictureMaker::open_shutter(const Frame& frame, int instants) {
    if (size_.lens == Lens::kStereo) usage_error("--shutter: motion blur does not work with the lens `stereo`");
    if (frame.other) usage_error("--shutter: motion blur does not work with a comparison");
    shutter_extent_ = followed(frame);
    renderer_.resize(target_.width(), target_.height());
    renderer_.open_shutter(instants, size_.light);
}

void PictureMaker::add_instant(const SharedBuffer& bodies, const CameraPose& pose, const ViewSettings& settings) {
    renderer_.add_instant(bodies, *shutter_extent_, OrbitCamera{pose}, settings);
}

SharedImage PictureMaker::take() {
    if (deep_.empty()) return readback_.take();
    SharedImage oldest = std::move(deep_.front());
    deep_.pop_front();
    return oldest;
}

void PictureMaker::keep_deep(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent,
                             const CameraPose& pose, const ViewSettings& settings) {
    auto image = std::make_shared<Image>();
    image->width = size_.width, image->height = size_.height;
    auto deep = std::make_shared<DeepImage>();
    if (size_.bits != 8) deep->rgb = target_.read_deep(size_.supersampling);
    if (size_.light) {
        if (frame.other)
            usage_error("light and depth exist for one simulation only: record a comparison in another format");
        glFinish();  // white depends on the last drawing
        const OrbitCamera camera{pose};
        const LightImage colors = renderer_.read_light(bodies, extent, camera, settings, LightOf::kColors);
        const LightImage depths = renderer_.read_light(bodies, extent, camera, settings, LightOf::kDepth);
        const double white = renderer_.white_in_bodies(), gain = std::exp2(settings.exposure);
        deep->light = light_and_depth(colors, depths, color_table(color_map_for(settings.color_map, extent.color_by)),
                                      gain / white, pose.distance, size_.supersampling);
        if (next_)
            deep->motion = renderer_.read_motion(bodies, extent, camera, settings,
                                                 {*next_->bodies, OrbitCamera{next_->pose}}, size_.supersampling);
        if (frame.words) deep->body_mass = frame.words->mean_mass;
    }
    image->deep = std::move(deep);
    deep_.push_back(std::move(image));
}

void PictureMaker::draw_one(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent,
                            const CameraPose& pose, const ViewSettings& settings) {
    const OrbitCamera camera{pose};
    if (size_.lens == Lens::kStereo) {
        draw_stereo(bodies, extent, pose, settings);
    } else {
        renderer_.resize(target_.width(), target_.height());
        renderer_.draw(bodies, extent, camera, settings, target_);
    }
    if (halos_.catalogue) draw_halos(bodies, frame, camera, periodic_of(settings, frame.words ? frame.words->box : 0));
    if (!legend_wanted_) return;
    ViewSettings shown = settings;  // names and scale bar need a flat projection
    if (size_.lens != Lens::kFlat) shown.guides.labels = shown.guides.scale_bar = false;
    legend_.draw(frame, extent, named_places(bodies, frame, shown), camera, shown, target_.framebuffer(),
                 target_.width(), target_.height());
}

void PictureMaker::draw_halos(const SharedBuffer& bodies, const Frame& frame, const OrbitCamera& camera,
                              const Periodic& space) {
    std::vector<Vec4f> members;
    if (halos_.members && !halos_.members->empty()) {
        const std::vector<Vec4f> all = bodies.read(bodies.count());
        const std::vector<std::uint32_t>* const rows = bodies.rows().get();
        for (const std::uint32_t i : *halos_.members) {
            if (!rows && i < all.size()) members.push_back(all[i]);
            if (!rows) continue;
            const auto row = std::ranges::lower_bound(*rows, i);  // hidden bodies have none
            if (row != rows->end() && *row == i) members.push_back(all[static_cast<std::size_t>(row - rows->begin())]);
        }
    }
    legend_.draw_halos(halos_, frame, members, camera, space, target_.framebuffer(), target_.width(), target_.height());
}

/// The target is in the plane of the screen; closer objects appear in front of it. The eyes look in parallel
/// directions, so that nothing is distorted.
void PictureMaker::draw_stereo(const SharedBuffer& bodies, const FrameExtent& extent, const CameraPose& pose,
                               const ViewSettings& settings) {
    constexpr double kApart =
        1.0 / 30;  // fraction of the distance: comfortable in cinemas (B. Mendiburu, 3D Movie Making, 2009)
    const int width = target_.width() / 2, height = target_.height();
    if (!eye_) eye_.emplace(width, height, size_.bits);
    renderer_.resize(width, height);
    for (const int side : {-1, 1}) {
        CameraPose from = pose;
        const double aside = 0.5 * side * kApart * pose.distance;
        from.target += aside * OrbitCamera{pose}.right();
        const double half = std::tan(pose.fov / 2) * pose.distance * width / height;
        renderer_.draw(bodies, extent, OrbitCamera{from}.shifted(aside / half, 0), settings, *eye_);
        const int left = side < 0 ? 0 : target_.width() - width;
        glBlitNamedFramebuffer(eye_->framebuffer(), target_.framebuffer(), 0, 0, width, height, left, 0, left + width,
                               height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
}

void PictureMaker::draw_both(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent,
                             const CameraPose& pose, const ViewSettings& settings, const OtherBodies& other) {
    if (!both_) {
        both_ = std::make_unique<Both>(Both{.b = Renderer{gl_}});
        both_->b.set_content_scale(content_scale());
        both_->b.set_patient(true);
        both_->b.set_bits(size_.bits);
    }
    const OrbitCamera camera{pose};
    const bool difference = other.view.mode == CompareMode::kDifference;
    if (!difference) both_->distances = ExtentFollower{};
    const FrameExtent extent_b = difference ? both_->distances.follow(frame.other->extent, 1.0 / fps_) : extent;
    const ScalarRange distances = distance_range(extent_b);
    renderer_.record_trails(bodies, settings),
        both_->b.record_trails(other.bodies, settings);  // also of the hidden one
    const auto with = [bits = size_.bits](Renderer& renderer, std::optional<RenderTarget>& pane,
                                          const SharedBuffer& shown, const FrameExtent& of) {
        return [&](int width, int height, const OrbitCamera& eye, const ViewSettings& view) {
            if (!pane || pane->width() != width || pane->height() != height) pane.emplace(width, height, bits);
            renderer.resize(width, height);
            renderer.draw(shown, of, eye, view, *pane);
            return pane->framebuffer();
        };
    };
    const bool beside = other.view.mode == CompareMode::kSplit || other.view.mode == CompareMode::kWipe;
    both_->b.expose_like(beside ? &renderer_ : nullptr);
    draw_compared({.target = target_.framebuffer(),
                   .width = target_.width(),
                   .height = target_.height(),
                   .left = 0,
                   .camera = camera,
                   .settings = settings,
                   .view = other.view,
                   .distances = distances},
                  with(renderer_, both_->pane_a, bodies, extent),
                  with(both_->b, both_->pane_b, other.bodies, extent_b));
    legend_.draw({.frame = frame,
                  .extent = extent,
                  .places = named_places(other.view.show_b || difference ? other.bodies : bodies, frame, settings),
                  .camera = camera,
                  .view = settings,
                  .seen = other.view,
                  .distances = distances,
                  .a = named("A", frame.computed, other.time_a),
                  .b = named("B", frame.other->computed, other.time_b),
                  .words = legend_wanted_},
                 target_.framebuffer(), target_.width(), target_.height());
}

}  // namespace orrery
