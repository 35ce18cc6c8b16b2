// SPDX-License-Identifier: MIT
#include "app/commands/commands.hpp"

#include <array>

namespace orrery {

std::span<const CommandEntry> commands() {
    static constexpr std::array menu{
        CommandEntry{"record", "Render without a display to MP4, WebM, GIF or PNG", &declare_record},
        CommandEntry{"run", "Simulate without drawing; write snapshots and a table of energies", &declare_run, true},
        CommandEntry{"convert", "Convert a snapshot to another format", &declare_convert},
        CommandEntry{"bench", "Benchmark the engines: time, pairs per second, error", &declare_bench, true},
        CommandEntry{"frames", "Measure the frame rate while the simulation runs", &declare_frames},
        CommandEntry{"check", "Compare every engine with the double-precision reference", &declare_check},
        CommandEntry{"lab", "Repeat the published experiments on thread maps", &declare_lab},
        CommandEntry{"info", "Report what this machine offers, what is used, and why", &declare_info},
        CommandEntry{"list", "List all engines, presets, formats and other choices", &declare_list},
    };
    return menu;
}

}  // namespace orrery
