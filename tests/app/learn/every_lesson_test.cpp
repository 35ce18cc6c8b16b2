// SPDX-License-Identifier: MIT
// The shipped lessons: their starts and typical mistakes fail with the message that they state, their solutions pass.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "app/learn/judge.hpp"
#include "app/learn/lesson.hpp"
#include "core/base/error.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/prepared_kernel.hpp"

namespace orrery::test {
namespace {

class EveryLesson : public ::testing::TestWithParam<std::string> {
protected:
    const std::vector<Lesson> lessons = shipped_lessons();
    const Lesson& lesson = lessons[find_lesson(lessons, GetParam())];
};

TEST_P(EveryLesson, StartsAndMistakesFailAsStatedAndSolutionsPass) {
    const auto proofs = verify_lesson(lesson);
    std::size_t runnable = 0;
    for (const auto* const kernels : {&lesson.starts, &lesson.solutions, &lesson.mistakes})
        for (const LessonKernel& each : *kernels) runnable += can_run(each.file.language);
    EXPECT_EQ(proofs.size(), runnable);
    EXPECT_GT(runnable, 0u);
    for (const LessonProof& proof : proofs) EXPECT_EQ(proof.fault, "") << proof.kernel;
}

/// The kernels stay in the cache for StartsAndMistakesFailAsStatedAndSolutionsPass, during which no other test runs.
/// Without a device, those in CUDA are only compiled.
TEST_P(EveryLesson, KernelsCompile) {
    for (const auto* const kernels : {&lesson.starts, &lesson.solutions, &lesson.mistakes})
        for (const LessonKernel& each : *kernels) {
            if (each.file.language != KernelLanguage::kCuda) {
                if (!can_run(each.file.language)) continue;
                trust_kernel(each.file);
                try {
                    prepare_kernel(each.file);
                } catch (const Error& error) {
                    EXPECT_FALSE(each.failure.empty()) << each.file.title << ": " << error.what();
                }
                continue;
            }
            if (!why_no_nvrtc().empty()) continue;
            trust_kernel(each.file);
            EXPECT_FALSE(cuda_cubin(each.file, "float", "90").empty()) << each.file.title;
        }
}

TEST_P(EveryLesson, FitsOnAScreen) {
    EXPECT_LE(std::ranges::count(lesson.text, '\n'), 34);
    EXPECT_THAT(lesson.text, testing::HasSubstr("\n    ")) << "it has a picture or a formula";
    EXPECT_FALSE(lesson.targets.empty());
}

std::string lesson_name(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}
std::vector<std::string> lesson_ids() {
    std::vector<std::string> ids;
    for (const Lesson& each : shipped_lessons()) ids.push_back(each.id);
    return ids;
}
INSTANTIATE_TEST_SUITE_P(All, EveryLesson, ::testing::ValuesIn(lesson_ids()), lesson_name);

TEST(Lessons, FiveCanBeSolvedWithOpenGlAloneAndFiveInCpp) {
    int glsl = 0, cpp = 0;
    for (const Lesson& lesson : shipped_lessons())
        for (const LessonKernel& start : lesson.starts) {
            glsl += start.file.language == KernelLanguage::kGlsl;
            cpp += start.file.language == KernelLanguage::kCpp;
        }
    EXPECT_GE(glsl, 5);
    EXPECT_GE(cpp, 5);
}

}  // namespace
}  // namespace orrery::test
