// SPDX-License-Identifier: MIT
// `lab`, and the published maps on the command line.
#include "core/maps/maps.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery {
namespace {

class LabCommand : public CommandTest {};

TEST_F(LabCommand, SaysWhereThePublishedFormsEnd) {
    const auto rows =
        json({"lab", "--experiment", "exactness", "--backend", "cpu", "--json", "--csv", "exactness.csv"});
    ASSERT_EQ(rows.size(), 16u) << "ours, two published forms of lambda and utm, with four roots each";
    for (const auto& row : rows) {
        EXPECT_EQ(row.at("experiment"), "exactness");
        EXPECT_EQ(row.at("backend"), "cpu");
        for (const char* key : {"map", "root", "device", "commit"}) EXPECT_TRUE(row.at(key).is_string()) << key;
        if (row["map"] != "lambda-published" || row["root"] != "newton") continue;
        EXPECT_EQ(row.at("first_wrong"), exact_rows(MapId::kLambdaPublished, RootId::kNewton, Backend::kCpu));
        EXPECT_EQ(row.at("claimed_bodies"), 30720);
        EXPECT_EQ(row.at("claim_holds"), row["bodies"] >= 30720);
    }
    const auto csv = csv_rows(content(path("exactness.csv")));
    ASSERT_EQ(csv.size(), 17u);
    EXPECT_EQ(csv[0][0], "experiment");
    for (const auto& row : csv) EXPECT_EQ(row.size(), csv[0].size());
}

TEST_F(LabCommand, TellsPeopleAndRefusesWhatItDoesNotHave) {
    const Finished text = orrery({"lab", "--experiment", "exactness", "--backend", "cpu"});
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

TEST_F(LabCommand, PublishedMapsRunWithinTheirRangeOnly) {
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
    const Finished strict = orrery(with({"--map", "lambda-strict", "--bodies", "100"}));
    EXPECT_EQ(strict.code, 2);
    EXPECT_THAT(strict.err, testing::HasSubstr("diagonal"));
}

}  // namespace
}  // namespace orrery
