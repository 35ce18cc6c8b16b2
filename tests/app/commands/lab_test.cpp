// SPDX-License-Identifier: MIT
// `lab`, and the published maps on the command line.
#include <algorithm>
#include <csignal>

#include "app/lab/papers.hpp"
#include "core/base/error.hpp"
#include "core/maps/maps.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class LabCommand : public CommandTest {};

TEST_F(LabCommand, ReportsTheRangeOfPublishedForms) {
    const auto rows = json({"lab", "--experiment", "exactness", "--backend", "cpu", "--json", "--csv", "exactness.csv",
                            "--roots", "sqrt,newton"});
    ASSERT_EQ(rows.size(), 15u)
        << "lambda, lambda4, utm and three published forms with two roots; three with their own";
    for (const auto& row : rows) {
        EXPECT_EQ(row.at("experiment"), "exactness");
        EXPECT_EQ(row.at("backend"), "cpu");
        for (const char* key : {"map", "root", "device", "commit"}) EXPECT_TRUE(row.at(key).is_string()) << key;
        if (row["map"] != "lambda-published" || row["root"] != "newton") continue;
        EXPECT_EQ(row.at("first_wrong"), exact_rows(map("lambda-published"), root_id<NewtonRoot>, Backend::kCpu));
        EXPECT_EQ(row.at("claimed_bodies"), 30720);
        EXPECT_EQ(row.at("claim_holds"), row["bodies"] >= 30720);
    }
    const auto csv = csv_rows(content(path("exactness.csv")));
    ASSERT_EQ(csv.size(), 16u);
    EXPECT_EQ(csv[0][0], "experiment");
    for (const auto& row : csv) EXPECT_EQ(row.size(), csv[0].size());
}

TEST_F(LabCommand, PrintsATableAndRefusesUnknownExperiments) {
    const Finished text =
        orrery({"lab", "--experiment", "exactness", "--backend", "cpu", "--maps", "lambda,lambda-offset"});
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* word : {"lambda-offset", "newton", "1622", "none", "claim"})
        EXPECT_THAT(text.out, testing::HasSubstr(word));
    const Finished none = orrery({"lab", "--experiment", "nosuch"});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.error_lines(), 1u) << none.err;
    EXPECT_THAT(none.err, testing::HasSubstr("exactness"));
    const Finished cuda = orrery({"lab", "--backend", "cuda"}, {.environment = {{"CUDA_VISIBLE_DEVICES", "-1"}}});
    EXPECT_EQ(cuda.code, 3) << cuda.err;
    EXPECT_EQ(cuda.error_lines(), 1u) << cuda.err;
}

TEST_F(LabCommand, ReportsInterruption) {
    const Finished lab =
        orrery({"lab", "--experiment", "dummy", "--backend", "cpu", "--repeat", "100", "--csv", "rows.csv"},
               {.signal_when = "rows.csv"});
    EXPECT_EQ(lab.code, 128 + SIGINT) << lab.err;
    EXPECT_THAT(lab.err, testing::HasSubstr("; the same command measures the rest"));
}

const std::vector<std::string> kSmall{"lab",       "--experiment", "edm",  "--backend",  "cpu",     "--maps",
                                      "lambda,rb", "--roots",      "sqrt", "--bodies",   "200,300", "--rho",
                                      "8",         "--repeat",     "3",    "--features", "4",       "--json"};

