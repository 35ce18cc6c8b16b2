// SPDX-License-Identifier: MIT
// Results of a user in the lessons, kept in their state folder and written as a file for a teacher,
// and the table of a class.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/learn/judge.hpp"

namespace orrery {

/// The result of one lesson.
struct LessonRecord {
    std::string id, title;
    int attempts = 0;
    bool passed = false;
    // Of the fastest kernel that passed, or of the last one whose speed was measured:
    std::string language, device, house;
    double share = 0, target = 0;  ///< of the speed of `house`; 0: not measured, no target
    std::string date;              ///< of the last attempt, UTC: "2026-03-01"
};

/// The records of one user.
struct LearnResult {
    std::string learner;                ///< a name for the teacher; may be empty
    std::vector<LessonRecord> lessons;  ///< in the order of the lessons

    const LessonRecord* find(std::string_view id) const;
    /// Adds an attempt at a lesson. A kernel that passed is not replaced by a slower or a failing one.
    void add(const Lesson& lesson, const KernelFile& file, const LessonVerdict& verdict);
    std::string json() const;
};

/// Parses the text of a result. Throws Error{kUsage} with `name`.
LearnResult parse_result(std::string_view text, const std::string& name);

/// The progress of this user; empty records without a file. Throws Error{kUsage} for an invalid file.
LearnResult read_progress();
/// Throws Error{kEnvironment} if the file cannot be written.
void write_progress(const LearnResult& result);

/// The results in all files NAME.json of a folder, by name of the learner or, if none is stated, of the
/// file. Throws Error{kUsage} for a folder without results and for invalid files.
std::vector<LearnResult> read_class(const std::filesystem::path& folder);

/// A row for each learner, a bar for each lesson: the share of the speed of the built-in engine on the learner's
/// device, which is named; a line marks the target.
std::string class_svg(const std::vector<LearnResult>& results);
/// One line for each learner and lesson.
std::string class_csv(const std::vector<LearnResult>& results);

}  // namespace orrery
