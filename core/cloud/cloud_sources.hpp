// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/cloud/cloud_writer.hpp"

namespace orrery {

/// Bodies in memory.
std::unique_ptr<CloudSource> cloud_source(Scene scene);

/// Bodies of several snapshots, one after the other, as if in one file. Formats that can be read in parts are; of
/// others one file at a time is in memory. Time, units and gravity are those of the first. Throws Error as
/// read_snapshot() does, and kUsage if a file changes between the first pass and the end of the last.
std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots);

}  // namespace orrery
