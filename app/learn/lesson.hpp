// SPDX-License-Identifier: MIT
// Lessons in kernels. A lesson is a Markdown file: a head, a text, the kernel with a hole, hints, a solution, and
// mistakes that must be found. docs/guide/learn.md describes the format.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// A kernel under test.
struct LessonAttempt {
    const KernelFile& file;
    double tolerance;  ///< of forces: relative RMS error in single precision
};

/// A test of a lesson.
struct LessonTest {
    std::string title;                                               ///< "1000 bodies, scattered"
    std::function<bool(KernelKind)> judges;                          ///< true if it applies to kernels of this kind
    std::function<std::string(const LessonAttempt& attempt)> fault;  ///< the number that is wrong; empty: passed
};

/// Reads the value of a line `test = KIND ARGUMENTS`. Throws Error{kUsage} with the problem.
LessonTest read_lesson_test(std::string_view text);

/// A kernel file in a lesson.
struct LessonKernel {
    KernelFile file;
    std::string failure;  ///< part of the message with which it fails; empty: it passes
};

/// A parsed lesson.
struct Lesson {
    std::string id;  ///< the name of its file without extension: "registers"
    std::string title;
    std::string text;  ///< of one screen, Markdown
    std::vector<LessonTest> tests;
    double tolerance = 5e-6;  ///< of forces: relative RMS error in single precision
    /// Shares of the speed of the built-in engine to reach, by device_kind(); without an entry the speed is only shown.
    std::map<std::string, double, std::less<>> targets;
    bool against_start = false;  ///< the speed is compared with that of the start, not with an engine
    std::vector<LessonKernel> starts, solutions, mistakes;
    std::vector<std::string> hints;

    /// The kernel with the hole. Throws Error{kUsage} if the lesson has none in this language.
    const LessonKernel& start(KernelLanguage language) const;
    const LessonKernel& solution(KernelLanguage language) const;
};

/// Number of hints of every lesson.
inline constexpr std::size_t kLessonHints = 3;

/// Parses a lesson. `path` names it in messages, and its stem is the id. Throws Error{kUsage} as "PATH:LINE: problem".
Lesson parse_lesson(std::string_view text, const std::filesystem::path& path);

/// assets/lessons, in the order of the course.
std::vector<Lesson> shipped_lessons();
/// The shipped lessons, then those of `folder` by name; one with the id of a shipped lesson takes its
/// place. An empty folder stands for lessons_folder(), which need not exist. Throws Error{kUsage} for invalid files.
std::vector<Lesson> all_lessons(const std::filesystem::path& folder);

/// The name of the file of a learner: "naive.cpp".
std::string lesson_file_name(const Lesson& lesson, KernelLanguage language);
/// Folder of the files of learners in the window: orrery/learn in $XDG_DATA_HOME or ~/.local/share. Throws
/// Error{kEnvironment} without them.
std::filesystem::path attempts_folder();

/// The lesson with this number, from 1, or id. Throws Error{kUsage}.
std::size_t find_lesson(const std::vector<Lesson>& lessons, const std::string& number_or_id);

}  // namespace orrery