std::vector<std::string> with(std::vector<std::string> all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST_F(LabCommand, TimesMapsAndDescribesEachMeasurement) {
    const auto rows = json(with(kSmall, {"--svg", path("plots").string()}));
    ASSERT_EQ(rows.size(), 6u);
    const std::vector<std::string> names{"experiment", "backend", "map",       "root",         "rho",    "bodies",
                                         "dimensions", "repeat",  "median_ms", "min_ms",       "p90_ms", "improvement",
                                         "verified",   "why",     "clock_mhz", "exact_bodies", "p10_ms", "strip",
                                         "device",     "driver",  "compiler",  "version",      "commit"};
    for (const auto& row : rows) {
        std::vector<std::string> found;
        for (const auto& [key, value] : row.items()) found.push_back(key);
        EXPECT_THAT(found, testing::UnorderedElementsAreArray(names)) << "scripts depend on these names";
        EXPECT_EQ(row.at("rho"), 8);
        EXPECT_EQ(row.at("dimensions"), 4);
        EXPECT_EQ(row.at("repeat"), 3);
        EXPECT_EQ(row.at("verified"), true);
        EXPECT_GT(row.at("improvement"), 0);
        EXPECT_TRUE(row.at("clock_mhz").is_null());
    }
    EXPECT_EQ(rows[1].at("map"), "lambda");
    EXPECT_EQ(rows[1].at("root"), "sqrt");
    for (const char* figure : {"figure-5.svg", "edm.svg"})
        EXPECT_THAT(content(path("plots") / figure), testing::EndsWith("</svg>\n"));
}

/// A file written before the 10th percentile existed.
TEST_F(LabCommand, KeepsTheRowsOfFilesWithoutALaterColumn) {
    const auto resumed = with(kSmall, {"--csv", path("lab.csv").string()});
    const auto first = json(resumed);
    auto lines = csv_rows(content(path("lab.csv")));
    const auto last = static_cast<std::size_t>(std::ranges::find(lines[0], "p10_ms") - lines[0].begin());
    std::string older;
    for (auto& line : lines) {
        ASSERT_LT(last, line.size());
        line.erase(line.begin() + static_cast<std::ptrdiff_t>(last));
        for (std::size_t i = 0; i < line.size(); ++i) older += (i > 0 ? ",\"" : "\"") + line[i] + "\"";
        older += '\n';
    }
    save("lab.csv", older);
    const auto second = json(resumed);
    ASSERT_EQ(second.size(), first.size());
    for (std::size_t i = 0; i < second.size(); ++i) {
        EXPECT_EQ(second[i].at("median_ms"), first[i].at("median_ms"));
        EXPECT_TRUE(second[i].at("p10_ms").is_null());
    }
}

TEST_F(LabCommand, ResumesFromTheCsvFile) {
    const auto resumed = with(kSmall, {"--csv", path("lab.csv").string()});
    const auto first = json(resumed);
    auto lines = csv_rows(content(path("lab.csv")));
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(json(resumed), first) << "nothing is measured again: all numbers are equal";
    // A row of another commit and half a row: the first is kept, the second is measured again.
    std::string text = content(path("lab.csv"));
    text.resize(text.rfind('\n', text.size() - 2) + 1);
    const std::size_t header = text.find('\n') + 1;
    std::string other = text.substr(header, text.find('\n', header) + 1 - header);
    const std::size_t last_comma = other.rfind(',');
    other.replace(last_comma, std::string::npos, ",another\n");
    save("lab.csv", text + other);
    const auto second = json(resumed);
    ASSERT_EQ(second.size(), 6u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(second[i], first[i]);
    EXPECT_NE(second[3].at("median_ms").dump() + second[4].at("median_ms").dump() + second[5].at("median_ms").dump(),
              first[3].at("median_ms").dump() + first[4].at("median_ms").dump() + first[5].at("median_ms").dump());
    lines = csv_rows(content(path("lab.csv")));
    EXPECT_EQ(lines.size(), 8u);
    EXPECT_THAT(content(path("lab.csv")), testing::HasSubstr(",another"));
}

TEST_F(LabCommand, DoesNotOverwriteForeignFiles) {
    const auto file = save("bodies.csv", "x,y\n1,2\n");
    const Finished finished = orrery(with(kSmall, {"--csv", file.string()}));
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("line 1"));
    EXPECT_EQ(content(file), "x,y\n1,2\n");
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {"--rho", "12"}, {"--maps", "nosuch"}, {"--bodies", "70000"}, {"--features", "5"}}) {
        const Finished refused = orrery(with({"lab", "--experiment", "edm", "--backend", "cpu"}, wrong));
        EXPECT_EQ(refused.code, 2) << wrong[0];
        EXPECT_EQ(refused.error_lines(), 1u) << refused.err;
    }
}

