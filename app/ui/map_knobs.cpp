// SPDX-License-Identifier: MIT
#include "app/ui/map_knobs.hpp"

#include "app/ui/setting_control.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/map_choices.hpp"

namespace orrery {

bool map_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = false;
    const bool triples = !walks_pairs(config) && !map_in_force(config).empty();
    for (const char* id : {triples ? "map3" : "map", "root", "rows"})
        edited |= setting_control(ui, setting(engine_settings(), id), config);
    return edited;
}

}  // namespace orrery
