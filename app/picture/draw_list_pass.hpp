// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/picture/fonts.hpp"

#include "app/render/gl/name.hpp"

struct ImDrawList;

namespace orrery {

/// Renders ImGui draw lists over a finished frame, without a window or an ImGui context. Its GL context must be current
/// in every member function and in the destructor.
class DrawListPass {
public:
    /// Text is `text_height` pixels high; `extra` as in add_text_font().
    explicit DrawListPass(float text_height, const Glyphs& extra = {});
    DrawListPass(const DrawListPass&) = delete;
    DrawListPass& operator=(const DrawListPass&) = delete;
    ~DrawListPass();

    ImFont* font() const;
    /// An empty list to draw on; positions are in pixels from the upper left.
    ImDrawList& begin();
    /// Draws the list over the lower left width × height pixels of `target`. Leaves blending disabled and `target`
    /// bound.
    void draw(GLuint target, int width, int height);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace orrery
