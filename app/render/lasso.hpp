// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/camera/orbit_camera.hpp"
#include "app/camera/periodic.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/shared_buffer.hpp"
#include "core/selection/body_set.hpp"

namespace orrery {

/// The bodies of a buffer that appear within a closed line, found by a compute shader where they are stored: two bits
/// per body are read back, not the bodies. The set is the one of Projector and Outline::holds() on the host.
class Lasso {
public:
    /// For a picture of this camera, size and space, in which a body may have several images.
    BodySet within(const SharedBuffer& bodies, const OrbitCamera& camera, double width, double height,
                   const Outline& line, const Periodic& space = {});
    std::size_t decided_by_host() const { return unsure_; }  ///< of the last call: bodies too near to the line

private:
    struct Header;
    void find(const SharedBuffer& bodies, const Header& header, const Outline::Shape& line);

    GlProgram program_;
    std::size_t range_ = 0;  // bodies of a binding
    GlBuffer inside_, undecided_;
    std::size_t unsure_ = 0;
};

}  // namespace orrery
