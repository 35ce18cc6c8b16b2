// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

#include "core/formats/formats.hpp"
#include "core/formats/gadget_layout.hpp"

namespace orrery::gadget {

/// Reads the file, or all files of the snapshot if its header states that there are several.
Scene read(const std::filesystem::path& path);
/// The same, holding part of the bodies at a time, without their ids; see FormatEntry::read_parts.
Scene read_parts(const std::filesystem::path& path, const TakeBodies& take);
/// The head of the whole snapshot, from the header of this file.
SnapshotHead head(const std::filesystem::path& path);
/// In single precision, bodies in order of their species; bodies without ids are numbered from 1.
void write(const Scene& scene, const std::filesystem::path& path, Dialect dialect);

}  // namespace orrery::gadget
