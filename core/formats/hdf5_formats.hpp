// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "core/formats/formats.hpp"

namespace orrery {

struct NumberTable;

// Formats that need the HDF5 library (1.10). A build without it has their entries too, with the reason in why_not.

const FormatEntry& checkpoint_format();
const FormatEntry& gadget_hdf5_format();

struct FieldReaders;
struct UnitWords;

namespace hdf5 {

/// The units of a file of Gadget and related programs in cgs, 0 where it does not state them; its scale factor and h.
struct StatedUnits {
    double length = 0, mass = 0, velocity = 0, a = 0, h = 0;
};
/// Throws Error{kUsage} as read_gadget() does.
StatedUnits stated_units(const std::filesystem::path& path);
UnitWords words_of(const StatedUnits& units);

/// The fields of these snapshots, with the units that Gadget-4, AREPO, SWIFT and EAGLE state.
extern const FieldReaders* const kGadgetFields;

// Snapshots of Gadget-2 to -4, AREPO, GIZMO and SWIFT: a group Header with attributes, a group per species (PartType0
// to 5) with data sets Coordinates, Velocities, ParticleIDs and, where MassTable is 0, Masses; one file, or several
// (NAME.0.hdf5).
Scene read_gadget(const std::filesystem::path& path);
/// See FormatEntry::rows.
std::unique_ptr<SnapshotRows> gadget_rows(const std::filesystem::path& path, WithIds ids);
SnapshotHead head_of_gadget(const std::filesystem::path& path);
void write_gadget(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path);

/// How a snapshot is written, and additional data sets.
struct GadgetOutput {
    int compress = 0;     ///< deflate level, 1 to 9, of shuffled bytes; 0: none
    bool single = false;  ///< numbers in 4 bytes
    /// Data sets Acceleration and (from w) Potential for all bodies in the scene's order and units; empty: none.
    std::vector<Vec4d> accelerations;
    bool potentials = false;
};
void write_gadget(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path,
                  const GadgetOutput& how);

// Orrery's own format: a whole scene, bit for bit. A header of 512 bytes (text: name, version, size and checksum of the
// rest), followed by an HDF5 file, which other programs can open too. The checksum is verified before the library reads
// anything.
inline constexpr std::string_view kCheckpointMagic = "orrery checkpoint ";
inline constexpr std::size_t kCheckpointBlock = 512;
Scene read_checkpoint(const std::filesystem::path& path);
/// See FormatEntry::rows.
std::unique_ptr<SnapshotRows> checkpoint_rows(const std::filesystem::path& path, WithIds ids);
void write_checkpoint(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path);

/// Writes a group with one data set of doubles per column; NaN marks unknown values. Throws Error{kEnvironment} if the
/// disk fails, or if the build has no HDF5.
void write_number_table(const NumberTable& table, const std::string& group, const std::filesystem::path& path);

/// Empty, or why this build does not support it.
extern const std::string_view kWhyNot;

}  // namespace hdf5
}  // namespace orrery
