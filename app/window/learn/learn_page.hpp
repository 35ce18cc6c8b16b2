// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/learn/judge.hpp"
#include "app/learn/lesson.hpp"
#include "app/learn/progress.hpp"

namespace orrery {

/// The marks of a kernel so far.
struct LearnMarks {
    std::string lesson;  ///< id; empty: none
    std::vector<LessonFinding> findings;
    std::optional<LessonSpeed> speed;  ///< after all tests have passed
    std::string failure;               ///< why it cannot be marked; one line
    bool done = false;
};

/// Requests of the page in one frame.
struct LearnWish {
    bool begin = false, check = false;
};

/// The page Learn. In UiState::own.
struct LearnPage {
    std::shared_ptr<const std::vector<Lesson>> lessons;  ///< null: not read yet
    LearnResult progress;
    std::size_t lesson = 0;    ///< index of the chosen one
    std::size_t language = 0;  ///< index of its start
    std::size_t hints = 0;     ///< number of hints shown
    bool reading = false;      ///< the text covers the window
    bool checking = false;
    bool elsewhere = false;  ///< the user is at another machine
    LearnMarks marks;
    LearnWish wish;

    const Lesson* chosen() const { return lessons && lesson < lessons->size() ? &(*lessons)[lesson] : nullptr; }
};

}  // namespace orrery
