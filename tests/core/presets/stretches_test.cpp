// SPDX-License-Identifier: MIT
// Bodies made in stretches: the bits of those in memory, and no memory for each body.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/representable.hpp"
#include "core/presets/placement.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/scene_request.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {
namespace {

constexpr std::size_t kSome = 20'011;  // three blocks of random numbers, the last one incomplete
constexpr std::size_t kTwoStretches = kStretch + 5'003;

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Reads stretches of a length that is no multiple of the blocks, from the last to the first.
Bodies read_backward(const BodySource& source, std::size_t length) {
    Bodies bodies;
    bodies.position_mass.resize(source.size());
    bodies.velocity.resize(source.size());
    const std::size_t stretches = (source.size() + length - 1) / length;
    for (std::size_t k = stretches; k-- > 0;) {
        const std::size_t first = k * length, count = std::min(length, source.size() - first);
        source.read(first, std::span{bodies.position_mass}.subspan(first, count),
                    std::span{bodies.velocity}.subspan(first, count));
    }
    return bodies;
}

class PresetsInStretches : public testing::TestWithParam<const PresetEntry*> {
protected:
    static PresetConfig config() {
        return {.bodies = GetParam()->fixed_count      ? GetParam()->default_bodies
                          : GetParam()->engine.empty() ? kSome
                                                       : 600,
                .seed = 7};
    }
};

TEST_P(PresetsInStretches, HaveTheBitsOfThoseInMemory) {
    for (const Displacements order : {Displacements::kFirst, Displacements::kSecond}) {
        PresetConfig with = config();
        with.displacements = order, with.sites = order == Displacements::kFirst ? Sites::kLattice : Sites::kGlass;
        const Scene scene = make_preset(GetParam()->id, with);
        const auto [settings, source] = make_preset_in_stretches(GetParam()->id, with);
        ASSERT_EQ(source->size(), scene.bodies.size());
        const Bodies made = read_backward(*source, 5'000);
        EXPECT_TRUE(same_bits<Vec4d>(made.position_mass, scene.bodies.position_mass));
        EXPECT_TRUE(same_bits<Vec3d>(made.velocity, scene.bodies.velocity));
        const Bodies& labels = source->labels();
        EXPECT_EQ(labels.names, scene.bodies.names);
        EXPECT_EQ(labels.species, scene.bodies.species);
        EXPECT_EQ(labels.charge, scene.bodies.charge);
        EXPECT_TRUE(labels.position_mass.empty());
        EXPECT_EQ(settings.bodies.size(), 0u);
        EXPECT_EQ(settings.id, scene.id);
        EXPECT_EQ(settings.dt, scene.dt);
        EXPECT_EQ(settings.gravity.softening, scene.gravity.softening);
        if (!GetParam()->displaced) return;
    }
}

TEST_P(PresetsInStretches, StateMassesWithoutPositions) {
    const auto [settings, source] = make_preset_in_stretches(GetParam()->id, config());
    const Bodies made = all_bodies(*source);
    const MassReader masses{*source};
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(masses(i), made.position_mass[i].w) << i;
    EXPECT_FALSE(first_massless(*source));
}

std::vector<const PresetEntry*> all_presets() {
    std::vector<const PresetEntry*> all;
    for (const PresetEntry& entry : presets()) all.push_back(&entry);
    return all;
}
INSTANTIATE_TEST_SUITE_P(, PresetsInStretches, testing::ValuesIn(all_presets()), [](const auto& each) {
    std::string name{each.param->id};
    std::erase(name, '-');
    return name;
});

/// Bytes of a line of /proc/self/status, such as VmHWM; 0 if there is none.
std::size_t status_bytes(const std::string& wanted) {
    std::ifstream file{"/proc/self/status"};
    std::string key;
    std::size_t kibibytes = 0;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(wanted + ":")) kibibytes = std::stoul(line.substr(wanted.size() + 1));
    return 1024 * kibibytes;
}
/// Lets VmHWM begin again at the present size; false if the system does not support it.
bool restart_peak() {
    std::ofstream file{"/proc/self/clear_refs"};
    file << "5" << std::flush;
    return file.good();
}

TEST(BodiesInStretches, TakeNoHostMemoryPerBody) {
    constexpr std::size_t kCount = 5 * kStretch, kFixed = 200'000'000;  // three stretches in double, and blocks
    static_assert(kFixed < 40 * kCount);                                // in memory they take 56 bytes each
    const std::size_t before = status_bytes("VmRSS");
    if (before == 0 || !restart_peak()) GTEST_SKIP() << "the peak of the memory is not known here";
    double mass = 0;
    const auto [settings, source] = make_preset_in_stretches("uniform-sphere", {kCount, 1});
    for_stretches(*source, [&](std::size_t, std::span<const Vec4d> x, std::span<const Vec3d>) {
        for (const Vec4d& each : x) mass += each.w;
    });
    EXPECT_NEAR(mass, 1, 1e-9);
    EXPECT_LT(status_bytes("VmHWM"), before + kFixed);
}

/// As from 2²⁷ bodies on: neither the way nor the number of ranks changes the bits, and the centre is at rest.
TEST(BodiesInStretches, CentreByBlocksOnAnyNumberOfRanks) {
    for (const char* id : {"plummer", "disc-galaxy"}) {
        const PresetConfig config{.bodies = 20'001};
        const Bodies wanted = make_preset(id, config, {.by_blocks_from = 0}).bodies;
        Vec3d place{0, 0, 0}, momentum{0, 0, 0};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            place = place + wanted.position_mass[i].w * xyz(wanted.position_mass[i]);
            momentum = momentum + wanted.position_mass[i].w * wanted.velocity[i];
        }
        EXPECT_LT(length(place) + length(momentum), 1e-12) << id;
        for (const int count : {1, 3})
            ThreadRanks::run(count, [&](Ranks& ranks) {
                const Bodies made =
                    all_bodies(*make_preset_in_stretches(id, config, {.by_blocks_from = 0, .ranks = &ranks}).bodies);
                EXPECT_TRUE(same_bits<Vec4d>(made.position_mass, wanted.position_mass)) << id << ", " << count;
                EXPECT_TRUE(same_bits<Vec3d>(made.velocity, wanted.velocity)) << id << ", " << count;
            });
    }
}

TEST(BodiesInStretches, GiveTheSameSystemAsBodiesInMemory) {
    const PresetConfig config{kTwoStretches, 3};
    const EngineConfig engine{.engine = "tree"};
    const auto in_memory = make_body_system(engine, make_preset("plummer", config).bodies);
    const auto in_stretches = make_body_system(engine, *make_preset_in_stretches("plummer", config).bodies);
    EXPECT_EQ(in_stretches->save().bytes, in_memory->save().bytes);
    EXPECT_TRUE(in_stretches->heavy_bodies().empty());
}

TEST(BodiesInStretches, GiveTheSameSimulationAsBodiesInMemory) {
    const SceneRequest request{.source = "disc-galaxy", .bodies = kSome, .softening = 0.02, .dt = 0.01};
    const EngineConfig engine{.engine = "tree"};
    Simulation whole{open_scene(request), engine};
    auto [settings, bodies, all] = open_in_stretches(request, 100);
    EXPECT_EQ(all, kSome);
    ASSERT_EQ(bodies->in_memory(), nullptr);
    Simulation in_stretches{std::move(settings), *bodies, engine};
    EXPECT_EQ(in_stretches.encounters().metadata().mean_mass, whole.encounters().metadata().mean_mass);
    for (Simulation* each : {&whole, &in_stretches}) each->step();
    EXPECT_EQ(in_stretches.snapshot().bodies.bytes, whole.snapshot().bodies.bytes);
    EXPECT_EQ(in_stretches.scene().gravity.softening, 0.02);
}

TEST(BodiesInStretches, AreKeptInMemoryWhereEncountersChangeThem) {
    const auto opened = open_in_stretches({.source = "planetesimals", .bodies = 5'000}, 100);
    EXPECT_NE(opened.bodies->in_memory(), nullptr);
    EXPECT_EQ(opened.bodies->size(), 5'000u);
    EXPECT_EQ(open_in_stretches({.source = "plummer", .bodies = 100}, 100).bodies->in_memory()->size(), 100u);
}

/// Bodies at whole numbers; the one at `bad` has this x.
class Line final : public BodySource {
public:
    Line(std::size_t bad, double x) : bad_{bad}, x_{x} {}
    std::size_t size() const override { return kTwoStretches; }
    const Bodies& labels() const override { return labels_; }
    Equal masses_from(std::size_t i) const override { return {heavy(i) ? 1e9 + double(i) : 1.0, i + 1}; }
    void read(std::size_t first, std::span<Vec4d> x, std::span<Vec3d> v) const override {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t body = first + i;
            x[i] = {body == bad_ ? x_ : double(body), 0, 0, masses_from(body).mass}, v[i] = {};
        }
    }

private:
    static bool heavy(std::size_t i) { return i == 3 || i == kTwoStretches - 3; }
    std::size_t bad_;
    double x_;
    Bodies labels_;
};

TEST(BodiesInStretches, AreCheckedInEveryStretch) {
    const auto make = [](std::size_t bad, double x) { return make_body_system({.engine = "tree"}, Line{bad, x}); };
    expect_error([&] { make(kStretch + 4, 1e300); }, Blame::kUsage, "body 1048580", "does not fit single precision");
    expect_error([&] { make(kStretch - 1, std::numeric_limits<double>::infinity()); }, Blame::kUsage, "body 1048575",
                 "position");
    EXPECT_EQ(make(0, 0)->heavy_bodies(), (std::vector<std::uint32_t>{kTwoStretches - 3, 3}));
}

TEST(BodiesInStretches, AreMeasuredWhileTheyAreRead) {
    const Line line{kStretch + 1, -7};
    const Bodies bodies = all_bodies(line);
    const BodiesInMemory in_memory{bodies};
    const MeasuredSource whole{in_memory, kMeasuredSample}, part{line, kMeasuredSample};
    std::size_t reads = 0;
    for_stretches(part, [&](std::size_t, std::span<const Vec4d>, std::span<const Vec3d>) { ++reads; });
    EXPECT_EQ(reads, 2u);
    EXPECT_EQ(part.extent().count, kTwoStretches);
    EXPECT_EQ(part.extent().low, (Vec3d{-7, 0, 0}));
    EXPECT_EQ(part.extent().high, (Vec3d{double(kTwoStretches - 1), 0, 0}));
    EXPECT_EQ(part.extent().sample, whole.extent().sample);
    EXPECT_EQ(part.extent().sample.size(), kMeasuredSample);
}

TEST(BodiesInStretches, ErrorsOfTheNextStretchAreThrown) {
    class Fails final : public BodySource {
    public:
        std::size_t size() const override { return kTwoStretches; }
        const Bodies& labels() const override { return labels_; }
        Equal masses_from(std::size_t) const override { return {1, kTwoStretches}; }
        void read(std::size_t first, std::span<Vec4d>, std::span<Vec3d>) const override {
            if (first > 0) environment_error("the second stretch");
        }

    private:
        Bodies labels_;
    };
    std::size_t taken = 0;
    expect_error(
        [&] {
            for_stretches(Fails{},
                          [&](std::size_t, std::span<const Vec4d> x, std::span<const Vec3d>) { taken += x.size(); });
        },
        Blame::kEnvironment, "the second stretch");
    EXPECT_EQ(taken, kStretch);
}

}  // namespace
}  // namespace orrery::test
