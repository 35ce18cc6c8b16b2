// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/cloud/cloud_writer.hpp"

namespace orrery {

/// Bodies that are in memory.
std::unique_ptr<CloudSource> cloud_source(Scene scene);

/// Those of snapshots, one after the other, as if they were of one file: formats that can be read a part at a time are,
/// of others one file at a time is in memory. Time, units and gravity are those of the first. Throws Error as
/// read_snapshot() does, and kUsage if a file changes between the first pass and the end of the last.
std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots);

}  // namespace orrery
