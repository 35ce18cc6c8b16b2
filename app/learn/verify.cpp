// SPDX-License-Identifier: MIT
#include "app/learn/verify.hpp"

#include <fmt/format.h>

#include "app/learn/judge.hpp"

namespace orrery {
namespace {

std::string fault_of_kernel(const Lesson& lesson, const LessonKernel& kernel) {
    const std::string failure = judge_lesson(lesson, kernel.file, [](const LessonFinding&) {}).failure();
    if (kernel.failure.empty()) return failure;
    if (failure.empty()) return fmt::format("passes; the lesson states that it fails with: {}", kernel.failure);
    return failure.find(kernel.failure) != std::string::npos
               ? std::string{}
               : fmt::format("fails with: {}; the lesson states: {}", failure, kernel.failure);
}

}  // namespace

std::vector<LessonProof> verify_lesson(const Lesson& lesson) {
    std::vector<LessonProof> proofs;
    const auto prove = [&](std::string_view what, const std::vector<LessonKernel>& kernels) {
        std::size_t number = 0;
        for (const LessonKernel& each : kernels) {
            ++number;
            if (can_run(each.file.language))
                proofs.push_back({fmt::format("{} {} in {}", what, number, name(each.file.language)),
                                  fault_of_kernel(lesson, each)});
        }
    };
    prove("start", lesson.starts), prove("solution", lesson.solutions), prove("mistake", lesson.mistakes);
    return proofs;
}

}  // namespace orrery
