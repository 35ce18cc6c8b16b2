// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/catalogues/catalogue.hpp"

namespace orrery {

/// The units of a snapshot as the layout of its fields states them, and its box and time.
struct SnapshotUnits {
    std::string path;
    HaloUnits units;  ///< cgs 0: not stated
    double box = 0, scale_factor = 0, hubble = 0;
};
/// Units of a snapshot. If it is cosmological and its fields have no attributes, lengths and masses are in Gadget's
/// convention: comoving and divided by h, velocities divided by √a. Throws Error as read_snapshot() does. `scene`: that
/// snapshot.
SnapshotUnits snapshot_units(const std::filesystem::path& path, const Scene& scene);

/// Factor from one unit to another at this scale factor and h; 0 if one of the units, or a or h that is needed, is not
/// known.
double unit_factor(const HaloUnit& from, const HaloUnit& to, double a, double h);

/// Converts positions, radii, masses and velocities into the units of a snapshot; where those are not stated, into the
/// unit of length by the ratio of the boxes. Quantities that cannot be converted stay as they are, with a note.
/// Positions are wrapped into the box. Throws Error{kUsage} naming both files if their boxes differ.
void convert_halos(HaloCatalogue& catalogue, const SnapshotUnits& to);

/// The time of the catalogue that the snapshot shows, an index of HaloCatalogue::times. Throws Error{kUsage} naming
/// both scale factors if the catalogue is of another snapshot.
std::size_t time_of_snapshot(const HaloCatalogue& catalogue, const SnapshotUnits& snapshot);

/// Throws Error{kUsage} unless at least half of the haloes of this time are in the volume of the bodies, enlarged by a
/// tenth: the catalogue is of another snapshot, or in other units.
void require_among_bodies(const HaloCatalogue& catalogue, std::size_t time, const Bodies& bodies,
                          const SnapshotUnits& snapshot);

/// The vector to the nearest image in a periodic box; `box` 0: not periodic.
Vec3d nearest_image(Vec3d offset, double box);

}  // namespace orrery
