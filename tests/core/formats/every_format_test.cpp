// SPDX-License-Identifier: MIT
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>
#include <numbers>

#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery {

/// GoogleTest would print the bytes of each entry, a thousand times at every start.
void PrintTo(const FormatEntry& format, std::ostream* out) { *out << format.id; }

}  // namespace orrery

namespace orrery::test {
namespace {

/// Three bodies whose numbers need all digits, with every scene parameter set.
Scene small_scene() {
    Scene scene;
    scene.bodies.add({1.0 / 3, -2e-17, 3e8}, {0.1, -0.2, std::numbers::pi}, 0.7);
    scene.bodies.add({-0.0, 5e-30, -6}, {1e-5, 2e5, 0}, 1e-12);
    scene.bodies.add({7, 8, 9}, {-1, -2, -3}, 1.0 / 7);
    scene.gravity.softening = 0.3;
    scene.dt = 1.0 / 1024;
    scene.time = 12.34;
    return scene;
}

class EveryFormat : public Scratch, public testing::WithParamInterface<FormatEntry> {
protected:
    void SetUp() override {
        if (!GetParam().why_not.empty()) GTEST_SKIP() << GetParam().why_not;
    }
    std::filesystem::path file(const std::string& stem = "snapshot") const {
        return path(stem + std::string{GetParam().extensions.front()});
    }
    bool exact() const { return GetParam().holds.doubles; }
    /// Number of offsets at which a file is truncated or changed.
    std::size_t places() const {  // HDF5 starts a process for each
        return (GetParam().id == "gadget-hdf5" || GetParam().id == "checkpoint") && !runs_long() ? 12
                                                                                                 : everyday(250, 1000);
    }
    bool text() const { return GetParam().id == "csv"; }
    double kept(double value) const { return exact() ? value : static_cast<double>(static_cast<float>(value)); }
    Vec3d kept(Vec3d a) const { return {kept(a.x), kept(a.y), kept(a.z)}; }
};

TEST_P(EveryFormat, RoundTripsAScene) {
    const Scene scene = small_scene();
    write_snapshot(scene, file());
    const Scene back = read_snapshot(file());
    ASSERT_EQ(back.bodies.size(), scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        EXPECT_EQ(xyz(back.bodies.position_mass[i]), kept(xyz(scene.bodies.position_mass[i]))) << i;
        EXPECT_EQ(back.bodies.position_mass[i].w, kept(scene.bodies.position_mass[i].w)) << i;
        EXPECT_EQ(back.bodies.velocity[i], kept(scene.bodies.velocity[i])) << i;
    }
    if (GetParam().holds.softening) {
        EXPECT_EQ(back.gravity.softening, kept(scene.gravity.softening));
    }
    EXPECT_EQ(back.time, scene.time);
    EXPECT_GT(back.dt, 0);
    EXPECT_EQ(back.id, file().filename().string());
    EXPECT_EQ(files(), 1u);
}

TEST_P(EveryFormat, KeepsLawAndChargesIfSupported) {
    Scene scene = small_scene();
    scene.gravity = {.constant = 1, .softening = 0.25, .law = PairLaw::kCoulomb, .sigma = 0.75, .cut_off = 3};
    scene.bodies.charge = {-1.0 / 3, 0, 1e-20};
    write_snapshot(scene, file());
    const Scene back = read_snapshot(file());
    EXPECT_EQ(back.gravity == scene.gravity, GetParam().holds.law);
    EXPECT_EQ(back.bodies.charge, GetParam().holds.law ? scene.bodies.charge : std::vector<double>{});
}

/// Files are read and written in parts of 2^20 bytes or 2^15 rows.
TEST_P(EveryFormat, RoundTripsFilesOfSeveralParts) {
    Scene scene;
    const int count = GetParam().id == "gadget-hdf5" || GetParam().id == "nemo" ? 140'000
                      : GetParam().id.starts_with("gadget")                     ? 90'000
                                                                                : 40'000;
    for (int i = 0; i < count; ++i)
        scene.bodies.add({1.0 * i, i % 977 * 0.5, -2.0 * i}, {i % 31 * 1.0, -1.0 * i, 0.25}, 1 + i % 3);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) scene.bodies.ids.push_back(3 * i + 1);
    write_snapshot(scene, file());
    const Bodies back = read_snapshot(file()).bodies;
    EXPECT_TRUE(back.position_mass == scene.bodies.position_mass);
    EXPECT_TRUE(back.velocity == scene.bodies.velocity);
    EXPECT_TRUE(back.ids == scene.bodies.ids || !GetParam().holds.ids);
}

TEST_P(EveryFormat, KeepsMasslessBodiesAndNotesThem) {
    Scene scene = small_scene();
    scene.bodies.position_mass[1].w = 0;
    write_snapshot(scene, file());
    const Scene back = read_snapshot(file());
    EXPECT_EQ(back.bodies.position_mass[1].w, 0);
    EXPECT_THAT(back.notes, testing::Contains(testing::HasSubstr("bodies without mass: 1 of 3")));
    for (Vec4d& p : scene.bodies.position_mass) p.w = 0;
    expect_error([&] { write_snapshot(scene, file("none")); }, Blame::kUsage, "no body has a mass");
}

/// All species, and ids beyond 32 bits, in an order that no file format keeps.
TEST_P(EveryFormat, KeepsSpeciesAndIdsWithTheirBodies) {
    using enum Species;
    Scene scene;
    for (const Species species : {kStars, kBoundary, kGas, kBulge, kHalo, kDisk, kGas, kStars}) {
        const double i = static_cast<double>(scene.bodies.size());
        scene.bodies.add({i, 2 * i, -i}, {-i, 0.5 * i, 3}, i + 1);
        scene.bodies.species.push_back(species);
        scene.bodies.ids.push_back(std::min<std::uint64_t>(1ull << 40, GetParam().holds.largest_id - 8) +
                                   scene.bodies.size());
    }
    write_snapshot(scene, file());
    const Bodies back = read_snapshot(file()).bodies;
    ASSERT_EQ(back.size(), scene.bodies.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        const auto was = static_cast<std::size_t>(back.position_mass[i].w) - 1;  // masses identify the bodies
        EXPECT_EQ(back.position_mass[i], scene.bodies.position_mass[was]);
        EXPECT_EQ(back.velocity[i], scene.bodies.velocity[was]);
        if (GetParam().holds.ids) {
            EXPECT_EQ(back.ids[i], scene.bodies.ids[was]);
        }
        if (!GetParam().holds.species) continue;
        const Species species = scene.bodies.species[was];
        if (GetParam().id.starts_with("tipsy"))  // Tipsy has three kinds
            EXPECT_EQ(back.species_of(i), species == kGas                            ? kGas
                                          : species == kHalo || species == kBoundary ? kHalo
                                                                                     : kStars);
        else
            EXPECT_EQ(back.species_of(i), species);
    }
}

TEST_P(EveryFormat, NotesDuplicateIds) {
    if (!GetParam().holds.ids) GTEST_SKIP() << "has no ids";
    for (const std::uint64_t large : {0ull, 1ull << 50}) {
        if (large > GetParam().holds.largest_id) continue;
        Scene scene = small_scene();
        scene.bodies.ids = {large + 4, large + 5, large + 6};
        write_snapshot(scene, file());
        EXPECT_THAT(read_snapshot(file()).notes, testing::Not(testing::Contains(testing::HasSubstr("more than once"))));
        scene.bodies.ids[2] = large + 4;
        write_snapshot(scene, file());
        EXPECT_THAT(
            read_snapshot(file()).notes,
            testing::Contains(testing::HasSubstr("id " + std::to_string(large + 4) + " occurs more than once")));
    }
}

TEST_P(EveryFormat, IsRecognisedByContentNotByName) {
    write_snapshot(small_scene(), file());
    std::filesystem::rename(file(), path("without_extension"));
    EXPECT_EQ(read_snapshot(path("without_extension")).bodies.size(), 3u);
    const std::string content = Scratch::content(path("without_extension"));
    const auto head = std::as_bytes(std::span{content});
    for (const FormatEntry& entry : formats())  // the first one that recognises the content reads it
        if (entry.recognises(head, content.size(), path("without_extension"))) {
            EXPECT_EQ(entry.id, GetParam().id);
            break;
        }
}

TEST_P(EveryFormat, RefusesEveryTruncation) {
    write_snapshot(small_scene(), file());
    const std::string whole = content(file());
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / places()) {
        SCOPED_TRACE(size);
        const auto cut = save("cut" + std::string{GetParam().extensions.front()}, whole.substr(0, size));
        expect_error([&] { read_snapshot(cut); }, Blame::kUsage, "cut" + std::string{GetParam().extensions.front()});
        expect_error([&] { GetParam().read(cut); }, Blame::kUsage);
    }
}

