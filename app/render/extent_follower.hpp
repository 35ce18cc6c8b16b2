// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/frame.hpp"

namespace orrery {

/// The extent that exposure and colours of a film go by: it follows the bodies' in about half a second, for that comes
/// from a sample, whose small jumps would flicker.
class ExtentFollower {
public:
    /// `seconds` since the last call, of the film or of the window. What is another scene, or another quantity, is
    /// taken at once.
    const FrameExtent& follow(const FrameExtent& extent, double seconds);
    const FrameExtent& extent() const { return seen_; }

private:
    FrameExtent seen_;
    bool begun_ = false;
};

}  // namespace orrery
