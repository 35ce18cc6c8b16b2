// SPDX-License-Identifier: MIT
// Command lines as people type them: typing errors, hints, counts, help and pipes.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Typing : public CommandTest {
protected:
    /// Splits "orrery list presets" into words and drops the first.
    static std::vector<std::string> arguments_of(const std::string& command) {
        std::istringstream text{command};
        std::vector<std::string> words;
        for (std::string word; text >> word;) words.push_back(word);
        return {words.begin() + 1, words.end()};
    }
    /// All commands between backquotes.
    static std::set<std::string> hints_in(const std::string& text) {
        static const std::regex hint{"`(orrery[^`]*)`"};
        std::set<std::string> hints;
        for (std::sregex_iterator it{text.begin(), text.end(), hint}, end; it != end; ++it) hints.insert((*it)[1]);
        return hints;
    }
    std::string error_of(const std::vector<std::string>& arguments) const {
        const Finished finished = orrery(arguments);
        EXPECT_EQ(finished.code, 2) << finished.err;
        EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
        return finished.err;
    }
    void expect_error(const std::vector<std::string>& arguments, const std::string& part) const {
        EXPECT_THAT(error_of(arguments), HasSubstr(part));
    }
};

TEST_F(Typing, EveryHintedCommandWorks) {
    std::set<std::string> hints;
    for (const std::vector<std::string>& slip :
         std::vector<std::vector<std::string>>{{"run", "no-such-scene", "--steps", "1"},
                                               {"run", "nope.tipsy", "--steps", "1"},
                                               {"run", "plummer", "--engine", "no-such", "--steps", "1"},
                                               {"run", "plummer", "--integrator", "no-such", "--steps", "1"},
                                               {"run", "plummer", "--law", "no-such", "--steps", "1"},
                                               {"run", "plummer", "--steps", "1", "-o", "end.nosuch"},
                                               {"run", "plummer", "--steps", "1", "--nosuch"},
                                               {"run", "plummer", "collision", "--steps", "1"},
                                               {"run", "plummer", "--steps", "many"},
                                               {"convert", "plummer", "a.csv", "--to", "no-such"},
                                               {"convert", "plummer", "-"},
                                               {"record", "plummer"},
                                               {"record", "plummer", "-o", "a.bmp"},
                                               {"record", "plummer", "-o", "a.png", "--color-map", "no-such"},
                                               {"plot", "plummer", "no-such"},
                                               {"lab", "--experiment", "no-such"},
                                               {"bench", "--sweep", "no-such"},
                                               {"list", "no-such"},
                                               {"help", "no-such"},
                                               {"--no-such"},
                                               {"recrod"}})
        for (const std::string& hint : hints_in(error_of(slip))) hints.insert(hint);
    EXPECT_THAT(hints, testing::Contains("orrery list presets"));
    for (const std::string& hint : hints) {
        const Finished followed = orrery(arguments_of(hint));
        EXPECT_EQ(followed.code, 0) << hint << ": " << followed.err;
        EXPECT_THAT(followed.out, Not(IsEmpty())) << hint;
    }
}

/// Includes the hints of messages that none of the errors above triggers.
TEST_F(Typing, EveryListNamedInTheSourcesExists) {
    const std::filesystem::path root = std::filesystem::path{ORRERY_CORPUS}.parent_path().parent_path().parent_path();
    std::set<std::string> named;
    for (const char* folder : {"app", "core"})
        for (const auto& file : std::filesystem::recursive_directory_iterator{root / folder}) {
            if (file.path().extension() != ".cpp") continue;
            std::stringstream text;
            text << std::ifstream{file.path()}.rdbuf();
            for (const std::string& hint : hints_in(text.str()))
                if (hint.starts_with("orrery list") || hint == "orrery info") named.insert(hint);
        }
    EXPECT_THAT(named, testing::Contains("orrery list presets"));
    for (const std::string& hint : named) EXPECT_EQ(orrery(arguments_of(hint)).code, 0) << hint;
}

TEST_F(Typing, ListAcceptsAMenu) {
    const auto all = json({"list", "--json"});
    for (const auto& [menu, entries] : all.items()) EXPECT_EQ(json({"list", menu, "--json"}), entries) << menu;
    const Finished presets = orrery({"list", "presets"});
    EXPECT_EQ(presets.code, 0);
    EXPECT_THAT(presets.out,
                testing::AllOf(HasSubstr("collision"), HasSubstr("\nplummer"), Not(HasSubstr("leapfrog"))));
    expect_error({"list", "preset"}, "(did you mean 'presets'?)");
}

