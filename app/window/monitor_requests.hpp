// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/recording/recording_control.hpp"

namespace orrery {

/// Requests the quantities that the window shows from the simulation, and no others, because each costs it time.
class MonitorRequests final : public Feature {
public:
    MonitorRequests(WindowCore& core, RecordingControl& recording) : core_{core}, recording_{recording} {}

    void end_frame() override;
    void update_colors();

private:
    template <class Asked, class Ask>
    static void follow(Asked& asked, Asked wanted, const Ask& ask) {
        if (wanted == asked) return;
        asked = wanted;
        ask(wanted);
    }

    WindowCore& core_;
    RecordingControl& recording_;
    bool cells_ = false, differences_ = false, mass_centre_ = false;  // as requested
    int trails_ = 0;                                                  // steps between points, as requested
    SetColorBy colors_{ColorBy::kSpeed};
    std::string fields_;
    Vec3d sight_line_{0, 0, 1};
    std::optional<AnalysisSettings> plot_;
};

}  // namespace orrery
