// SPDX-License-Identifier: MIT
// `check` and `bench`.
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/engines/choices.hpp"
#include "core/engines/device_tuning.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class Survey : public CommandTest {};

TEST_F(Survey, CheckPassesAndReportsErrors) {
    const auto rows = json({"check", "--bodies", "1,2,33,257", "--json"});
    ASSERT_TRUE(rows.is_array());
    ASSERT_GE(rows.size(), 4u * 2u * 2u) << "reference and direct in both precisions";
    bool inexact = false;
    for (const auto& row : rows) {
        for (const char* key : {"engine", "backend", "precision"}) EXPECT_TRUE(row.at(key).is_string());
        EXPECT_TRUE(row.at("pass").get<bool>()) << row;
        EXPECT_LE(row.at("rms_error").get<double>(), row.at("tolerance").get<double>());
        inexact = inexact || row["rms_error"].get<double>() > 0;
    }
    EXPECT_TRUE(inexact) << "single precision must show rounding errors";
}

TEST_F(Survey, CheckCoversTreesAtEveryAngleOnDifficultScenes) {
    const auto rows = json({"check", "--engines", "tree", "--backend", "cpu", "--json"});
    std::set<std::string> scenes;
    std::set<double> angles;
    for (const auto& row : rows) {
        EXPECT_TRUE(row.at("pass").get<bool>()) << row;
        scenes.insert(row.at("scene").get<std::string>());
        angles.insert(row.at("theta").get<double>());
    }
    EXPECT_EQ(scenes, (std::set<std::string>{"plummer", "two-places", "crowd-in-a-point", "line", "masses-of-all-sizes",
                                             "without-mass", "star-in-a-disc", "one-far-away", "tiny", "huge"}));
    EXPECT_EQ(angles, (std::set<double>{0, 0.3, 0.5, 0.75, 1}));
}

TEST_F(Survey, CheckAcceptsAScene) {
    const auto rows = json({"check", "figure-eight", "--engines", "direct", "--precision", "double", "--json"});
    ASSERT_GE(rows.size(), 1u);
    for (const auto& row : rows) {
        EXPECT_EQ(row.at("bodies"), 3);
        EXPECT_EQ(row.at("engine"), "direct");
        EXPECT_EQ(row.at("precision"), "double");
    }
}

TEST_F(Survey, BenchReportHasAllKeys) {
    const auto rows = json({"bench", "--engines", "direct", "--backend", "cpu", "--bodies", "500,1000", "--precision",
                            "single,double", "--repeat", "3", "--json", "--csv", "rows.csv"});
    ASSERT_EQ(rows.size(), 4u);
    for (const auto& row : rows) {
        for (const char* key :
             {"engine", "backend", "map", "root", "precision", "device", "commit", "compiler", "scene"})
            EXPECT_TRUE(row.at(key).is_string()) << key;
        EXPECT_EQ(row.at("repeat"), 3);
        const double median = row.at("median_ms"), count = row.at("bodies");
        EXPECT_GT(median, 0);
        EXPECT_LE(row.at("min_ms").get<double>(), median);
        EXPECT_GE(row.at("max_ms").get<double>(), median);
        EXPECT_NEAR(row.at("pairs_per_second").get<double>() * median / 1000 / (count * count), 1, 1e-9);
        EXPECT_NEAR(row.at("bodies_per_second").get<double>() * median / 1000 / count, 1, 1e-9);
        EXPECT_EQ(row.at("error_samples"), row.at("bodies")) << "small systems are sampled completely";
        EXPECT_LT(row.at("rms_error").get<double>(), row.at("precision") == "single" ? 2e-6 : 1e-13);
        EXPECT_GE(row.at("max_error").get<double>(), row.at("p99_error").get<double>());
        EXPECT_GE(row.at("p99_error").get<double>(), row.at("median_error").get<double>());
        EXPECT_TRUE(row.at("phases_ms").is_object());
        EXPECT_EQ(row.at("watts").is_null(), row.at("energy_counter") == "");
        EXPECT_EQ(row.at("watts").is_null(), row.at("pairs_per_joule").is_null());
        EXPECT_EQ(row.at("watts").is_null(), row.at("bodies_per_joule").is_null());
    }
    const auto csv = csv_rows(content(path("rows.csv")));
    ASSERT_EQ(csv.size(), 5u);
    EXPECT_EQ(csv[0][0], "engine");
    EXPECT_EQ(csv[1][0], "direct");
}

TEST_F(Survey, BenchGivesEnergyOrStatesWhyNotOnce) {
    const Finished done = orrery({"bench", "--engines", "direct,tree", "--backend", "cpu", "--bodies", "500",
                                  "--repeat", "3", "--json", "--csv", "rows.csv"});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto rows = nlohmann::json::parse(done.out);
    ASSERT_EQ(rows.size(), 2u);
    const auto csv = csv_rows(content(path("rows.csv")));
    const auto column = std::ranges::find(csv[0], "watts") - csv[0].begin();
    if (rows[0].at("watts").is_null()) {
        EXPECT_EQ(csv[1][column], "");
        EXPECT_EQ(done.error_lines(), 1u) << done.err;
        EXPECT_NE(done.err.find("no watts and joules on cpu: "), std::string::npos) << done.err;
        return;
    }
    EXPECT_GT(rows[0]["watts"], 0);
    EXPECT_NEAR(rows[0]["pairs_per_joule"].get<double>() / rows[0]["bodies_per_joule"].get<double>(), 500, 1e-9);
    EXPECT_TRUE(rows[1]["pairs_per_joule"].is_null()) << "a tree does not sum all pairs";
    EXPECT_GT(rows[1]["bodies_per_joule"], 0);
}

