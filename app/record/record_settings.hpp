// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace orrery {

/// What a person chose for the next recording.
struct RecordSettings {
    std::string path;           ///< empty: a name with the time of day
    int width = 0, height = 0;  ///< of a picture, in pixels; 0: as the window, or 1280 × 720 without one
    int fps = 60;
    int steps_per_frame = 0;  ///< 0: as the scene recommends
    int quality = 80;         ///< 1 to 100
    int supersampling = 1;    ///< 1 to 3: pictures are drawn so many times wider and higher, and averaged
    bool ui = false;          ///< with the panels: the window as it is on the screen
    bool legend = false;      ///< colour bar, scale bar, clock and names are in the pictures, where the view has them
    bool session = false;     ///< beside the film a session file is written
    double duration = 0;      ///< seconds of film; 0: until it is stopped, or 5 without a window
    friend bool operator==(const RecordSettings&, const RecordSettings&) = default;
};

}  // namespace orrery
