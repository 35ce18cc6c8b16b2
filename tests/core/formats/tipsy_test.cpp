// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Builds TIPSY files by hand, so that the reader is not tested against our own writer alone.
class Tipsy : public Scratch, public testing::WithParamInterface<std::endian> {
protected:
    template <class T>
    static std::string bytes(T value) {
        const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
        return GetParam() == std::endian::native ? std::string{raw.begin(), raw.end()}
                                                 : std::string{raw.rbegin(), raw.rend()};
    }
    static std::string header(double time, std::array<std::int32_t, 5> counts) {
        std::string text = bytes(time);
        for (const std::int32_t count : counts) text += bytes(count);
        return text;
    }
    static std::string floats(std::initializer_list<float> values) {
        std::string text;
        for (const float value : values) text += bytes(value);
        return text;
    }
    /// One body of each kind; potentials and other unread fields are NaN.
    static std::string records() {
        return floats({1, 2, 3, 4, 5, 6, 7, kNan, kNan, 0.9f, kNan, kNan}) +
               floats({8, 9, 10, 11, 12, 13, 14, 0.25f, kNan}) +
               floats({15, 16, 17, 18, 19, 20, 21, kNan, kNan, 0.5f, kNan});
    }
    static std::string three_bodies() { return header(2.5, {3, 3, 1, 1, 1}) + bytes(std::int32_t{32550}) + records(); }

    std::filesystem::path file(std::string_view content) const { return save("a.tipsy", content); }
    template <class... Words>
    void expect_refused(const std::string& content, Words... words) const {
        expect_error([&] { read_snapshot(file(content)); }, Blame::kUsage, "a.tipsy", words...);
    }

    static constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();
};

TEST_P(Tipsy, ReadsAllKindsInTheOrderOfTheFile) {
    for (const std::string& content :
         {three_bodies(), header(2.5, {3, 3, 1, 1, 1}) + records()}) {  // with padding and without
        const Scene scene = read_snapshot(file(content));
        ASSERT_EQ(scene.bodies.size(), 3u);
        EXPECT_EQ(scene.time, 2.5);
        EXPECT_EQ(scene.bodies.position_mass[0], (Vec4d{2, 3, 4, 1}));
        EXPECT_EQ(scene.bodies.velocity[1], (Vec3d{12, 13, 14}));
        EXPECT_EQ(scene.bodies.position_mass[2], (Vec4d{16, 17, 18, 15}));
        EXPECT_EQ(scene.gravity.softening,
                  0.5);  // median of 0.25 and 0.5; the smoothing length of gas is not a softening
        EXPECT_EQ(scene.gravity.constant, 1);
    }
}

TEST_P(Tipsy, IgnoresASofteningLargerThanTheSystem) {
    std::string content = header(0, {200, 3, 0, 200, 0});
    for (int i = 0; i < 200; ++i)
        content += floats({1, static_cast<float>(i % 10), static_cast<float>(i % 7), 0, 1, 0, 0, 1e9f, 0});
    const Scene scene = read_snapshot(file(content));
    EXPECT_GT(scene.gravity.softening, 0);
    EXPECT_LT(scene.gravity.softening, 2);
}

/// Without valid lengths there is no median.
TEST_P(Tipsy, UsesOnlyValidSoftenings) {
    const auto softening = [&](std::initializer_list<float> given) {
        constexpr int kRepeats = 100;
        const auto bodies = static_cast<std::int32_t>(kRepeats * given.size());
        std::string content = header(0, {bodies, 3, 0, bodies, 0});
        float x = 0;
        for (int i = 0; i < kRepeats; ++i)
            for (const float each : given) content += floats({1, x += 10, 0, 0, 0, 1, 0, each, 0});
        return read_snapshot(file(content)).gravity.softening;
    };
    const double suggested = softening({0, 0, 0});
    EXPECT_GT(suggested, 0);
    EXPECT_EQ(softening({kNan, -1, kInfinity}), suggested);
    EXPECT_EQ(softening({0.5f, kInfinity, 0}), 0.5);
    EXPECT_EQ(softening({0.25f, kInfinity, kInfinity, 0.5f}), 0.5);
}

TEST_P(Tipsy, WritesTheRecordOfEachKind) {
    using enum Species;
    Scene scene;
    for (const double x : {3.0, 2.0, 1.0, 4.0}) scene.bodies.add({x, 2 * x, 3 * x}, {-x, 0, x}, 10 * x);
    scene.bodies.species = {kStars, kHalo, kGas, kBoundary};
    scene.gravity.softening = 0.5;
    scene.time = 2.5;
    write_snapshot(scene, path(GetParam() == std::endian::big ? "a.std" : "a.tipsy"));
    EXPECT_EQ(content(path(GetParam() == std::endian::big ? "a.std" : "a.tipsy")),
              header(2.5, {4, 3, 1, 2, 1}) + bytes(std::int32_t{0}) +
                  floats({10, 1, 2, 3, -1, 0, 1, 0, 0, 0.5f, 0, 0}) + floats({20, 2, 4, 6, -2, 0, 2, 0.5f, 0}) +
                  floats({40, 4, 8, 12, -4, 0, 4, 0.5f, 0}) + floats({30, 3, 6, 9, -3, 0, 3, 0, 0, 0.5f, 0}));
}