TEST_F(Survey, BenchComparesAllPairsEnginesWithTheirBound) {
    const auto rows = json({"bench", "--engines", "direct,half,tree", "--backend", "cpu", "--bodies", "4096",
                            "--repeat", "3", "--threads", "1", "--precision", "single", "--roofline", "--json"});
    ASSERT_EQ(rows.size(), 3u);
    for (const auto& row : rows) {
        for (const char* ceiling : {"fma_per_second", "rsqrt_per_second", "bytes_per_second"})
            EXPECT_GT(row.at(ceiling), 0) << row;
        if (row.at("engine") == "tree") {
            EXPECT_TRUE(row.at("share_of_bound").is_null());
            continue;
        }
        EXPECT_GT(row.at("share_of_bound"), 0);
        EXPECT_NEAR(row.at("share_of_bound").get<double>() * row.at("bound_pairs_per_second").get<double>() /
                        row.at("pairs_per_second").get<double>(),
                    1, 1e-9);
    }
    EXPECT_TRUE(json({"bench", "--engines", "direct", "--backend", "cpu", "--bodies", "100", "--repeat", "1",
                      "--json"})[0]["share_of_bound"]
                    .is_null())
        << "without --roofline";
}

TEST_F(Survey, BenchAcceptsItsSceneInBothForms) {
    for (const auto& scene : {std::vector<std::string>{"figure-eight"}, {"--scene", "figure-eight"}}) {
        std::vector<std::string> arguments{"bench", "--engines", "reference", "--repeat", "3", "--json"};
        arguments.insert(arguments.end(), scene.begin(), scene.end());
        const auto rows = json(arguments);
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].at("scene"), "figure-eight");
    }
}

TEST_F(Survey, BenchRefusesUnsupportedSweeps) {
    for (const std::string what : {"tile", "map"}) {
        const Finished sweep = orrery({"bench", "--backend", "cpu", "--engines", "reference", "--sweep", what});
        EXPECT_EQ(sweep.code, 2) << what;
        EXPECT_EQ(sweep.error_lines(), 1u) << sweep.err;
    }
}

TEST_F(Survey, BenchTunesTheDeviceForLaterRuns) {
    const Surroundings own{.environment = {{"ORRERY_TUNING", path("tuning").string()}}};
    const Finished tuned =
        orrery({"bench", "--tune", "--backend", "cpu", "--engines", "half,tree,reference", "--bodies", "1500"}, own);
    ASSERT_EQ(tuned.code, 0) << tuned.err;
    EXPECT_NE(tuned.out.find("half"), std::string::npos) << tuned.out;
    EXPECT_EQ(tuned.out.find("reference"), std::string::npos) << "has no settings";
    std::string file;
    for (const auto& entry : std::filesystem::directory_iterator{path("tuning")})
        file = "tuning/" + entry.path().filename().string();
    DeviceTuning stored = read_tuning(content(path(file)), file);
    ASSERT_EQ(stored.engines.size(), 2u);
    for (const TunedEngine& each : stored.engines) {
        EXPECT_EQ(each.bodies, 1500u);
        EXPECT_GT(each.seconds, 0);
        EXPECT_LE(each.seconds, each.default_seconds);
        EXPECT_EQ(each.settings.empty(), each.seconds == each.default_seconds);
    }
    // Measured values vary; these are used whatever was measured.
    stored.engines.front().settings = {{"rows", 96}};
    save(file, text_of(stored));
    const std::vector<std::string> bench{"bench", "--backend", "cpu", "--engines", "half", "--repeat", "3", "--json"};
    const auto tile = [&](std::vector<std::string> more, const Surroundings& where) {
        more.insert(more.begin(), bench.begin(), bench.end());
        const Finished done = orrery(more, where);
        return nlohmann::json::parse(done.out).at(0).at("tile_rows").get<int>();
    };
    EXPECT_EQ(tile({"--bodies", "1500"}, own), 96);
    EXPECT_EQ(tile({"--bodies", "1500", "--rows", "32"}, own), 32);
    EXPECT_EQ(tile({"--bodies", "1500"}, {}), 0);
    save(file, "half single many\n");
    const Finished broken =
        orrery({"bench", "--backend", "cpu", "--engines", "half", "--bodies", "300", "--repeat", "3"}, own);
    EXPECT_EQ(broken.code, 0);
    EXPECT_NE(broken.err.find(":1: expected a number of bodies"), std::string::npos) << broken.err;
}

TEST_F(Survey, BenchTunesOneDeviceAlone) {
    EXPECT_EQ(orrery({"bench", "--tune", "--sweep", "map"}).code, 2);
    const Finished fixed =
        orrery({"bench", "figure-eight", "--tune", "--backend", "cpu", "--engines", "half", "--bodies", "100"});
    EXPECT_EQ(fixed.code, 2);
    EXPECT_EQ(fixed.error_lines(), 1u) << fixed.err;
}

TEST_F(Survey, BenchSweepsAllMapsAndRootsOfTheHalfMatrix) {
    const auto rows = json({"bench", "--backend", "cpu", "--engines", "half", "--bodies", "300", "--repeat", "3",
                            "--sweep", "map", "--json"});
    ASSERT_EQ(rows.size(), every_map_and_root().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i]["map"], every_map_and_root()[i].map);
        EXPECT_EQ(rows[i]["root"], every_map_and_root()[i].root);
        EXPECT_LT(rows[i]["rms_error"], 2e-6);
    }
}

}  // namespace
}  // namespace orrery::test
