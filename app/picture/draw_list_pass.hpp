// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/render/gl/name.hpp"

struct ImDrawList;
struct ImFont;

namespace orrery {

/// ImGui's draw lists over a finished picture, without a window and without a context of ImGui. Needs its GL context
/// current in every member, destructor included.
class DrawListPass {
public:
    /// Letters are `letters` pixels high.
    explicit DrawListPass(float letters);
    DrawListPass(const DrawListPass&) = delete;
    DrawListPass& operator=(const DrawListPass&) = delete;
    ~DrawListPass();

    ImFont* font() const;
    /// An empty list, to draw on; places are pixels from the upper left.
    ImDrawList& begin();
    /// Draws the list over the lower left width × height pixels of `target`. Leaves blending off and target bound.
    void draw(GLuint target, int width, int height);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace orrery
