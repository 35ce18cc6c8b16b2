// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "app/render/body_light.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/render/view_settings.hpp"

namespace orrery {

/// Trails: a ring of past positions on the GPU, drawn as lines of light that fade with age. With more bodies than
/// `most` segments allow, every n-th body has a trail.
class TrailsPass {
public:
    explicit TrailsPass(std::size_t most) : most_{most}, take_{"trail_take.comp"}, add_{"trails.vert", "trails.frag"} {}

    /// Adds the positions of a new state and discards those of later steps.
    void record_trails(const SharedBuffer& bodies, const TrailView& view);
    /// Notes the states between two frames, see Frame::passed; the next record_trails() adds them.
    void note(const Frame& frame);
    void forget();
    /// `copies` of a periodic box. Needs the uniform blocks bound. Changes the framebuffer and leaves blending
    /// disabled.
    void add_light(const SharedBuffer& bodies, const TrailView& view, int width, int height, LightChannels channels,
                   double scale, int copies);
    void bind_light() const { light_.texture().bind(2); }  ///< for trail_light.glsl
    std::size_t trails() const noexcept { return trails_; }
    std::size_t kept() const noexcept { return steps_.size(); }  ///< number of positions per trail

private:
    struct Passed {
        std::int64_t step;
        std::vector<Vec4f> places;  // of all bodies
    };

    void take_passed(const SharedBuffer& bodies, std::int64_t every);
    void next_slot(std::int64_t step);
    void shape(const SharedBuffer& bodies, const TrailView& view);
    bool follow_ids(const SharedBuffer& bodies);

    std::size_t most_;
    GlProgram take_, add_;
    GlVertexArray nothing_;
    GlBuffer ring_;
    Canvas light_;
    LightChannels channels_ = LightChannels::kIntensityAndPosition;
    std::shared_ptr<const BodyMetadata> words_;  // of the bodies in the ring
    std::size_t bodies_ = 0, trails_ = 0, stride_ = 1, slots_ = 0, newest_ = 0;
    std::vector<Passed> passed_;  // oldest first
    std::vector<Vec4f> row_;
    std::vector<std::int64_t> steps_;  // of the stored positions, oldest first
};

}  // namespace orrery
