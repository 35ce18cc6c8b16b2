// SPDX-License-Identifier: MIT
// Files read and written by ranks of which each has a part of the bodies: the same scene as in one process, whatever
// the number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <random>

#include "core/bodies/body_stretches.hpp"
#include "core/bodies/body_system.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/snapshot_part.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/scene_request.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {
namespace {

/// More than a block of BodySurvey; most ids exceed 2³², some 2⁵³.
Scene many_bodies(std::size_t count = 40000) {
    Scene scene = make_preset("plummer", {.bodies = count});
    for (std::size_t i = 0; i < count; ++i) {
        scene.bodies.position_mass[i].w *= 1 + static_cast<double>(i % 3);
        scene.bodies.ids.push_back((std::uint64_t{1} << 54) - i * 400'000'000'000);
        scene.bodies.species.push_back(i < count / 4   ? Species::kGas
                                       : i < count / 2 ? Species::kHalo
                                                       : Species::kStars);
    }
    return scene;
}

void expect_same(const Bodies& found, const Bodies& wanted) {
    EXPECT_TRUE(found.position_mass == wanted.position_mass);
    EXPECT_TRUE(found.velocity == wanted.velocity);
    EXPECT_TRUE(found.ids == wanted.ids);
    EXPECT_TRUE(found.species == wanted.species);
}

void append(Bodies& to, const Bodies& from) {
    const auto add = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    add(to.position_mass, from.position_mass), add(to.velocity, from.velocity);
    add(to.ids, from.ids), add(to.species, from.species);
}

/// Collects what each rank throws.
template <class Work>
std::vector<std::string> refusals(int count, const Work& work) {
    std::mutex mutex;
    std::vector<std::string> texts;
    ThreadRanks::run(count, [&](Ranks& ranks) {
        try {
            work(ranks);
        } catch (const Error& error) {
            const std::lock_guard lock{mutex};
            texts.emplace_back(error.what());
        }
    });
    return texts;
}

class EveryFormatInParts : public Scratch, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        if (!format_for(path(GetParam())).why_not.empty()) GTEST_SKIP() << format_for(path(GetParam())).why_not;
    }
};

TEST_P(EveryFormatInParts, AnyStretchHasTheBodiesOfTheWholeFile) {
    const auto file = path(GetParam());
    write_snapshot(many_bodies(), file);
    const Scene whole = read_snapshot(file);
    SnapshotFacts facts;
    const auto rows = open_rows(file, facts);
    ASSERT_TRUE(rows && rows->complete());
    ASSERT_EQ(rows->size(), whole.bodies.size());
    std::mt19937 random{5};
    Bodies some;
    for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{33000}, whole.bodies.size()}) {
        const std::size_t first = random() % (whole.bodies.size() - count + 1);
        rows->read(first, count, some);
        ASSERT_EQ(some.size(), count);
        EXPECT_EQ(some.ids.empty(), whole.bodies.ids.empty());
        for (std::size_t i = 0; i < count; i += 1 + count / 100) {
            EXPECT_EQ(some.position_mass[i], whole.bodies.position_mass[first + i]);
            EXPECT_EQ(some.velocity[i], whole.bodies.velocity[first + i]);
            EXPECT_EQ(some.species_of(i), whole.bodies.species_of(first + i));
            EXPECT_EQ(some.ids.empty() ? 0 : some.ids[i], some.ids.empty() ? 0 : whole.bodies.ids[first + i]);
        }
    }
}

TEST_P(EveryFormatInParts, RanksReadTheSceneOfOneProcess) {
    const auto file = path(GetParam());
    write_snapshot(many_bodies(), file);
    const Scene whole = read_snapshot(file);
    for (const int count : {1, 2, 3}) {
        std::vector<Bodies> parts(static_cast<std::size_t>(count));
        ThreadRanks::run(count, [&](Ranks& ranks) {
            const auto opened = open_in_parts(file, ranks);
            ASSERT_TRUE(opened);
            EXPECT_EQ(opened->all, whole.bodies.size());
            EXPECT_EQ(opened->settings.gravity, whole.gravity);
            EXPECT_EQ(opened->settings.dt, whole.dt);
            EXPECT_EQ(opened->settings.time, whole.time);
            EXPECT_EQ(opened->settings.notes, whole.notes);
            parts[static_cast<std::size_t>(ranks.rank())] = all_bodies(*opened->bodies);
        });
        Bodies all;
        for (const Bodies& part : parts) append(all, part);
        expect_same(all, whole.bodies);
    }
}

