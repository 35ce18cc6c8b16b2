// SPDX-License-Identifier: MIT
// The tests that a lesson can name.
#pragma once
#include <functional>
#include <string>
#include <string_view>

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

}  // namespace orrery