TEST_P(EveryFormat, RefusesAnExtraByte) {
    if (GetParam().id == "gadget-hdf5") GTEST_SKIP() << "HDF5 allows extra bytes after its end";
    write_snapshot(small_scene(), file());
    const std::string whole = content(file());
    for (int byte = 0; byte < 256; ++byte) {
        const auto c = static_cast<char>(byte);
        if (text() && std::string_view{" \t\r\n#"}.find(c) != std::string_view::npos)
            continue;  // have no meaning in text
        SCOPED_TRACE(byte);
        save(file().filename().string(), whole + c);
        expect_error([&] { read_snapshot(file()); }, Blame::kUsage, file().string());
    }
}

TEST_P(EveryFormat, SurvivesAnyChangedByte) {
    write_snapshot(small_scene(), file());
    const std::string whole = content(file());
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / places())
        for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            save(file().filename().string(), changed);
            try {
                validate(read_snapshot(file()).bodies, "changed");  // a file that is read must be valid
            } catch (const Error& error) {
                EXPECT_EQ(error.blame(), Blame::kUsage) << error.what();
            }
        }
}

TEST_P(EveryFormat, RefusesToWriteInvalidBodies) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const double mass : {-1e-300, -1.0, kNan, std::numeric_limits<double>::infinity()}) {
        Scene scene = small_scene();
        scene.bodies.position_mass[1].w = mass;
        expect_error([&] { write_snapshot(scene, file()); }, Blame::kUsage, file().string(), "body 1");
    }
    Scene scene = small_scene();
    scene.bodies.velocity[2].y = kNan;
    expect_error([&] { write_snapshot(scene, file()); }, Blame::kUsage, file().string(), "body 2");
    expect_error([&] { write_snapshot(Scene{}, file()); }, Blame::kUsage, "no bodies");
    EXPECT_EQ(files(), 0u);
}