TEST_P(EveryFormatInParts, TruncatedFilesAreRefusedByAllRanksInOneMessage) {
    const auto file = path(GetParam());
    write_snapshot(many_bodies(5000), file);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 40);
    const auto texts = refusals(3, [&](Ranks& ranks) { open_in_parts(file, ranks); });
    ASSERT_EQ(texts.size(), 3u);
    EXPECT_TRUE(texts[0].find(file.filename().string()) != std::string::npos) << texts[0];
    EXPECT_TRUE(texts[1] == texts[0] && texts[2] == texts[0]) << texts[1];
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormatInParts,
                         testing::Values("a.orrery", "a.hdf5", "a.gadget", "a.snap2", "a.be.gadget", "a.tipsy",
                                         "a.std.tipsy", "a.nemo", "a.ply"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

class OwnedFiles : public Scratch {};

/// The last body is invalid, so only the last rank reads it.
TEST_F(OwnedFiles, AnInvalidBodyIsRefusedByAllRanks) {
    Scene scene = many_bodies(5000);
    write_snapshot(scene, path("a.ply"));
    std::string bytes = content(path("a.ply"));
    const double none = std::numeric_limits<double>::quiet_NaN();
    bytes.replace(bytes.size() - (7 * 8 + 1), 8, reinterpret_cast<const char*>(&none), 8);  // x of the last record
    save("a.ply", bytes);
    const auto texts = refusals(3, [&](Ranks& ranks) { open_in_parts(path("a.ply"), ranks); });
    ASSERT_EQ(texts.size(), 3u);
    for (const std::string& text : texts) EXPECT_TRUE(text.find("body 4999 has position nan") != text.npos) << text;
}

TEST_F(OwnedFiles, FilesThatNeedAllBodiesAreReadAsAWhole) {
    write_snapshot(many_bodies(1024), path("few.nemo"));
    Scene named = many_bodies(2000);
    named.bodies.names.assign(2000, "body");
    write_snapshot(named, path("named.orrery"));
    write_snapshot(many_bodies(2000), path("text.csv"));
    ThreadRanks::run(2, [&](Ranks& ranks) {
        for (const char* file : {"few.nemo", "named.orrery", "text.csv"}) {
            if (std::string{file} == "named.orrery" && !checkpoint_format().why_not.empty()) continue;
            EXPECT_FALSE(open_in_parts(path(file), ranks)) << file;
        }
        const auto opened = open_in_stretches({.source = path("text.csv").string()}, 100, &ranks);
        EXPECT_EQ(opened.all, 2000u);
        EXPECT_EQ(opened.bodies->size(), 1000u);
        EXPECT_EQ(opened.bodies->labels().ids.size(), 1000u);
    });
}

TEST_F(OwnedFiles, WrittenSnapshotsEqualThoseOfOneProcess) {
    const Scene scene = many_bodies(3000);
    write_snapshot(scene, path("in.nemo"));
    write_snapshot(scene, path("in.ply"));
    Scene sorted = scene;
    for (std::size_t i = 0; i < 3000; ++i) {  // ids fall
        const std::size_t from = 2999 - i;
        sorted.bodies.position_mass[i] = convert<double>(convert<float>(scene.bodies.position_mass[from]));
        const Vec3d v = scene.bodies.velocity[from];
        sorted.bodies.velocity[i] = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
        sorted.bodies.ids[i] = scene.bodies.ids[from], sorted.bodies.species[i] = scene.bodies.species[from];
    }
    const EngineConfig config{.engine = "fmm", .backend = Backend::kCpu, .threads = 1};
    for (const int count : {1, 2, 3})
        for (const char* name : {"csv", "orrery", "hdf5", "gadget", "tipsy", "nemo", "ply", "usda"}) {
            if (!format_for(path(std::string{"a."} + name)).why_not.empty()) continue;
            const auto file = path(std::string{"by."} + name), wanted = path(std::string{"one."} + name);
            write_snapshot(sorted, wanted);
            ThreadRanks::run(count, [&](Ranks& ranks) {
                ranks.own_bodies = true;
                const BodiesInMemory source{scene.bodies};
                const RankPart part = part_of(source.size(), &ranks);
                const auto system =
                    make_body_system(config, PartOfBodies{source, part.first, part.count()}, Urgency::kNormal, &ranks);
                Scene about = sorted;
                about.bodies = {};
                system->part()->in_stretches([&](const BodyStretches& all) { write_snapshot(about, all, file); });
            });
            EXPECT_TRUE(content(file) == content(wanted)) << name << " by " << count << " ranks";
        }
}

/// Rank 0 alone writes, and the others wait for its requests.
TEST_F(OwnedFiles, AFailureToWriteIsThrownOnAllRanks) {
    const Scene scene = many_bodies(1000);
    const EngineConfig config{.engine = "tree", .backend = Backend::kCpu, .threads = 1};
    const auto texts = refusals(3, [&](Ranks& ranks) {
        ranks.own_bodies = true;
        const BodiesInMemory source{scene.bodies};
        const RankPart part = part_of(source.size(), &ranks);
        const auto system =
            make_body_system(config, PartOfBodies{source, part.first, part.count()}, Urgency::kNormal, &ranks);
        system->part()->in_stretches(
            [&](const BodyStretches& all) { write_snapshot(Scene{}, all, path("nowhere/a.csv")); });
    });
    ASSERT_EQ(texts.size(), 3u);
    for (const std::string& text : texts) EXPECT_TRUE(text.find("nowhere") != text.npos) << text;
}

/// Species are kept in the highest bits of ids while bodies move.
TEST_F(OwnedFiles, IdsThatDoNotFitBesideSpeciesAreRefused) {
    Scene scene = many_bodies(1000);
    scene.bodies.ids.back() = ~std::uint64_t{0};
    const EngineConfig config{.engine = "tree", .backend = Backend::kCpu, .threads = 1};
    const auto make = [&](Ranks& ranks) {
        ranks.own_bodies = true;
        const BodiesInMemory source{scene.bodies};
        const RankPart part = part_of(source.size(), &ranks);
        return make_body_system(config, PartOfBodies{source, part.first, part.count()}, Urgency::kNormal, &ranks);
    };
    EXPECT_EQ(refusals(2, make).size(), 2u);
    scene.bodies.species.clear();
    ThreadRanks::run(2, [&](Ranks& ranks) {
        const Bodies all = make(ranks)->bodies();
        ASSERT_EQ(all.size(), ranks.first() ? 1000u : 0u);
        EXPECT_EQ(ranks.first() ? all.ids.back() : ~std::uint64_t{0}, ~std::uint64_t{0});
    });
}

}  // namespace
}  // namespace orrery::test