TEST_F(Typing, TypingErrorsGetASuggestion) {
    expect_error({"recrod", "collision"}, R"(no command, preset or file "recrod" (did you mean "record"?))");
    expect_error({"colision"}, R"((did you mean "collision"?))");
    expect_error({"run", "plummer", "--step", "5"}, "orrery run has no option --step (did you mean '--steps'?)");
    expect_error({"plummer", "--steps", "5"}, "orrery has no option --steps (it is an option of record, run)");
    expect_error({"run", "plummer", "b", "a", "--steps", "5"}, "unexpected arguments b a;");
    expect_error({"run", "plummer", "--engine", "tre", "--steps", "5"}, "(did you mean 'tree'?)");
    expect_error({"bench", "--engines", "direct,tre"}, "(did you mean 'tree'?)");
    expect_error({"run", "plummer", "--integrator", "leapfrg", "--steps", "5"}, "(did you mean 'leapfrog'?)");
    expect_error({"plot", "plummer", "rotation"}, "(did you mean 'rotation-curve'?)");
    expect_error({"bench", "--sweep", "til"},
                 "expected one of n, tile, map, strip, theta, found til (did you mean 'tile'?)");
    expect_error({"lab", "--experiment", "dumy"}, "(did you mean 'dummy'?)");
    expect_error({"help", "recrod"}, "(did you mean 'record'?)");
    expect_error({"convert", "nope.tipsy", "x.csv"}, "nope.tipsy: no such file");
}

TEST_F(Typing, IdsAreCaseInsensitive) {
    const auto run = json({"run", "Plummer", "--bodies", "64", "--engine", "Tree", "--backend", "CPU", "--precision",
                           "Double", "--integrator", "LeapFrog", "--steps", "1", "--json"});
    EXPECT_EQ(run.at("scene"), "plummer");
    EXPECT_EQ(run.at("engine"), "tree");
    EXPECT_EQ(run.at("precision"), "double");
    save("PLUMMER", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n");
    EXPECT_EQ(json({"run", "PLUMMER", "--steps", "1", "--json"}).at("bodies"), 2)
        << "a file has priority over a preset";
}

TEST_F(Typing, CountsAcceptSuffixesPowersAndExponents) {
    EXPECT_EQ(json({"run", "plummer", "--bodies", "0.1k", "--steps", "2e0", "--json"}).at("bodies"), 100);
    EXPECT_EQ(json({"run", "plummer", "--bodies", "1e2", "--steps", "1", "--json"}).at("bodies"), 100);
    EXPECT_EQ(
        json({"bench", "--bodies", "0.1k,2^6", "--engines", "direct", "--backend", "cpu", "--repeat", "1", "--json"})[1]
            .at("bodies"),
        64);
    expect_error({"run", "plummer", "--bodies", "1.5", "--steps", "1"}, "--bodies");
    expect_error({"run", "plummer", "--bodies", "20q", "--steps", "1"}, "found 20q");
}

/// Checks the width of every line except those that must not be wrapped: examples, single words and commands.
void expect_lines(const std::string& text, std::size_t columns) {
    std::istringstream lines{text};
    bool examples = false;
    for (std::string line; std::getline(lines, line);) {
        examples = line == "Examples:" || (examples && line.starts_with("  "));
        const bool one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
        const auto width =
            std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
        if (!examples && !one_word && !line.starts_with("  ssh ") && !line.starts_with("Usage:")) {
            EXPECT_LE(static_cast<std::size_t>(width), columns) << line;
        }
    }
}

TEST_F(Typing, HelpIsShortGroupedAndFitsTheTerminal) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{}, {"run"}, {"record"}, {"bench"}, {"frames"}, {"plot"}, {"serve"}}) {
        const auto with = [&](const std::string& more) {
            std::vector<std::string> all = command;
            all.push_back(more);
            return all;
        };
        const std::string brief = orrery(with("--help")).out, whole = orrery(with("--help-all")).out;
        const std::string narrow = orrery(with("--help-all"), {.environment = {{"COLUMNS", "50"}}}).out;
        expect_lines(brief, 80), expect_lines(whole, 80), expect_lines(narrow, 50);
        for (const std::string& text : {brief, whole}) {
            for (const char* mark : {"{false}", "{", " in [", "TEXT:", "FLOAT", "UINT", "POSITIVE", "OPTIONS] …:"})
                EXPECT_THAT(text, Not(HasSubstr(mark)));
            EXPECT_THAT(text, Not(HasSubstr("cold-sphere"))) << "presets are listed by `orrery list presets`";
        }
        EXPECT_LT(brief.size(), whole.size());
        EXPECT_THAT(whole, testing::AllOf(HasSubstr("\nScene:\n"), HasSubstr("\nOptions:\n")));
    }
    const std::string record = orrery({"record", "--help"}).out;
    EXPECT_LT(std::ranges::count(record, '\n'), 110) << "help is too long";
    for (const char* group : {"\nScene:\n", "\nSteps:\n", "\nEngine:\n", "\nView:\n", "\nOutput:\n"})
        EXPECT_THAT(record, HasSubstr(group));
    EXPECT_EQ(orrery({"help", "record"}).out, record);
    EXPECT_EQ(orrery({"help"}).out, orrery({"--help"}).out);
    EXPECT_EQ(orrery({"-V"}).out, orrery({"--version"}).out);
}

