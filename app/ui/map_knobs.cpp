// SPDX-License-Identifier: MIT
#include "app/ui/map_knobs.hpp"

#include "app/ui/setting_control.hpp"
#include "core/engines/engine_settings.hpp"

namespace orrery {

bool map_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = false;
    for (const char* id : {"map", "root", "rows"})
        edited |= setting_control(ui, setting(engine_settings(), id), config);
    return edited;
}

}  // namespace orrery
