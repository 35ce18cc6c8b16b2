// SPDX-License-Identifier: MIT
// The results of a class as a table.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/learn/progress.hpp"

namespace orrery {

/// The results in all files NAME.json of a folder, by name of the learner or, if none is stated, of the
/// file. Throws Error{kUsage} for a folder without results and for invalid files.
std::vector<LearnResult> read_class(const std::filesystem::path& folder);

/// A row for each learner, a bar for each lesson: the share of the speed of the built-in engine on the learner's
/// device, which is named; a line marks the target.
std::string class_svg(const std::vector<LearnResult>& results);
/// One line for each learner and lesson.
std::string class_csv(const std::vector<LearnResult>& results);

}  // namespace orrery
