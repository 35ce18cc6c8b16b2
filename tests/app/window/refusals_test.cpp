// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

struct Outcome {
    std::optional<int> code;
    std::string errors;
};

Outcome outcome(std::vector<std::string> arguments, const std::string& display) {
    const auto file = std::filesystem::path{testing::TempDir()} / ("refusal-" + std::to_string(getpid()) + ".txt");
    arguments.insert(arguments.begin(), ORRERY_PROGRAM);
    Outcome result;
    result.code = Child{
        {.command = std::move(arguments),
         .environment = {{"DISPLAY", display}, {"WAYLAND_DISPLAY", ""}},
         .errors =
             file}}.exit_code(patience());
    std::ostringstream text;
    text << std::ifstream{file}.rdbuf();
    result.errors = text.str();
    std::filesystem::remove(file);
    return result;
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

class RefusalsWindow : public WindowTest {};

TEST_F(RefusalsWindow, MissingDisplayIsReportedInOneLine) {
    const Outcome none = outcome({}, "");
    EXPECT_EQ(none.code, 3);
    EXPECT_EQ(std::ranges::count(none.errors, '\n'), 1) << none.errors;
    EXPECT_NE(none.errors.find("display"), std::string::npos) << none.errors;
    const Outcome dead = outcome({}, ":4711");
    EXPECT_EQ(dead.code, 3);
    EXPECT_NE(dead.errors.find(":4711"), std::string::npos) << dead.errors;
}

TEST_F(RefusalsWindow, UnknownSceneEndsTheProgram) {
    const Outcome unknown = outcome({"no-such-scene"}, display()->name());
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(last_line(unknown.errors).find("no-such-scene"), std::string::npos) << unknown.errors;
}

TEST_F(RefusalsWindow, UnwritableUiMapEndsTheProgram) {
    const Outcome unwritable = outcome({"plummer", "--ui-map", "/no/such/folder/map.json"}, display()->name());
    EXPECT_EQ(unwritable.code, 3);
    EXPECT_NE(last_line(unwritable.errors).find("/no/such/folder/map.json"), std::string::npos) << unwritable.errors;
}

}  // namespace
}  // namespace orrery::test
