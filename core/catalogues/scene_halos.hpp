// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/catalogues/catalogue.hpp"
#include "core/catalogues/halo_members.hpp"

namespace orrery {

/// A catalogue in the units of a scene that was read from snapshots.
struct SceneHalos {
    HaloCatalogue catalogue;
    std::optional<std::size_t> time;  ///< that the scene shows; empty: several times, each at its scale factor
};

/// Reads a catalogue for a scene. `sources`: the snapshots of the scene, several for a series, as snapshot_files()
/// takes them. Times without scale factors get those of the snapshots whose names have their number. Throws Error as
/// read_catalogue(), convert_halos(), time_of_snapshot() and require_among_bodies() do, and kUsage if the source is not
/// a file.
SceneHalos read_halos_of(const std::string& catalogue, std::span<const std::string> sources);

/// The bodies of a halo as indices of the scene's bodies. Reads the snapshot of its time; the bodies of a series have
/// the order of the first snapshot, where they are found by ids. Throws Error as members_of() does.
HaloMembers members_in_scene(const HaloCatalogue& catalogue, std::uint32_t halo, std::span<const std::string> sources);

}  // namespace orrery
