// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "core/analysis/analyses.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

class PlotCommand : public CommandTest {};

TEST_F(PlotCommand, WritesEveryKindAsSvgAndCsv) {
    for (const AnalysisEntry& entry : analyses()) {
        std::vector<std::string> words{"plot", "plummer", std::string{entry.id}, "--bodies", "300", "-o", "x.svg",
                                       "-o",   "x.csv"};
        if (entry.id == "groups")
            words.insert(words.end(), {"--link", "1"});  // with the default link, so few bodies form
                                                         // no group of 20
        const Finished plot = orrery(words);
        ASSERT_EQ(plot.code, 0) << plot.err;
        EXPECT_THAT(plot.out, HasSubstr("of 300 bodies")) << entry.id;
        const std::string svg = content(path("x.svg"));
        EXPECT_THAT(svg, testing::StartsWith("<svg")) << entry.id;
        EXPECT_THAT(svg, HasSubstr("Plummer sphere: ")) << entry.id;
        const auto rows = csv_rows(content(path("x.csv")));
        ASSERT_GT(rows.size(), 1u) << entry.id;
        for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << entry.id;
    }
}

TEST_F(PlotCommand, ReadsFilesAndPrintsTheTableToStandardOutput) {
    save("a.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n1,2,0,0,0,0,0\n1,3,0,0,0,0,0\n");
    const Finished plot = orrery({"plot", "a.csv", "histogram", "--x", "x", "--centre", "origin", "--bins", "2",
                                  "--from", "0", "--to", "4", "--weight", "mass"});
    ASSERT_EQ(plot.code, 0) << plot.err;
    EXPECT_EQ(plot.out, "x_low,x_high,x,mass\n0,2,1,2\n2,4,3,2\n");
}

/// Bodies on both sides of the border of a box are close to each other.
TEST_F(PlotCommand, UsesNearestImagesInABox) {
    const std::string rows = "m,x,y,z,vx,vy,vz\n1,0.25,1,1,0,0,0\n1,3.75,1,1,0,0,0\n1,2.25,1,1,0,0,0\n";
    save("boxed.csv", "# orrery: box=4\n" + rows);
    save("free.csv", rows);
    const std::vector<std::string> bins{"--x", "r", "--bins", "2", "--from", "0", "--to", "2"};
    const auto counts = [&](const std::string& file, std::vector<std::string> more) {
        std::vector<std::string> words{"plot", file, "histogram"};
        words.insert(words.end(), bins.begin(), bins.end());
        words.insert(words.end(), more.begin(), more.end());
        return orrery(words);
    };
    const std::string expected = "r_low,r_high,r,bodies\n0,1,0.5,2\n1,2,1.5,1\n";
    EXPECT_EQ(counts("boxed.csv", {"--recentre", "0.25,1,1"}).out, expected);
    EXPECT_EQ(counts("boxed.csv", {"--recentre", "body 0"}).out, expected);
    EXPECT_EQ(counts("free.csv", {"--recentre", "0.25,1,1", "--box", "4"}).out, expected);
    EXPECT_THAT(counts("free.csv", {"--recentre", "0.25,1,1"}).err, HasSubstr("--box"));
    EXPECT_THAT(counts("boxed.csv", {"--recentre", "body 7"}).err, HasSubstr("no body with this id"));
    const auto groups = [&](const std::string& file, std::vector<std::string> more) {
        std::vector<std::string> words{"plot", file, "groups", "--link-length", "0.6", "--least", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return csv_rows(orrery(words).out).size() - 1;
    };
    EXPECT_EQ(groups("boxed.csv", {}), 2u);
    EXPECT_EQ(groups("boxed.csv", {"--period", "0"}), 3u);
    EXPECT_EQ(groups("free.csv", {}), 3u);
    EXPECT_EQ(orrery({"plot", "boxed.csv", "groups", "--recentre", "0,0,0"}).code, 2);
}

TEST_F(PlotCommand, RefusesInvalidArguments) {
    save("a.csv", "1,2,3,4,5,6,7\n");
    for (const std::vector<std::string>& rest : {std::vector<std::string>{"a.csv", "charm"},
                                                 {"missing.csv", "density"},
                                                 {"a.csv", "density", "-o", "x.pdf"},
                                                 {"a.csv", "density", "--x", "v"},  // applies only to histograms
                                                 {"a.csv", "histogram", "--x", "charm"},
                                                 {"a.csv", "histogram", "--of", "disk"}}) {
        std::vector<std::string> arguments{"plot"};
        arguments.insert(arguments.end(), rest.begin(), rest.end());
        const Finished plot = orrery(arguments);
        EXPECT_EQ(plot.code, 2) << plot.err;
        EXPECT_EQ(plot.error_lines(), 1u) << plot.err;
    }
    EXPECT_FALSE(std::filesystem::exists(path("x.pdf")));
}

TEST_F(PlotCommand, ListContainsEveryKind) {
    const auto list = json({"list", "--json"});
    ASSERT_EQ(list.at("plots").size(), analyses().size());
    for (const auto& plot : list["plots"]) EXPECT_FALSE(plot.at("source").get<std::string>().empty()) << plot;
}

}  // namespace
}  // namespace orrery::test
