// SPDX-License-Identifier: MIT
#include "app/record/settings_of_record.hpp"
#include "app/scene/scene_keys.hpp"

namespace orrery {

std::vector<SceneKey> keys_of_record() { return keys_of("record", Part<&SceneFile::record>{}, record_settings()); }

}  // namespace orrery
