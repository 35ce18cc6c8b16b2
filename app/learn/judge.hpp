// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/learn/lesson.hpp"
#include "core/simulation/kernel_verdict.hpp"

// Marks a kernel by the tests and the target of a lesson.

namespace orrery {

/// The result of a test.
struct LessonFinding {
    std::string test;   ///< its title
    std::string fault;  ///< empty: passed
};

/// The speed of a kernel that has passed all tests.
struct LessonSpeed {
    RivalTimes times;
    std::string house;             ///< "direct": what it is compared with
    std::optional<double> target;  ///< least share; empty: none for this device

    double share() const { return times.ratio(); }
    bool pass() const { return !target || share() >= *target; }
};

struct LessonVerdict {
    std::string device;  ///< where the kernel runs
    std::vector<LessonFinding> findings;
    std::optional<LessonSpeed> speed;  ///< empty: a test has failed

    bool pass() const { return speed && speed->pass(); }
    /// The first failure in one line; empty if all passed.
    std::string failure() const;
};

/// True if kernels of this language can be compiled and run here.
bool can_run(KernelLanguage language);

/// Compiles and tries a kernel, runs the tests of the lesson, and measures its speed if all have passed. `each` is
/// called after every test. Trusts the kernel: call it only for files that the user has named. Throws Error{kUsage} if
/// the kernel is of another kind than the lesson's, and Error{kEnvironment} if kernels of its language cannot run here.
LessonVerdict judge_lesson(const Lesson& lesson, const KernelFile& file,
                           const std::function<void(const LessonFinding&)>& each);

/// A kernel of a lesson, and what is wrong with it or with the lesson.
struct LessonProof {
    std::string kernel;  ///< "start in c++", "mistake 1 in glsl"
    std::string fault;   ///< empty: it passes, or fails with the message that the lesson states
};

/// Judges every kernel of a lesson: starts and mistakes must fail with the stated message, solutions must pass. Runs
/// the code of the lesson. Kernels in languages that cannot run here are omitted.
std::vector<LessonProof> verify_lesson(const Lesson& lesson);

}  // namespace orrery
