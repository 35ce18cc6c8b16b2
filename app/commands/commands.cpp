// SPDX-License-Identifier: MIT
#include "app/commands/commands.hpp"

#include <array>

namespace orrery {

std::span<const CommandEntry> commands() {
    static constexpr std::array menu{
        CommandEntry{"record", "Draw without a display into an MP4, a WebM or PNG pictures", &declare_record},
        CommandEntry{"run", "Simulate without drawing; write snapshots and a table of energies", &declare_run},
        CommandEntry{"convert", "Write a snapshot in another format", &declare_convert},
        CommandEntry{"bench", "Measure the engines: time, pairs per second, error", &declare_bench},
        CommandEntry{"frames", "Measure how smoothly the bodies can be watched while they are computed",
                     &declare_frames},
        CommandEntry{"check", "Compare every engine with the double-precision reference", &declare_check},
        CommandEntry{"lab", "Repeat the experiments of the papers on thread maps", &declare_lab},
        CommandEntry{"info", "Say what this machine offers, what is used, and why", &declare_info},
        CommandEntry{"list", "Name all engines, presets, formats and other choices", &declare_list},
    };
    return menu;
}

}  // namespace orrery
