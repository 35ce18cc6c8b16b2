// SPDX-License-Identifier: MIT
// Commands that change the engine or one of its settings, for the table in commands.cpp.
#pragma once

namespace orrery {

struct WindowParts;

void choose_engine(WindowParts& window, int key);  ///< from 1; see engine_keys()
void change_backend(WindowParts& window, int);
void next_map(WindowParts& window, int);
void next_precision(WindowParts& window, int);
void toggle_octree(WindowParts& window, int);

}  // namespace orrery
