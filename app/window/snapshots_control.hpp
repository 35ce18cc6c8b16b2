// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/window_core.hpp"

namespace orrery {

/// A series of snapshots of the simulation under way, by hand.
class SnapshotsControl {
public:
    explicit SnapshotsControl(WindowCore& core) : core_{core} {}
    void toggle();  ///< begins one as the page Recording says, or ends it
    void watch();   ///< once per frame: tells when one has ended

private:
    WindowCore& core_;
    bool under_way_ = false;
};

}  // namespace orrery
