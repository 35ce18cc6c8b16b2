// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/frame.hpp"

namespace orrery {

/// The extent that controls exposure and colours in a video. It follows that of the bodies within about half a second,
/// because the latter comes from a sample, whose small jumps would flicker.
class ExtentFollower {
public:
    /// `seconds` since the last call, in video or window time. The extent of another scene or quantity is adopted at
    /// once.
    const FrameExtent& follow(const FrameExtent& extent, double seconds);
    const FrameExtent& extent() const { return seen_; }

private:
    FrameExtent seen_;
    bool begun_ = false;
};

}  // namespace orrery
