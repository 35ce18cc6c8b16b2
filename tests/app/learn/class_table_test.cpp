// SPDX-License-Identifier: MIT
#include "app/learn/progress.hpp"

#include <gmock/gmock.h>

#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

LessonRecord record(std::string id, double share, bool passed) {
    return {.id = std::move(id),
            .title = "A title",
            .attempts = 2,
            .passed = passed,
            .language = "glsl",
            .device = "Card <1> & co",
            .house = "direct",
            .share = share,
            .target = 0.5,
            .date = "2026-03-01"};
}

class ClassTable : public Scratch {};

TEST_F(ClassTable, ReadsEveryResultOfAFolderByName) {
    save("b.json", LearnResult{"Anna", {record("naive", 0.7, true)}}.json());
    save("a.json", LearnResult{"", {record("tile", 0.2, false)}}.json());
    save("notes.txt", "no result");
    const auto results = read_class(path("."));
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].learner, "Anna");
    EXPECT_EQ(results[1].learner, "a") << "without a name, that of the file";
    EXPECT_EQ(results[0].find("naive")->share, 0.7);
    EXPECT_EQ(results[0].find("tile"), nullptr);
    save("c.json", "{}");
    EXPECT_THROW(read_class(path(".")), Error);
}

TEST_F(ClassTable, RefusesAFolderWithoutResults) {
    EXPECT_THROW(read_class(path(".")), Error);
    EXPECT_THROW(read_class(path("missing")), Error);
}

TEST_F(ClassTable, NamesLearnersDevicesAndLessons) {
    const std::vector<LearnResult> results{{"Anna", {record("naive", 0.7, true)}},
                                           {"Böll <b>", {record("naive", 0.2, false), record("tile", 0, false)}}};
    const std::string svg = class_svg(results);
    for (const char* const part : {"Anna", "Böll &lt;b&gt;", "Card &lt;1&gt; &amp; co", ">naive<", "1 of 2 passed",
                                   "0 of 2 passed", "0.7 passed", ">0.2<", "2 attempts"})
        EXPECT_THAT(svg, HasSubstr(part));
    EXPECT_THAT(svg, testing::StartsWith("<svg"));
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
    EXPECT_EQ(class_csv({results[0]}),
              "learner,lesson,passed,attempts,language,share,target,compared_with,device,date\n"
              "Anna,naive,1,2,glsl,0.7,0.5,direct,Card <1> & co,2026-03-01\n");
}

TEST(LearnResult, KeepsTheFastestKernelThatPassed) {
    const Lesson lesson{.id = "naive", .title = "The naive loop"};
    const KernelFile file{.language = KernelLanguage::kGlsl};
    const auto verdict = [](double share, double target) {
        LessonVerdict made{.device = "a card"};
        made.speed = LessonSpeed{.times = {1, 1, share}, .house = "direct", .target = target};
        return made;
    };
    LearnResult result;
    result.add(lesson, file, {});  // a test has failed
    EXPECT_FALSE(result.find("naive")->passed);
    result.add(lesson, file, verdict(0.2, 0.5));
    EXPECT_FALSE(result.find("naive")->passed);
    EXPECT_EQ(result.find("naive")->share, 0.2);
    for (const double share : {0.7, 0.6, 0.1}) result.add(lesson, file, verdict(share, 0.5));
    result.add(lesson, file, {});
    const LessonRecord& kept = *result.find("naive");
    EXPECT_TRUE(kept.passed);
    EXPECT_EQ(kept.share, 0.7);
    EXPECT_EQ(kept.attempts, 6);
    EXPECT_EQ(kept.language, "glsl");
    EXPECT_EQ(parse_result(result.json(), "x").json(), result.json());
}

}  // namespace
}  // namespace orrery::test
