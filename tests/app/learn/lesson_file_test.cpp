// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <string>

#include "app/learn/lesson.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view kMap =
    "//! kind = map\n//! language = glsl\nuvec2 grid(uint rows) { return uvec2(rows, rows); }\nuvec2 tile(uint x, uint "
    "y, uint rows) { return uvec2(y, x); }\n";

/// A whole lesson, with other lines in its head or behind its sections.
std::string lesson_text(std::string_view head = "", std::string_view end = "") {
    const std::string kernel = "```glsl\n" + std::string{kMap} + "```\n";
    return "---\ntitle = Own\ntest = tiles 10\n" + std::string{head} +
           "---\nThe text.\n```\n## no heading\n```\n\n## Start: missing\n" + kernel +
           "## Hint\none\n## Hint\ntwo\n## Hint\nthree\n## Mistake: twice\n" + kernel + "## Solution\n" + kernel +
           std::string{end};
}

std::string refusal_of_lesson(const std::string& text) {
    try {
        parse_lesson(text, "folder/own.md");
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

TEST(LessonFile, HasItsPartsInTheirSections) {
    const Lesson lesson = parse_lesson(lesson_text("target gl = 0.5\ntolerance = 1e-4\nagainst = start\n"), "a/own.md");
    EXPECT_EQ(lesson.id, "own");
    EXPECT_EQ(lesson.title, "Own");
    EXPECT_EQ(lesson.text, "The text.\n```\n## no heading\n```") << "headings within code are no sections";
    EXPECT_EQ(lesson.tolerance, 1e-4);
    EXPECT_EQ(lesson.targets.at("gl"), 0.5);
    EXPECT_TRUE(lesson.against_start);
    ASSERT_EQ(lesson.starts.size(), 1u);
    EXPECT_EQ(lesson.starts[0].file.text, kMap);
    EXPECT_EQ(lesson.starts[0].failure, "missing");
    EXPECT_EQ(lesson.mistakes.at(0).failure, "twice");
    EXPECT_EQ(lesson.solutions.at(0).failure, "");
    EXPECT_EQ(lesson.hints, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(LessonFile, IsRefusedWithTheLineOfTheProblem) {
    EXPECT_EQ(refusal_of_lesson(lesson_text()), "");
    const auto refused = [](std::string_view head, std::string_view why) {
        EXPECT_THAT(refusal_of_lesson(lesson_text(head)), HasSubstr(why)) << head;
    };
    refused("charm = 1\n", "folder/own.md:4: unknown key 'charm'");
    refused("charm\n", "folder/own.md:4: expected `key = value`");
    refused("tolerance = -1\n", "folder/own.md:4: expected a number above 0");
    refused("target moon = 1\n", "folder/own.md:4: target: expected one of cpu, cuda, gl, software");
    refused("against = time\n", "folder/own.md:4: against");
    refused("test = charm\n", "folder/own.md:4: test: expected one of bodies, tiles");
    refused("test = tiles 0\n", "folder/own.md:4: test tiles: expected a whole number from 1 to 4096, found '0'");
    refused("test = tiles\n", "folder/own.md:4: expected `test = tiles ROWS`");
    refused("test = waste 10 101\n", "folder/own.md:4: test waste: expected a percentage");
    refused("test = bodies 10 charm\n", "folder/own.md:4: no set of bodies 'charm': there are scattered");
    refused("test = bodies 10 scattered\n", "judges no kernel of kind map");
    refused("test = per-thread 4\n", "judges no kernel of kind map");

    const auto changed = [](std::string_view from, std::string_view to, std::string_view why) {
        EXPECT_THAT(refusal_of_lesson(replaced(lesson_text(), from, to)), HasSubstr(why)) << from << " → " << to;
    };
    changed("title = Own\n", "", "a lesson has a line `title = …`");
    changed("test = tiles 10\n", "", "a lesson has a line `test = …`");
    changed("## Start: missing", "## Charm", "own.md:10: expected a section Start, Hint, Solution or Mistake");
    changed("## Start: missing", "## Start", "own.md:10: expected `## Start: part of the message`");
    changed("## Hint\nthree\n", "", "3 sections Hint");
    changed("kind = map", "kind = charm", "own.md:12: own:1: kind");
    changed("## Solution\n```glsl\n" + std::string{kMap} + "```\n", "", "a solution in glsl");
    changed("## Mistake: twice\n```glsl\n" + std::string{kMap} + "```\n", "", "a section Mistake");
    EXPECT_THAT(refusal_of_lesson(lesson_text("", "## Solution\nno code\n")), HasSubstr("has a block of code"));
    EXPECT_THAT(refusal_of_lesson(""), HasSubstr("own.md:0: a lesson has a line `title"));
}

class LessonFolder : public Scratch {};

TEST_F(LessonFolder, AddsLessonsAndReplacesThoseOfTheSameName) {
    const auto shipped = all_lessons(path("."));
    save("zebra.md", lesson_text());
    save("lambda.md", lesson_text());
    save("notes.txt", "no lesson");
    const auto lessons = all_lessons(path("."));
    ASSERT_EQ(lessons.size(), shipped.size() + 1);
    EXPECT_EQ(lessons.back().id, "zebra");
    EXPECT_EQ(lessons[find_lesson(lessons, "lambda")].title, "Own");
    EXPECT_EQ(find_lesson(lessons, "1"), 0u);
    EXPECT_EQ(find_lesson(lessons, std::to_string(lessons.size())), shipped.size());
    EXPECT_THROW(find_lesson(lessons, "0"), Error);
    EXPECT_THROW(find_lesson(lessons, "charm"), Error);
    save("broken.md", "---\n");
    EXPECT_THROW(all_lessons(path(".")), Error);
    EXPECT_THROW(all_lessons(path("missing")), Error);
}

}  // namespace
}  // namespace orrery::test
