// SPDX-License-Identifier: MIT
#include "app/commands/commands.hpp"

#include <array>

namespace orrery {

std::span<const CommandEntry> commands() {
    static constexpr std::array menu{
        CommandEntry{"record", "Render without a display to MP4, WebM, GIF or PNG", &declare_record,
                     OnRanks::kLedOrAlike, true},
        CommandEntry{"serve", "Show the window in a browser, through one TCP port", &declare_serve, OnRanks::kLed},
        CommandEntry{"run", "Simulate without drawing; write snapshots and a table of energies", &declare_run,
                     OnRanks::kAlike, true},
        CommandEntry{"convert", "Convert a snapshot to another format", &declare_convert},
        CommandEntry{"fields", "List the fields of a snapshot: name, unit, components, species", &declare_fields},
        CommandEntry{"halos", "List the haloes of a catalogue; match them with groups of a snapshot", &declare_halos},
        CommandEntry{"select", "Select bodies of a snapshot by a condition; write their ids or a snapshot of them",
                     &declare_select},
        CommandEntry{"audit", "Check a series of snapshots: energy, momentum, motion, bodies that jump",
                     &declare_audit},
        CommandEntry{"plot", "Plot a snapshot: curves, histograms, groups", &declare_plot},
        CommandEntry{"bench", "Benchmark the engines: time, pairs per second, error", &declare_bench, OnRanks::kAlike},
        CommandEntry{"frames", "Measure the frame rate while the simulation runs", &declare_frames, OnRanks::kLed,
                     true},
        CommandEntry{"check", "Compare every engine with the double-precision reference", &declare_check,
                     OnRanks::kLed},
        CommandEntry{"lab", "Repeat the published experiments on thread maps", &declare_lab, OnRanks::kFirstAlone,
                     true},
        CommandEntry{"learn", "Lessons in kernels: write a part, have it marked", &declare_learn},
        CommandEntry{"info", "Report what this machine offers, what is used, and why", &declare_info},
        CommandEntry{"list", "List all engines, presets, formats and other choices", &declare_list},
        CommandEntry{"help", "Explain a command: the same as orrery COMMAND --help", &declare_help},
    };
    return menu;
}

}  // namespace orrery
