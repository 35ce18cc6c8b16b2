// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include "app/render/view_settings.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// The user's settings for the next recording.
struct RecordSettings {
    std::string path;           ///< empty: named by date and time
    int width = 0, height = 0;  ///< frame size in pixels; 0: as the window, or 1280 × 720 without one
    int fps = 60;
    int steps_per_frame = 0;  ///< 0: as the scene recommends
    int quality = 80;         ///< 1 to 100
    int supersampling = 1;    ///< 1 to 3: frames are rendered at this multiple of width and height, and averaged
    bool ui = false;          ///< with panels: the window as shown on the screen
    bool legend = false;   ///< colour bar, scale bar, clock and names are drawn into the frames, if the view has them
    bool session = false;  ///< a session file is written next to the video
    Lens lens = Lens::kFlat;
    int bits = 8;         ///< per channel: 8; PNG also 16; videos also 10, with a high dynamic range
    double duration = 0;  ///< length in seconds; 0: until stopped, or 5 without a window
    friend bool operator==(const RecordSettings&, const RecordSettings&) = default;
};

using RecordSetting = Setting<RecordSettings>;

/// All of RecordSettings, in the order of scene files.
std::span<const RecordSetting> record_settings();

}  // namespace orrery