TEST_P(EveryFormat, LeavesNoFileWhenWritingFails) {
    const auto nowhere = path("no_such_folder") / file().filename();
    expect_error([&] { write_snapshot(small_scene(), nowhere); }, Blame::kEnvironment, nowhere.string());
    std::filesystem::create_directory(file());
    expect_error([&] { write_snapshot(small_scene(), file()); }, Blame::kEnvironment, file().string());
    EXPECT_EQ(files(), 1u);
}

/// A limit on the file size stands in for a full disk.
TEST_P(EveryFormat, LeavesTheOldFileWhenTheDiskIsFull) {
    save(file().filename().string(), "old");
    Scene scene = small_scene();
    for (int i = 0; i < 4000; ++i) scene.bodies.add({1.0 * i, 2, 3}, {4, 5, 6}, 7);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{65536, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    expect_error([&] { write_snapshot(scene, file()); }, Blame::kEnvironment, file().string());
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(content(file()), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_P(EveryFormat, BlamesUserOrEnvironmentForUnreadableFiles) {
    const auto read = [&](const std::filesystem::path& p) { return [&, p] { GetParam().read(p); }; };
    expect_error(read(path("missing.x")), Blame::kUsage, "missing.x", "no such file");
    expect_error(read(path("missing") / "below"), Blame::kUsage, "missing");
    expect_error(read(path("")), Blame::kUsage, "is a folder");
    expect_error(read(save("empty", "")), Blame::kUsage, "empty", "is empty");
    expect_error(read("/dev/zero"), Blame::kUsage, "/dev/zero", "not a regular file");
    write_snapshot(small_scene(), file());
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit none{0, before.rlim_max};  // root may open any file, so removing permissions would prove nothing
    setrlimit(RLIMIT_NOFILE, &none);
    expect_error(read(file()), Blame::kEnvironment, file().string(), "cannot be read");
    setrlimit(RLIMIT_NOFILE, &before);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFormat, testing::ValuesIn(formats().begin(), formats().end()),
                         [](const auto& instance) {
                             std::string name{instance.param.id};
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace orrery::test
