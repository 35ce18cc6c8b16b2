// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>

#include "app/cli/view_options.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"
#include "core/simulation.hpp"

namespace orrery {

/// The camera's part of a recording: makes picture after picture of a simulation. The same settings give the same
/// bytes. Needs its GL context current in every member, destructor included.
class Filming {
public:
    Filming(const GlInfo& gl, const ViewOptions& view, int width, int height, int fps);

    /// Draws the present state into the next picture.
    const Image& next(Simulation& simulation);
    DrawMode mode_used() const { return renderer_.mode_used(); }
    const Frame& frame() const { return frame_; }

private:
    void follow(const FrameExtent& extent);

    ViewOptions options_;
    ViewSettings settings_;
    int fps_;
    Renderer renderer_;
    SharedBuffer bodies_;
    RenderTarget target_;
    Frame frame_;
    FrameExtent seen_;
    CameraPose pose_;
    Image image_;
    std::uint64_t pictures_ = 0;
};

/// Rewrites `path` with the state of a recording, in the form of the window's map of widgets, of which there are none.
void write_recording_state(const std::filesystem::path& path, Simulation& simulation, const std::filesystem::path& film,
                           std::uint64_t pictures, double pictures_per_second);

}  // namespace orrery