TEST_F(Typing, ManualContainsOptionsThatHelpOmits) {
    ASSERT_EQ(write_manual(path("share").string()).code, 0);
    const std::string run = content(path("share/man/man1/orrery-run.1"));
    EXPECT_THAT(run, testing::AllOf(HasSubstr("cold\\-sphere"), HasSubstr("\\-\\-tile\\-k")));
    const std::string serve = content(path("share/man/man1/orrery-serve.1"));
    const std::size_t through = serve.find("through"), line = serve.find("ssh \\-L"),
                      options = serve.find(".SH OPTIONS");
    EXPECT_TRUE(through < line && line < options) << "the command must follow its introduction";
}

TEST_F(Typing, QuietPrintsOnlyErrors) {
    const std::vector<std::string> run{"run", "plummer", "--bodies", "50", "--steps", "20", "--log-every", "0.000001s"};
    auto quiet = run;
    quiet.emplace_back("--quiet");
    EXPECT_THAT(orrery(run).err, Not(IsEmpty()));
    const Finished finished = orrery(quiet);
    EXPECT_EQ(finished.code, 0);
    EXPECT_THAT(finished.err, IsEmpty());
    EXPECT_THAT(finished.out, Not(IsEmpty()));
    EXPECT_THAT(error_of({"run", "nope.csv", "--steps", "1", "-q"}), HasSubstr("nope.csv"));
}

TEST_F(Typing, VerboseReportsChosenValues) {
    save("a.csv", "# orrery: dt=0.125\n1,0,0,0,0,0,0\n1,1,0,0,0,1,0\n");
    const std::vector<std::string> run{"run", "a.csv", "--steps", "2", "--log-every", "0"};
    auto verbose = run;
    verbose.emplace_back("-v");
    const Finished plain = orrery(run), told = orrery(verbose);
    EXPECT_EQ(told.code, 0);
    EXPECT_THAT(plain.err, Not(HasSubstr("read as")));
    EXPECT_THAT(told.err,
                AllOf(HasSubstr("a.csv: 2 bodies, read as CSV in "), HasSubstr("(estimated from the bodies)"),
                      HasSubstr("dt 0.125 (stated)"), HasSubstr("engine direct on "), HasSubstr("run took ")));
    EXPECT_THAT(orrery({"convert", "a.csv", "b.csv", "--verbose"}).err, HasSubstr("read as CSV"));
    EXPECT_THAT(error_of({"run", "a.csv", "--steps", "1", "-q", "-v"}), HasSubstr("--verbose"));
}

TEST_F(Typing, ConvertReadsAndWritesPipes) {
    ASSERT_EQ(orrery({"convert", "figure-eight", "a.csv"}).code, 0);
    const Finished written = orrery({"convert", "figure-eight", "-", "--to", "csv"});
    EXPECT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(written.out, content(path("a.csv"))) << "only the file";
    EXPECT_EQ(orrery({"convert", "figure-eight", "-o", "/dev/stdout", "--to", "csv"}).out, written.out);
    const Finished read = orrery({"convert", "-", "-", "--to", "csv"}, {.in = path("a.csv").string()});
    EXPECT_EQ(read.code, 0) << read.err;
    EXPECT_EQ(csv_rows(read.out).back(), csv_rows(written.out).back());
    expect_error({"convert", "figure-eight", "-"}, "name the format: --to csv");
}

TEST_F(Typing, ClosedPipeIsNotAnError) {
    const Finished list = orrery({"list", "--json"}, {.without_reader = true});
    EXPECT_EQ(list.code, 128 + SIGPIPE) << "as for other programs";
    EXPECT_THAT(list.err, IsEmpty());
}

}  // namespace
}  // namespace orrery::test
