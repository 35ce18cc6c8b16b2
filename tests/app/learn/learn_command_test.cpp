// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "core/kernels/compiler.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class LearnCommand : public CommandTest {
protected:
    void SetUp() override {
        if (!why_no_kernel_compiler().empty()) GTEST_SKIP() << why_no_kernel_compiler();
    }
    /// With state and lessons of its own.
    Finished learn(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "learn");
        return orrery(arguments, {.environment = {{"XDG_STATE_HOME", path("state").string()},
                                                  {"XDG_DATA_HOME", path("data").string()}}});
    }
};

TEST_F(LearnCommand, LeadsFromTheListToAPassedLessonAndAClassTable) {
    EXPECT_THAT(learn({}).out, testing::ContainsRegex("6 +lambda +λ.*c\\+\\+, glsl"));
    const Finished text = learn({"lambda"});
    EXPECT_THAT(text.out, HasSubstr("6. λ(ω)"));
    EXPECT_THAT(text.out, HasSubstr("each tile has one block, up to 4096 rows"));
    EXPECT_EQ(learn({"6"}).out, text.out);

    const Finished start = learn({"6", "--start"});
    ASSERT_EQ(start.code, 0) << start.err;
    EXPECT_THAT(content(path("lambda.cpp")), HasSubstr("The hole"));
    const Finished again = learn({"6", "--start"});
    EXPECT_EQ(again.code, 2) << "a file is not replaced";
    EXPECT_THAT(again.err, HasSubstr("lambda.cpp exists"));

    const Finished failed = learn({"6", "--check", "lambda.cpp"});
    EXPECT_EQ(failed.code, 1);
    EXPECT_THAT(failed.out, HasSubstr("WRONG  each tile has one block, up to 4096 rows: wrong at 31 rows"));
    EXPECT_THAT(failed.out, Not(HasSubstr("of the speed of")));
    EXPECT_THAT(learn({}).out, HasSubstr("1 attempt\n"));

    EXPECT_THAT(learn({"6", "--hint", "2"}).out, HasSubstr("T(i) ≤ k"));
    save("lambda.cpp", learn({"6", "--solution"}).out);
    const Finished passed = learn({"6", "--check", "lambda.cpp"});
    EXPECT_EQ(passed.code, 0) << passed.out << passed.err;
    EXPECT_THAT(passed.out, HasSubstr("of the speed of half with the map bb, the target is 0.5"));
    EXPECT_THAT(learn({}).out, HasSubstr("passed, "));

    std::filesystem::create_directory(path("class"));
    ASSERT_EQ(learn({"--result", "class/anna.json", "--name", "Anna"}).code, 0);
    const auto result = nlohmann::json::parse(content(path("class/anna.json")));
    EXPECT_EQ(result.at("learner"), "Anna");
    EXPECT_EQ(result.at("lessons").at(0).at("attempts"), 2);
    EXPECT_FALSE(result.at("lessons").at(0).at("device").get<std::string>().empty());
    ASSERT_EQ(learn({"--collect", "class", "-o", "class.svg"}).code, 0);
    EXPECT_THAT(content(path("class.svg")), HasSubstr("Anna"));
}

TEST_F(LearnCommand, MarksACompileErrorWithTheLineOfTheFile) {
    ASSERT_EQ(learn({"1", "--start", "own.cpp"}).code, 0);
    std::string text = content(path("own.cpp"));
    text.insert(text.find("// The hole"), "charm;\n");
    save("own.cpp", text);
    const Finished checked = learn({"naive", "--check", "own.cpp"});
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.out, HasSubstr("WRONG  compiles and passes its trial: own.cpp:11: "));
}

TEST_F(LearnCommand, VerifiesTheLessonOfATeacher) {
    const std::string map =
        "//! kind = map\n//! language = c++\n#include <orrery/kernel.h>\n"
        "orrery::Grid grid(std::uint32_t rows, const Parameters<double>&) { return {rows, rows}; }\n"
        "orrery::Tile tile(std::uint64_t x, std::uint64_t y, std::uint32_t, const "
        "Parameters<double>&) { return {std::uint32_t(y), std::uint32_t(x)}; }\n";
    const std::string kernel = "```c++\n" + map + "```\n", hints = "## Hint\na\n## Hint\nb\n## Hint\nc\n";
    std::filesystem::create_directories(path("data/orrery/lessons"));
    save("data/orrery/lessons/own.md",
         "---\ntitle = Own\ntest = tiles 64\ntest = waste 100 10\n---\ntext\n## Start: "
         "tiles missing\n" +
             kernel + hints + "## Mistake: have no tile\n" + kernel + "## Solution\n" + kernel);
    const Finished verified = learn({"own", "--verify"});
    EXPECT_EQ(verified.code, 1);
    EXPECT_THAT(verified.out, HasSubstr("WRONG  own, start 1 in c++: fails with: at most 10 % of the blocks"));
    EXPECT_THAT(verified.out, HasSubstr("WRONG  own, solution 1 in c++: "));
    EXPECT_THAT(verified.out, HasSubstr("pass   own, mistake 1 in c++"));
    EXPECT_THAT(learn({}).out, HasSubstr("9  own")) << "lessons of a teacher follow the shipped ones";
}

TEST_F(LearnCommand, RefusesInvalidRequests) {
    save("pair.cpp", "//! kind = pair\n//! language = c++\n");
    save("state.txt", "");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"charm"},
                                                      {"9"},
                                                      {"--check", "pair.cpp"},
                                                      {"1", "--check", "missing.cpp"},
                                                      {"1", "--check", "pair.cpp"},
                                                      {"2", "--start", "--language", "c++"},
                                                      {"1", "--language", "charm", "--start"},
                                                      {"1", "--hint", "4"},
                                                      {"--result", "x.json"},
                                                      {"--collect", "missing", "-o", "x.svg"},
                                                      {"--collect", ".", "-o", "x.pdf"},
                                                      {"--collect", "."},
                                                      {"1", "--start", "--solution"},
                                                      {"--lessons", "missing"}}) {
        const Finished refused = learn(arguments);
        EXPECT_EQ(refused.code, 2) << arguments.back() << refused.out;
        EXPECT_EQ(refused.error_lines(), 1u) << refused.err;
    }
    std::filesystem::create_directories(path("state/orrery"));
    save("state/orrery/learn.json", "charm");
    const Finished damaged = learn({});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_THAT(damaged.err, HasSubstr("learn.json"));
}

}  // namespace
}  // namespace orrery::test
