// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>

#include "app/picture/compare_view.hpp"
#include "app/window/scene_view.hpp"

namespace orrery {

/// The picture of a comparison: A's and B's bodies seen by one camera, composed according to the user's settings.
class ComparePicture {
public:
    explicit ComparePicture(const GlInfo& gl) : gl_{gl} {}

    /// B's bodies, from the same frame as A's in their SceneView; null if there is no comparison.
    void upload(const Frame* b);
    bool ready() const { return b_.has_value(); }
    const SharedBuffer& bodies() const { return b_->bodies(); }  ///< B's, when ready
    ScalarRange distances() const;                               ///< colour range for kDifference, log10 of lengths

    /// Sizes in pixels; `left` of them are covered by the sidebar.
    void draw(SceneView& a, int width, int height, int left, const OrbitCamera& camera, const ViewSettings& settings,
              const CompareView& view, Pace pace);
    void show(GLuint screen) const;
    void rest_until(std::chrono::steady_clock::time_point then) {
        if (b_) b_->rest_until(then);
    }
    GLuint framebuffer() const { return target_->framebuffer(); }  ///< of the last picture
    std::uint64_t pictures() const { return pictures_; }           ///< number of different ones so far
    void read(Image& into) const { target_->read(into); }

private:
    const GlInfo& gl_;
    std::optional<SceneView> b_;
    std::optional<RenderTarget> target_;
    using Drawn = std::tuple<std::uint64_t, std::uint64_t, int, CompareView>;  // pictures of A and of B, left edge
    std::optional<Drawn> drawn_;
    std::uint64_t pictures_ = 0;
};

}  // namespace orrery
