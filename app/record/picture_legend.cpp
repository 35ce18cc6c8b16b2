// SPDX-License-Identifier: MIT
#include "app/record/picture_legend.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/record/compare_layout.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"

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

}  // namespace orrery
