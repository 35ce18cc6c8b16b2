// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/picture/fonts.hpp"

#include "app/render/gl/name.hpp"

struct ImDrawList;

namespace orrery {

/// Renders ImGui draw lists over a finished picture, without a window and without an ImGui context. Its GL context must
/// be current in every member, including the destructor.
class DrawListPass {
public:
    /// The text is `letters` pixels high; `extra` as add_text_font() has them.
    explicit DrawListPass(float letters, const Letters& extra = {});
    DrawListPass(const DrawListPass&) = delete;
    DrawListPass& operator=(const DrawListPass&) = delete;
    ~DrawListPass();

    ImFont* font() const;
    /// An empty list to draw on; positions are in pixels from the upper left.
    ImDrawList& begin();
    /// Draws the list over the lower left width × height pixels of `target`. Leaves blending off and target bound.
    void draw(GLuint target, int width, int height);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace orrery
