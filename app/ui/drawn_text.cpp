// SPDX-License-Identifier: MIT
#include "app/ui/drawn_text.hpp"

#include <imgui_internal.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "app/ui/words.hpp"

namespace orrery {
namespace {

// Distances between letters as fractions of the size of the font.
constexpr float kWithinWord = 0.12f, kWithinLine = 1.5f;
constexpr float kSameSize = 0.05f;  ///< relative: sizes follow from rounded corners

struct KnownGlyph {
    const ImFontGlyph* glyph;
    float size;  ///< of its font, in pixels
};
using Place = std::pair<float, float>;  ///< upper left in the texture
using GlyphsByPlace = std::map<Place, KnownGlyph>;

GlyphsByPlace glyphs_of(const ImFontAtlas& atlas) {
    GlyphsByPlace all;
    for (const ImFont* font : atlas.Fonts)
        for (const ImFontGlyph& glyph : font->Glyphs)
            if (glyph.Visible && glyph.X1 > glyph.X0)
                all.insert_or_assign({glyph.U0, glyph.V0}, KnownGlyph{&glyph, font->FontSize});
    return all;
}

struct DrawnGlyph {
    unsigned code;
    float from, to;  ///< positions of the pen before and after it
    float top, size;
    bool cut;  ///< touches the edge of the visible area
};

/// Two triangles of a rectangle, as ImGui adds them, that show a whole glyph.
std::optional<DrawnGlyph> glyph_at(const ImDrawList& list, const ImDrawCmd& command, unsigned first,
                                   const GlyphsByPlace& known) {
    if (first + 6 > command.ElemCount) return std::nullopt;
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset + first;
    const unsigned at = index[0];
    if (index[1] != at + 1 || index[2] != at + 2 || index[3] != at || index[4] != at + 2 || index[5] != at + 3)
        return std::nullopt;
    const ImDrawVert* corner = list.VtxBuffer.Data + command.VtxOffset + at;
    const auto found = known.find({corner[0].uv.x, corner[0].uv.y});
    if (found == known.end()) return std::nullopt;
    const auto& [glyph, size] = found->second;
    if (corner[2].uv.x != glyph->U1 || corner[2].uv.y != glyph->V1) return std::nullopt;
    const float scale = (corner[2].pos.x - corner[0].pos.x) / (glyph->X1 - glyph->X0);
    const float from = corner[0].pos.x - scale * glyph->X0, to = from + scale * glyph->AdvanceX;
    const bool cut = corner[0].pos.x < command.ClipRect.x + 1 || to + scale * size > command.ClipRect.z ||
                     corner[0].pos.y > command.ClipRect.w || corner[2].pos.y < command.ClipRect.y;
    return DrawnGlyph{glyph->Codepoint, from, to, corner[0].pos.y - scale * glyph->Y0, scale * size, cut};
}

bool is_ellipsis(unsigned code) { return code == 0x2026; }

/// Joins glyphs to words and lines.
class Reader {
public:
    void add(const DrawnGlyph& glyph) {
        const bool same_line = last_ && std::abs(last_->top - glyph.top) < 0.6f &&
                               std::abs(last_->size - glyph.size) < kSameSize * glyph.size &&
                               glyph.from > last_->to - kWithinWord * glyph.size &&
                               glyph.from < last_->to + kWithinLine * glyph.size;
        if (!same_line) end_line();
        if (same_line && glyph.from > last_->to + kWithinWord * glyph.size) {
            end_word();
            line_ += ' ';
        }
        char letter[5];
        ImTextCharToUtf8(letter, glyph.code);
        line_ += letter;
        if (is_ellipsis(glyph.code)) cut_ = true;
        if (!is_letter(glyph.code)) end_word();
        if (is_letter(glyph.code)) word_ += letter, ++letters_, cut_ |= glyph.cut;
        last_ = glyph;
    }
    void end_line() {
        end_word();
        for (std::string& word : words_) found_.push_back({std::move(word), line_});
        words_.clear(), line_.clear(), last_.reset();
    }
    std::vector<DrawnWord> take() {
        end_line();
        return std::move(found_);
    }

private:
    void end_word() {
        if (letters_ >= 2 && !cut_) words_.push_back(word_);
        word_.clear(), letters_ = 0, cut_ = false;
    }

    std::vector<DrawnWord> found_;
    std::vector<std::string> words_;
    std::string word_, line_;
    int letters_ = 0;
    bool cut_ = false;
    std::optional<DrawnGlyph> last_;
};

}  // namespace

std::vector<DrawnWord> drawn_words(const ImDrawData& drawn, const ImFontAtlas& atlas) {
    const GlyphsByPlace known = glyphs_of(atlas);
    Reader reader;
    for (int i = 0; i < drawn.CmdListsCount; ++i) {
        const ImDrawList& list = *drawn.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback || command.GetTexID() != atlas.TexID) continue;
            for (unsigned k = 0; k + 2 < command.ElemCount;) {
                const auto glyph = glyph_at(list, command, k, known);
                if (glyph) reader.add(*glyph);
                k += glyph ? 6 : 3;
            }
            reader.end_line();
        }
    }
    return reader.take();
}

}  // namespace orrery
