// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/cli/view_options.hpp"
#include "app/commands/compared_run.hpp"
#include "app/record/picture_maker.hpp"

namespace orrery {

/// Makes picture after picture of a simulation. The same settings give the same bytes. Needs its GL context current in
/// every member, destructor included.
class Filming {
public:
    Filming(const GlInfo& gl, const ViewOptions& view, const PictureSize& size, int fps);

    /// Draws the present state into the next picture; the camera goes its way. Not while maker().full().
    void draw(ComparedRun& run);
    /// Shows it the state of a step that no picture is made of: trails go through it.
    void between(ComparedRun& run);
    /// The same with a camera and settings of another's choice, from now on: those of a session.
    void draw(ComparedRun& run, const CameraPose& pose);
    PictureMaker& maker() { return maker_; }  ///< the pictures that are drawn are taken from it
    void set_view(const ViewSettings& settings) { settings_ = settings; }
    const ViewSettings& view() const { return settings_; }
    /// Before a comparison begins and before the first step: what frames are coloured by, which may cost forces.
    void begin(ComparedRun& run) const;
    const Frame& frame() const { return frame_; }

private:
    void take(ComparedRun& run);
    void draw_taken(const CompareView& view, const CameraPose& pose);
    CameraPose pose_now();

    ViewOptions options_;
    ViewSettings settings_;
    int fps_;
    PictureMaker maker_;
    SharedBuffer bodies_, other_bodies_;
    Frame frame_;
    CameraPose first_pose_;
    std::optional<Vec3d> first_centre_;
};

/// Rewrites `path` with the state of a recording, in the form of the window's map of widgets, of which there are none.
void write_recording_state(const std::filesystem::path& path, Simulation& simulation, const std::filesystem::path& film,
                           std::uint64_t pictures, double pictures_per_second);

}  // namespace orrery
