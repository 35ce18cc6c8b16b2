// SPDX-License-Identifier: MIT
#include "app/ui/pen.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"

namespace orrery {

float Pen::width(std::string_view text) const {
    return font_->CalcTextSizeA(size_, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

std::string Pen::fitted(std::string_view text, float most) const {
    std::string cut{text};
    if (width(text) <= most) return cut;
    while (!cut.empty() && width(cut + "…") > most) {
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0u) == 0x80u) cut.pop_back();  // UTF-8
        if (!cut.empty()) cut.pop_back();
    }
    return cut + "…";
}

void Pen::text(ImVec2 at, ImU32 color, std::string_view text, Align align) const {
    if (align != Align::kLeft) at.x -= width(text) * (align == Align::kCentre ? 0.5f : 1.0f);
    draw_->AddText(font_, size_, {std::round(at.x), std::round(at.y)}, color, text.data(), text.data() + text.size());
}

void Pen::dashed(ImVec2 from, ImVec2 to, ImU32 color, float thick, float dash) const {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    for (float at = 0; at < length; at += 2 * dash) {
        const float end = std::min(length, at + dash);
        draw_->AddLine({from.x + dx * at / length, from.y + dy * at / length},
                       {from.x + dx * end / length, from.y + dy * end / length}, color, thick);
    }
}

}  // namespace orrery
