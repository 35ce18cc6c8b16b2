// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "app/learn/lesson.hpp"

namespace orrery {

/// A kernel of a lesson, and what is wrong with it or with the lesson.
struct LessonProof {
    std::string kernel;  ///< "start in c++", "mistake 1 in glsl"
    std::string fault;   ///< empty: it passes, or fails with the message that the lesson states
};

/// Judges every kernel of a lesson: starts and mistakes must fail with the stated message, solutions must pass. Runs
/// the code of the lesson. Kernels in languages that cannot run here are omitted.
std::vector<LessonProof> verify_lesson(const Lesson& lesson);

}  // namespace orrery