/// A published form is timed on request and marked beyond its range; a request that measures nothing is refused.
TEST_F(LabCommand, MarksPublishedFormsBeyondTheirRange) {
    const auto rows = json({"lab", "--experiment", "dummy", "--backend", "cpu", "--maps", "lambda-published", "--roots",
                            "newton", "--bodies", "1024,12977", "--rho", "8", "--repeat", "1", "--json"});
    ASSERT_EQ(rows.size(), 4u) << "bb and the map, at two sizes";
    EXPECT_EQ(rows[1].at("verified"), true);
    EXPECT_EQ(rows[1].at("exact_bodies"), 8 * 1622);
    EXPECT_EQ(rows[3].at("verified"), false);
    EXPECT_THAT(rows[3].at("why").get<std::string>(), testing::StartsWith("exact only up to N = 12976"));
    EXPECT_TRUE(rows[3].at("improvement").is_null());
    for (const char* experiment : {"dummy", "triplet", "exactness"}) {
        const Finished nothing = orrery({"lab", "--experiment", experiment, "--backend", "cpu", "--maps",
                                         std::string{experiment} == "triplet" ? "rb" : "lambda3"});
        EXPECT_EQ(nothing.code, 2) << experiment;
        EXPECT_EQ(nothing.error_lines(), 1u) << nothing.err;
        EXPECT_THAT(nothing.err, testing::HasSubstr("nothing to measure"));
    }
}

TEST_F(LabCommand, MeasuresTheDataOfAPaperFigure) {
    const Finished done = orrery({"lab", "--figure", "003:3,004:3.2", "--backend", "cpu", "--bodies", "256", "--repeat",
                                  "1", "--csv", path("lab.csv").string()});
    EXPECT_EQ(done.code, 0) << done.err;
    const std::string table = content(path("lab.csv"));
    for (const char* words : {"roots,", "waste,", "programs,", "lambda-published-grid", "build_ms"})
        EXPECT_THAT(table, testing::HasSubstr(words));
    const Finished drawing = orrery({"lab", "--figure", "001:4"});
    EXPECT_EQ(drawing.code, 0) << drawing.err;
    const Finished none = orrery({"lab", "--figure", "001:9"});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.error_lines(), 1u) << none.err;
    EXPECT_THAT(none.err, testing::HasSubstr("001:3"));
}

TEST(PaperFigures, HaveIdsAndRequirements) {
    EXPECT_THROW(paper_needs({"001:9"}, {}), Error);
    EXPECT_THROW(paper_needs({"001"}, {}), Error);
    const std::vector<std::string> ids = paper_ids();
    for (const char* id : {"001:3", "001:5", "003:3", "003:5", "002:31-5", "002:31-8", "004:3.1", "004:3.6"})
        EXPECT_EQ(std::ranges::count(ids, id), 1) << id;
    for (const auto& [experiment, config] : paper_needs({"all"}, {})) {
        const auto forms = forms_of(experiment);
        for (const std::string& map : config.maps) {
            const bool known = forms.empty() || std::ranges::find(forms, map) != forms.end();
            EXPECT_TRUE(known) << experiment << ' ' << map;
        }
    }
    const auto needs = paper_needs({"000:5", "003:5"}, {});
    EXPECT_EQ(needs.size(), 3u) << "dummy, edm and collision-rows";
    EXPECT_EQ(needs.at("edm").features, (std::vector{4, 1, 2, 3}));
    EXPECT_EQ(std::ranges::count(needs.at("dummy").maps, "lambda-published-grid"), 1);
}

