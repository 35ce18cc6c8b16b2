// SPDX-License-Identifier: MIT
#include "app/scene/settings_of_series.hpp"

namespace orrery {
namespace {

using W = SeriesSettings;

constexpr unsigned kOfRun = place::kCommandLine | place::kSceneFile;
constexpr std::int64_t kMostSteps = 1'000'000'000'000;

std::vector<Setting<W>> series_table() {
    SettingTable<W> add;
    add({.id = "snapshots_every",
         .label = "Every",
         .doc = "steps between two snapshots of the series; 0: about a hundred snapshots in all",
         .kind = WholeKind{0, kMostSteps},
         .places = kOfRun},
        member<&W::every>());
    add({.id = "snapshots_interval",
         .label = "Interval",
         .doc = "time between two snapshots of the series, in the scene's unit or with its own unit",
         .kind = TextKind{},
         .places = kOfRun},
        member<&W::interval>());
    add({.id = "snapshots_compress",
         .label = "Compress",
         .doc = "deflate level of HDF5 snapshots of the series; 0: not compressed",
         .kind = WholeKind{0, 9},
         .places = kOfRun},
        member<&W::compress>());
    add({.id = "snapshots_single",
         .label = "Single",
         .doc = "HDF5 snapshots of the series store numbers in 4 bytes, not 8",
         .kind = FlagKind{},
         .places = kOfRun},
        member<&W::single>());
    add({.id = "snapshots_accelerations",
         .label = "Accelerations",
         .doc = "HDF5 snapshots of the series contain accelerations",
         .kind = FlagKind{},
         .places = kOfRun},
        member<&W::accelerations>());
    add({.id = "snapshots_potentials",
         .label = "Potentials",
         .doc = "HDF5 snapshots of the series contain accelerations and potentials",
         .kind = FlagKind{},
         .places = kOfRun},
        member<&W::potentials>());
    return std::move(add).all();
}

}  // namespace

std::span<const Setting<SeriesSettings>> series_settings() {
    static const std::vector<Setting<W>> all = series_table();
    return all;
}

}  // namespace orrery
