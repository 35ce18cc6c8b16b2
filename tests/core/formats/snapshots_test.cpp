// SPDX-License-Identifier: MIT
#include <array>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "core/formats/formats.hpp"
#include "core/formats/suggest.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

class Snapshots : public Scratch {};

Scene two_bodies() {
    Scene scene;
    scene.bodies.add({-1, 0, 0}, {0, -0.5, 0}, 1);
    scene.bodies.add({1, 0, 0}, {0, 0.5, 0}, 1);
    return scene;
}

TEST_F(Snapshots, FormatsAreFoundByIdOnly) {
    std::set<std::string_view> ids;
    for (const FormatEntry& entry : formats()) {
        EXPECT_EQ(format(entry.id).label, entry.label);
        EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    }
    expect_error([] { format("fits"); }, Blame::kUsage, "'fits'", "tipsy-standard", "csv");
}

TEST_F(Snapshots, LongestExtensionDecides) {
    EXPECT_EQ(format_for("a.tipsy").id, "tipsy");
    EXPECT_EQ(format_for("a.std.tipsy").id, "tipsy-standard");
    EXPECT_EQ(format_for("A.STD").id, "tipsy-standard");
    EXPECT_EQ(format_for("b/a.tipsy.csv").id, "csv");
    EXPECT_EQ(format_for("a.TSV").id, "csv");
}

TEST_F(Snapshots, ErrorForUnknownExtensionListsKnownOnes) {
    for (const char* name : {"a.fits", "a", ".csv", "tipsy", "a."})
        expect_error([&] { write_snapshot(two_bodies(), path(name)); }, Blame::kUsage, name, ".std.tipsy", ".csv",
                     ".tsv");
    EXPECT_EQ(files(), 0u);
}

TEST_F(Snapshots, ErrorForUnknownContentListsTriedFormats) {
    const std::string zeros(1000, '\0');
    expect_error([&] { read_snapshot(save("zeros", zeros)); }, Blame::kUsage, "zeros", "checkpoint", "gadget-hdf5",
                 "gadget", "tipsy, tipsy-standard", "csv");
    expect_error([&] { read_snapshot(save("png", "\x89PNG\r\n\x1a\n and so on")); }, Blame::kUsage, "known format");
    expect_error([&] { read_snapshot(save("zeros.tipsy", zeros)); }, Blame::kUsage, "zeros.tipsy", "byte 12",
                 "dimensions");
    expect_error([&] { read_snapshot(save("zeros.csv", zeros)); }, Blame::kUsage, "zeros.csv", "line 1");
}

TEST_F(Snapshots, HdfFilesAreRecognisedByTheirFirstBytes) {
    for (const auto& [id, magic] : {std::pair<const char*, std::string>{"gadget-hdf5", "\x89HDF\r\n\x1a\n"},
                                    {"checkpoint", "orrery checkpoint "}}) {
        const auto recognised = [&](const std::string& head) {
            return format(id).recognises(std::as_bytes(std::span{head}), head.size(), "a");
        };
        EXPECT_TRUE(recognised(magic)) << id;
        EXPECT_TRUE(recognised(magic + "x")) << id;
        EXPECT_FALSE(recognised(magic.substr(1))) << id;
        EXPECT_FALSE(recognised(magic.substr(0, magic.size() - 1))) << id;
    }
}

TEST_F(Snapshots, SuggestedStepFitsThePair) {
    // v = r and √(r³/Gm) = 2: the crossing takes 2 units of time, and 3 % of the shorter time is 0.06
    const Scene scene = two_bodies();
    EXPECT_NEAR(suggested_dt(scene.bodies, {}), 0.03 * 2, 1e-12);
    EXPECT_EQ(suggested_softening(scene.bodies), 0);
    Scene one;
    one.bodies.add({1, 2, 3}, {4, 5, 6}, 1);
    EXPECT_EQ(suggested_dt(one.bodies, {}), Scene{}.dt);
    EXPECT_EQ(median_radius(one.bodies), 0);
}

TEST_F(Snapshots, SuggestionsStayFiniteForAnyState) {
    for (const double length : {0.0, 1e-200, 1e200, 1e308})
        for (const std::size_t count : {1u, 2u, 3u, 200u, 2000u}) {
            Scene scene;
            for (std::size_t i = 0; i < count; ++i)
                scene.bodies.add({length * (i % 2 ? 1 : -1), length, 0}, {0, length, 0}, 1e300);
            const double softening = suggested_softening(scene.bodies);
            EXPECT_TRUE(std::isfinite(softening) && softening >= 0) << length << ' ' << count;
            const double dt = suggested_dt(scene.bodies, {1, softening});
            EXPECT_TRUE(std::isfinite(dt) && dt > 0) << length << ' ' << count;
        }
}

}  // namespace
}  // namespace orrery::test