/// A line for each experiment of a figure, with forms that the experiment has.
TEST(PaperFigures, AreChoicesOfOneExperimentEach) {
    std::size_t of_001_5 = 0;
    for (const PaperChoice& choice : paper_choices()) {
        EXPECT_FALSE(choice.title.empty()) << choice.id;
        const auto forms = forms_of(choice.experiment);
        for (const std::string& map : choice.config.maps)
            EXPECT_TRUE(forms.empty() || std::ranges::find(forms, map) != forms.end()) << choice.id << ' ' << map;
        of_001_5 += choice.id == "001:5";
    }
    EXPECT_EQ(of_001_5, 3u) << "dummy, edm and collision-rows";
}

/// Each number of tiles per block is a row, also of a resumed file.
TEST_F(LabCommand, MeasuresStripsOfSeveralLengths) {
    const std::vector<std::string> strips{"lab",
                                          "--experiment",
                                          "edm",
                                          "--backend",
                                          "cpu",
                                          "--maps",
                                          "bb-strip,lambda-strip",
                                          "--strip",
                                          "2,4",
                                          "--bodies",
                                          "300",
                                          "--features",
                                          "4",
                                          "--repeat",
                                          "2",
                                          "--json",
                                          "--csv",
                                          path("lab.csv").string(),
                                          "--svg",
                                          path("plots").string()};
    const auto rows = json(strips);
    ASSERT_EQ(rows.size(), 5u) << "bb, and two forms with two lengths";
    EXPECT_TRUE(rows[0].at("strip").is_null());
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at("strip"), i % 2 ? 2 : 4);
        EXPECT_EQ(rows[i].at("verified"), true);
    }
    EXPECT_THAT(content(path("plots") / "strips.svg"), testing::HasSubstr("k, tiles per block"));
    EXPECT_EQ(json(strips), rows) << "nothing is measured again";
    const Finished none = orrery({"lab", "--experiment", "dummy", "--backend", "cpu", "--strip", "0"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, testing::HasSubstr("expected 1 to 1024"));
}

TEST_F(LabCommand, StripsAreChosenByMeasurement) {
    const std::vector<std::string> base{"lab",    "--experiment", "edm",      "--backend", "cpu",
                                        "--maps", "bb-strip",     "--bodies", "200",       "--features",
                                        "1",      "--repeat",     "1",        "--strip"};
    std::vector<std::string> words = base;
    words.push_back("auto");
    const Finished measured = orrery(words);
    EXPECT_EQ(measured.code, 0) << measured.err;
    EXPECT_THAT(measured.out, testing::HasSubstr("bb-strip, dimensions 1, N = 200: fastest with k = "));
    words.back() = "many";
    const Finished refused = orrery(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, testing::HasSubstr("or auto, found 'many'"));
}

TEST_F(LabCommand, PublishedMapsRunOnlyWithinTheirRange) {
    const std::vector<std::string> half{"bench", "--engines", "half", "--backend", "cpu",    "--rows",
                                        "16",    "--repeat",  "1",    "--root",    "newton", "--json"};
    const auto with = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> all = half;
        all.insert(all.end(), more);
        return all;
    };
    const auto rows = json(with({"--map", "lambda-published", "--bodies", "2000"}));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("map"), "lambda-published");
    EXPECT_EQ(rows[0].at("root"), "newton");
    EXPECT_LT(rows[0].at("rms_error"), 2e-6);
    const Finished beyond = orrery(with({"--map", "lambda-published", "--bodies", "25953"}));
    EXPECT_EQ(beyond.code, 2);
    EXPECT_THAT(beyond.err, testing::HasSubstr("1622"));
    const auto strict = json(with({"--map", "lambda-strict", "--bodies", "2000"}));
    EXPECT_LT(strict[0].at("rms_error"), 2e-6);
}

}  // namespace
}  // namespace orrery::test