/// Three bodies whose median distance from their centre is 4.
TEST_P(Tipsy, AcceptsASofteningUpToAQuarterOfTheRadius) {
    const auto softening = [&](float length) {
        std::string content = header(0, {3, 3, 0, 3, 0});
        for (const float x : {0.0f, 4.0f, -4.0f}) content += floats({1, x, 0, 0, 1, 0, 0, length, 0});
        return read_snapshot(file(content)).gravity.softening;
    };
    EXPECT_EQ(softening(1), 1);
    EXPECT_EQ(softening(1.0001f), 0) << "as suggested for three bodies";
    EXPECT_EQ(softening(0), 0);
    std::string at_one_place = header(0, {1, 3, 0, 1, 0}) + floats({1, 0, 0, 0, 1, 0, 0, 3, 0});
    EXPECT_EQ(read_snapshot(file(at_one_place)).gravity.softening, 3) << "no radius to compare with";
}

TEST_P(Tipsy, RefusesInconsistentCounts) {
    constexpr auto most = std::numeric_limits<std::int32_t>::max(), least = std::numeric_limits<std::int32_t>::min();
    expect_refused(header(0, {1, 3, 1, -1, 1}) + records(), "byte 20", "dark", "-1");
    expect_refused(header(0, {4, 3, 1, 1, 1}) + records(), "byte 8", "found 4");
    expect_refused(header(0, {most, 3, 0, most, 0}) + records(), "truncated", "2147483647 bodies");
    expect_refused(header(0, {1, 3, most, most, 3}) + records(), "byte 8");  // their sum in 32 bits is 1
    expect_refused(header(0, {least, 3, 0, least, 0}) + records(), "found -2147483648");
    expect_refused(header(0, {3, 3, 1, 1, 1}) + records().substr(1), "truncated: expected 156 or 160 bytes",
                   "found 155");
    expect_refused(header(0, {3, 3, 1, 1, 1}) + records() + "x", "too long: expected 156 or 160 bytes", "found 157");
    expect_refused(three_bodies() + "x", "too long: expected 156 or 160 bytes", "found 161");
    expect_refused(header(0, {0, 3, 0, 0, 0}), "no bodies");
    expect_refused(header(kNan, {3, 3, 1, 1, 1}) + records(), "byte 0", "nan");
    expect_refused(header(0, {3, 2, 1, 1, 1}) + records(), "byte 12", "3 dimensions");
}

TEST_P(Tipsy, ErrorsNameTheByteOfAnInvalidNumber) {
    const auto with = [](std::size_t record, std::size_t number, float value) {
        constexpr std::array<std::size_t, 3> starts{32, 80, 116};
        std::string content = three_bodies();
        content.replace(starts[record] + 4 * number, 4, bytes(value));
        return content;
    };
    expect_refused(with(0, 0, -2), "byte 32", "body 0 (gas)", "mass", "found -2");
    expect_refused(with(1, 0, -1), "byte 80", "body 1 (dark)", "found -1");
    expect_refused(with(2, 0, kNan), "byte 116", "body 2 (star)", "nan");
    expect_refused(with(2, 0, kInfinity), "mass", "inf");
    expect_refused(with(1, 3, kNan), "byte 92", "expected a finite number as z");
    expect_refused(with(2, 6, -kInfinity), "byte 140", "vz", "-inf");
}

TEST_P(Tipsy, RefusesToWriteUnrepresentableScenes) {
    const auto refuse = [&](auto change, auto... words) {
        Scene scene;
        scene.bodies.add({1, 2, 3}, {4, 5, 6}, 7);
        change(scene);
        const auto to = path(GetParam() == std::endian::big ? "a.std" : "a.tipsy");
        expect_error([&] { write_snapshot(scene, to); }, Blame::kUsage, to.string(), words...);
        EXPECT_EQ(files(), 0u);
    };
    refuse([](Scene& s) { s.gravity.constant = 43.0; }, "G = 1", "43");
    refuse([](Scene& s) { s.bodies.position_mass[0].y = 1e300; }, "body 0", "y 1e+300", "single precision");
    refuse([](Scene& s) { s.bodies.position_mass[0].w = 1e-60; }, "mass 1e-60");
    refuse([](Scene& s) { s.gravity.softening = 1e60; }, "softening");
}

/// Bonsai's second version writes ids of 64 bits in place of softening and potential.
TEST_P(Tipsy, IdsOfVersionTwoAreNotReadAsSoftenings) {
    const std::uint64_t dark_id = 3'000'000'000'000'000'007, star_id = 5;
    const std::string dark = floats({8, 9, 10, 11, 12, 13, 14}) + bytes(dark_id);
    const std::string star = floats({15, 16, 17, 18, 19, 20, 21, kNan, kNan}) + bytes(star_id);
    const Scene scene = read_snapshot(file(header(1, {2, 3, 0, 1, 1}) + bytes(std::int32_t{2}) + dark + star));
    EXPECT_EQ(scene.bodies.ids, (std::vector<std::uint64_t>{dark_id, star_id}));
    EXPECT_EQ(scene.gravity.softening, 0) << "as suggested for two bodies";
    EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{16, 17, 18, 15}));

    const std::string gas = floats({1, 2, 3, 4, 5, 6, 7, kNan, kNan, 0.9f, kNan, kNan});
    const Scene mixed = read_snapshot(file(header(1, {2, 3, 1, 1, 0}) + bytes(std::int32_t{2}) + gas + dark));
    EXPECT_TRUE(mixed.bodies.ids.empty());
    EXPECT_THAT(mixed.notes, testing::Contains(testing::HasSubstr("gas has no ids")));
}

INSTANTIATE_TEST_SUITE_P(Orders, Tipsy, testing::Values(std::endian::little, std::endian::big),
                         [](const auto& instance) {
                             return instance.param == std::endian::big ? "standard" : "native";
                         });

}  // namespace
}  // namespace orrery::test
