// SPDX-License-Identifier: MIT
#include "app/scene/scene_keys.hpp"

namespace orrery {

std::vector<SceneKey> keys_of_record() { const Section record{"record", [](auto& file) -> auto& {return file.record; }
};  // namespace orrery
return {
    record.text("path", &RecordSettings::path, "what the window writes, as seen from where it was started"),
    record.whole("width", &RecordSettings::width, 0, 16384, "of a picture, in pixels; 0: as the window"),
    record.whole("height", &RecordSettings::height, 0, 16384, "likewise"),
    record.whole("fps", &RecordSettings::fps, 1, 1000, "pictures per second"),
    record.whole("steps_per_frame", &RecordSettings::steps_per_frame, 0, 1'000'000,
                 "steps from one picture to the next; 0: as the scene recommends"),
    record.whole("quality", &RecordSettings::quality, 1, 100, "of a film"),
    record.whole("supersampling", &RecordSettings::supersampling, 1, 3,
                 "pictures are drawn so many times wider and higher, and averaged"),
    record.flag("ui", &RecordSettings::ui, "with the panels: the window as it is on the screen"),
    record.flag("legend", &RecordSettings::legend,
                "with colour bar, scale bar, clock and names, those of them that the view has on"),
    record.flag("session", &RecordSettings::session, "the window writes a session file beside the film"),
    record.real("duration", &RecordSettings::duration, 0, 1e6,
                "seconds of film; 0: until it is stopped, or 5 without a window"),
};
}

}  // namespace orrery
