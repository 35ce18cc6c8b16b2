// SPDX-License-Identifier: MIT
#include "app/picture/draw_list_pass.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstddef>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/gl/vertex_array.hpp"

namespace orrery {
namespace {

constexpr float kUnclipped = 1e6f;
static_assert(sizeof(ImDrawVert) == 20 && offsetof(ImDrawVert, uv) == 8 && offsetof(ImDrawVert, col) == 16,
              "shaders/draw_list.vert reads five words");

/// Allocates twice the size when growing, as lists of consecutive frames have similar lengths.
void put(GlBuffer& buffer, const void* data, std::size_t bytes) {
    if (bytes > buffer.bytes()) buffer = GlBuffer{2 * bytes, GL_DYNAMIC_STORAGE_BIT};
    buffer.write(data, bytes);
}

}  // namespace

struct DrawListPass::Parts {
    ImFontAtlas atlas;
    ImFont* font = nullptr;
    ImDrawListSharedData shared;
    ImDrawList list{&shared};
    GlTexture glyphs;
    GlProgram program{"draw_list.vert", "draw_list.frag"};
    GlVertexArray nothing;
    GlBuffer vertices, indices;
};

DrawListPass::DrawListPass(float text_height, const Glyphs& extra) : parts_{std::make_unique<Parts>()} {
    Parts& p = *parts_;
    p.font = add_text_font(p.atlas, text_height, extra);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    p.atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    p.glyphs = GlTexture{GL_RGBA8, width, height, Filter::kLinear};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTextureSubImage2D(p.glyphs.name(), 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    p.atlas.ClearTexData();
    p.shared.Font = p.font;
    p.shared.FontSize = p.font->FontSize;
    p.shared.TexUvWhitePixel = p.atlas.TexUvWhitePixel;
    p.shared.TexUvLines = p.atlas.TexUvLines;
    p.shared.ClipRectFullscreen = {0, 0, kUnclipped, kUnclipped};
    p.shared.InitialFlags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill;
}

DrawListPass::~DrawListPass() = default;

ImFont* DrawListPass::font() const { return parts_->font; }

ImDrawList& DrawListPass::begin() {
    ImDrawList& list = parts_->list;
    list._ResetForNewFrame();
    list.PushClipRectFullScreen();
    list.PushTextureID(parts_->atlas.TexID);
    return list;
}

void DrawListPass::draw(GLuint target, int width, int height) {
    Parts& p = *parts_;
    const auto count = static_cast<GLsizei>(p.list.IdxBuffer.Size);
    if (count == 0) return;
    put(p.vertices, p.list.VtxBuffer.Data, static_cast<std::size_t>(p.list.VtxBuffer.size_in_bytes()));
    put(p.indices, p.list.IdxBuffer.Data, static_cast<std::size_t>(p.list.IdxBuffer.size_in_bytes()));
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, width, height);
    glBindVertexArray(p.nothing.name());
    glVertexArrayElementBuffer(p.nothing.name(), p.indices.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, p.vertices.name());
    glProgramUniform2f(p.program.name(), 0, 2 / static_cast<float>(width), 2 / static_cast<float>(height));
    p.glyphs.bind(0);
    p.program.use();
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (const ImDrawCmd& command : p.list.CmdBuffer)
        glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount),
                                 sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                                 reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)),
                                 static_cast<GLint>(command.VtxOffset));
    glDisable(GL_BLEND);
}

}  // namespace orrery
