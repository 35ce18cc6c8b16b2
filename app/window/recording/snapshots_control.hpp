// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/window_core.hpp"

namespace orrery {

/// Records a series of snapshots of the running simulation, at the user's request.
class SnapshotsControl {
public:
    explicit SnapshotsControl(WindowCore& core) : core_{core} {}
    void toggle();  ///< starts a series with the settings of the page Recording, or ends it
    void watch();   ///< once per frame: reports when a series has ended

private:
    WindowCore& core_;
    bool under_way_ = false;
};

}  // namespace orrery
