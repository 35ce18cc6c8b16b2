// SPDX-License-Identifier: MIT
// OpenGL compute: thread maps in GLSL, limits of the device, and refusals.
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/gl/map_check.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/lab/exactness.hpp"
#include "core/maps/map.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/kept_state.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class OnGl : public ::testing::Test {
protected:
    void SetUp() override {
        if (!gl_compute_info().available) skip_or_fail(gl_compute_info().reason);
    }
    static EngineConfig config(const char* engine) { return {.engine = engine, .backend = Backend::kGl}; }
    /// The message with which `work` is refused; empty if it is not.
    template <class Work>
    static std::string refusal(Blame blame, const Work& work) {
        try {
            work();
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), blame) << error.what();
            return error.what();
        }
    }
};

/// Block by block.
TEST_F(OnGl, EveryMapAndRootGivesTheTilesOfTheHost) {
    const std::uint32_t most = has_gl_hardware() ? 1000 : everyday(257u, 1000u);
    for (const std::span<const MapEntry> menu : {maps(), study_maps()})
        for (const MapEntry& map : menu)
            for (const RootEntry& root : roots()) {
                if (!map.takes_root && root.id != roots().front().id) continue;
                // The exact range of a published form depends on the roots of the driver.
                const std::uint32_t exact =
                    map.for_study ? first_wrong_row({map.map, root.root}, 1001, Backend::kGl) : kNarrowRows;
                for (const std::uint32_t rows : {1u, 2u, 3u, 7u, 8u, 33u, 64u, 100u, 255u, 257u, 512u, 1000u}) {
                    if (rows > std::min({most, exact, exact_rows(map, root.root, Backend::kGl)})) continue;
                    const MapPlan plan{map, root, rows};
                    const std::vector<Tile> found = gl::tiles_on_device(map, root, rows);
                    ASSERT_EQ(found.size(), plan.launched());
                    for (std::uint64_t block = 0; block < found.size(); ++block) {
                        const Tile wanted = plan.tile(block_at(plan.grid(), block));
                        if (!useful(wanted, rows) && !useful(found[block], rows)) continue;
                        ASSERT_EQ(found[block], wanted)
                            << map.id << ' ' << root.id << ", " << rows << " rows, block " << block;
                    }
                }
            }
}

/// Rows at which the arguments of roots have the most digits. Every day on software OpenGL, roots take turns.
TEST_F(OnGl, EveryMapPlacesEachTileOnceUpToTheMostRows) {
    const std::uint32_t most = runs_long() ? kNarrowRows : has_gl_hardware() ? 2049 : 1025;
    const std::size_t of = has_gl_hardware() ? 1 : everyday<std::size_t>(4, 1);
    std::size_t turn = 0;
    for (const MapEntry& map : maps())
        for (const RootEntry& root : roots()) {
            if (map.reads_table || (!map.takes_root && root.id != roots().front().id)) continue;
            if (map.takes_root && turn++ % of != 0) continue;
            EXPECT_EQ(refusal(Blame::kUsage,
                              [&] { gl::Device::get().run([&] { gl::require_every_tile(map, root, most, 0); }); }),
                      "")
                << map.id << ' ' << root.id;
        }
}

/// The text that the package orrery-maps installs: a range at the start and one at the end of the 32-bit indices.
TEST_F(OnGl, ExactMapsInGlslPlaceEveryIndex) {
    constexpr std::array<std::uint64_t, 5> kCounts{0, 0, exact::pair_count(exact::kNarrowRows),
                                                   exact::triple_count(exact::kNarrowLayers3),
                                                   exact::quadruple_count(exact::kNarrowLayers4)};
    for (const int order : {2, 3, 4}) {
        const auto count = static_cast<std::uint32_t>(kCounts[static_cast<std::size_t>(order)]);
        const std::uint32_t part = runs_long() ? count / 2 : 3'000'000;
        EXPECT_EQ(gl::exact_misplaced(order, 0, part, 2049), 0) << order;
        EXPECT_EQ(gl::exact_misplaced(order, count - part, count, exact::kNarrowRows), 0) << order;
    }
}

TEST_F(OnGl, RefusesAMapThatMisplacesTiles) {
    const RootEntry& newton = root("newton");
    const MapEntry& published = map("lambda-published");
    const std::string why = refusal(
        Blame::kUsage, [&] { gl::Device::get().run([&] { gl::require_every_tile(published, newton, 4000, 0); }); });
    EXPECT_THAT(why, AllOf(HasSubstr("lambda-published"), HasSubstr("newton"), HasSubstr("4000 rows")));
}

TEST_F(OnGl, RefusesMoreRowsThanIndicesOf32Bits) {
    EXPECT_EQ(refusal(Blame::kUsage, [] { gl::require_rows(map("bb"), kNarrowRows); }), "");
    EXPECT_THAT(refusal(Blame::kUsage, [] { gl::require_rows(map("bb"), kNarrowRows + 1); }),
                AllOf(HasSubstr("map bb on gl"), HasSubstr("32769"), HasSubstr("larger tiles")));
}

TEST_F(OnGl, RefusesBuffersBeyondTheLimit) {
    const std::uint64_t limit = gl::Device::get().limits().buffer_bytes;
    EXPECT_THAT(refusal(Blame::kEnvironment, [limit] { gl::Buffer{limit + 1}; }), HasSubstr(std::to_string(limit)));
}

/// Sets limits of the device until the end of a test.
class Pretending {
public:
    explicit Pretending(const gl::Pretended& limits) { gl::Device::get().pretended() = limits; }
    Pretending(const Pretending&) = delete;
    Pretending& operator=(const Pretending&) = delete;
    ~Pretending() { gl::Device::get().pretended() = {}; }
};

TEST_F(OnGl, RefusesBodiesBeyondTheLimitOfABlockByName) {
    const Scene scene = make_preset("plummer", {.bodies = 5000});
    const Pretending limit{{.buffer_bytes = 64'000}};
    EXPECT_THAT(refusal(Blame::kEnvironment, [&] { make_body_system(config("direct"), scene.bodies); }),
                AllOf(HasSubstr("engine 'direct' on gl has no room for 5000 bodies"), HasSubstr("80000 bytes"),
                      HasSubstr("64000 bytes"), HasSubstr("another backend"), Not(HasSubstr("\n"))));
}

/// There is no room for the cells of a tree: the bodies remain, and another backend continues with them.
TEST_F(OnGl, LackOfMemoryIsReportedAndAnotherBackendContinues) {
    Simulation simulation{make_preset("plummer", {.bodies = 500}), config("direct")};
    simulation.step();
    const Vec4d before = simulation.system().bodies().position_mass[42];
    const Pretending full{{.memory = gl::Device::get().counts().memory}};
    EXPECT_THAT(refusal(Blame::kEnvironment,
                        [&] {
                            simulation.set_engine(config("tree"));
                            simulation.step();
                        }),
                AllOf(HasSubstr("engine 'tree' on gl has no room for 500 bodies"),
                      HasSubstr("use fewer bodies, another engine or another backend"), Not(HasSubstr("\n"))));
    simulation.set_engine({.engine = "direct"});
    EXPECT_EQ(simulation.system().bodies().position_mass[42], before);
    simulation.step();
    EXPECT_EQ(simulation.now().steps, 2);
}

/// As on a GPU so slow that each dispatch of the build must be cut.
TEST_F(OnGl, CutBuildsOfATreeGiveTheSameBits) {
    const Bodies bodies = rounded(ball(3000), Precision::kSingle);
    const auto evaluated = [&](double slowness, std::uint64_t& dispatches) {
        const Pretending slow{{.slowness = slowness}};
        const auto system = make_body_system(config("tree"), bodies);
        for (int i = 0; i < 2; ++i) {  // the first one measures
            const std::uint64_t before = gl::Device::get().counts().dispatches;
            system->run_forces(0, system->begin_forces({.softening = 0.01}, Potential::kSkip));
            system->wait();
            dispatches = gl::Device::get().counts().dispatches - before;
        }
        return system->accelerations();
    };
    std::uint64_t whole = 0, cut = 0;
    const auto wanted = evaluated(1, whole), found = evaluated(1e5, cut);
    EXPECT_GT(cut, whole);
    EXPECT_EQ(found, wanted);
}

TEST_F(OnGl, ReportsTheCompilerLogOfARefusedShader) {
    const std::string why = refusal(Blame::kEnvironment, [] {
        gl::Device::get().run(
            [] { gl::Device::get().program("bodies.comp:move", "#define DOUBLE 0\n#error no such driver\n"); });
    });
    EXPECT_THAT(why, AllOf(HasSubstr("refuses the shader bodies.comp:move"), HasSubstr("no such driver"),
                           Not(HasSubstr("\n"))));
}

/// An engine that computes no accelerations.
class Idle final : public Engine<Gl, float> {
public:
    std::uint64_t begin(BodyView<Gl, float>, const Gravity&, Potential, Queue<Gl>) override { return 1; }
    void run(std::uint64_t, std::uint64_t, Queue<Gl>) override {}
};

TEST_F(OnGl, RefusesAnEngineWithWrongResultsByNameAlsoLater) {
    const gl::CheckedVariant variant{.engine = "idle",
                                     .defines = "none",
                                     .gravity = {},
                                     .potential = false,
                                     .split = false,
                                     .bodies = 40,
                                     .tolerance = 1e-5};
    int made = 0;
    for (int turn = 0; turn < 2; ++turn)
        EXPECT_THAT(refusal(Blame::kEnvironment,
                            [&] {
                                gl::Device::get().run([&] {
                                    gl::require_correct<float>(variant,
                                                               [&] { return ++made, std::make_unique<Idle>(); });
                                });
                            }),
                    AllOf(HasSubstr("'idle' on gl"), HasSubstr(gl_compute_info().devices.front().renderer),
                          HasSubstr("another backend")));
    EXPECT_EQ(made, 1) << "checked once";
}

TEST_F(OnGl, RefusesRanks) {
    ThreadRanks::run(2, [](Ranks& ranks) {
        EXPECT_THAT(
            refusal(Blame::kUsage, [&] { make_body_system(config("direct"), ball(10), Urgency::kNormal, &ranks); }),
            HasSubstr("in one process"));
    });
}

TEST_F(OnGl, RefusesSchemesThatNeedJerksOrDueBodies) {
    EXPECT_EQ(make_body_system(config("direct"), ball(10))->steps(), nullptr);
    EXPECT_FALSE(engine("direct", Backend::kGl).capabilities.has_any({Capability::kJerk, Capability::kDue}));
}

/// All presets that gravitate, at a size at which single sums lose digits.
TEST_F(OnGl, SumsInTwoLevelsKeepTheirDigits) {
    const std::size_t bodies = has_gl_hardware() ? 131'072 : everyday(8192, 16'384);
    const Bodies many = rounded(ball(bodies), Precision::kSingle);
    for (const char* id : {"direct", "half"}) {
        const auto system = make_body_system(config(id), many);
        const Gravity gravity{.softening = 0.01};
        system->run_forces(0, system->begin_forces(gravity, Potential::kSkip));
        system->wait();
        EXPECT_LE(system->force_error(gravity, 64).rms, 5e-7) << id;
    }
}

/// Every preset that gravitates: errors of sums that a few heavy or near bodies dominate.
TEST_F(OnGl, EveryPresetKeepsTheDigitsOfItsPrecision) {
    constexpr std::array kIds{"direct", "half", "tree"};
    std::size_t turn = 0;
    for (const PresetEntry& preset : presets()) {
        if (!preset.gravitates) continue;
        const Scene scene = make_preset(
            preset.id, preset.fixed_count ? PresetConfig{}
                                          : PresetConfig{.bodies = has_gl_hardware() ? 1500u : everyday(700u, 1500u)});
        ++turn;
        for (const char* id : kIds) {
            // On software OpenGL the everyday run takes each preset with one engine.
            if (id != kIds[turn % kIds.size()] && !has_gl_hardware() && !runs_long()) continue;
            for (const Precision precision : {Precision::kSingle, Precision::kMixed}) {
                EngineConfig asked = config(id);
                asked.precision = precision;
                const auto system = make_body_system(asked, rounded(scene.bodies, precision));
                system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
                system->wait();
                const double most = std::string{id} == "tree" ? engine(id, Backend::kGl).tolerance(asked) : 5e-7;
                EXPECT_LE(system->force_error(scene.gravity, 500).rms, most) << preset.id << ' ' << id;
            }
        }
    }
}

/// The cells of `tree` on a backend after one evaluation.
std::vector<TreeCell> cells_on(Backend backend, const Bodies& bodies, int leaf) {
    const EngineConfig config{.engine = "tree", .backend = backend, .tree = {.theta = 0.7, .leaf = leaf}};
    const auto system = make_body_system(config, bodies);
    system->run_forces(0, system->begin_forces({.softening = 0.01}, Potential::kSkip));
    system->wait();
    return system->engine_cells(1u << 30);
}

/// The same keys, sorted, and divided at the same places: around the sizes of work groups, with bodies that coincide,
/// and with leaves larger than some cells of the last level.
TEST_F(OnGl, TreeHasTheCellsOfTheHost) {
    std::vector<Bodies> all;
    for (const std::size_t count : {1u, 2u, 16u, 17u, 255u, 256u, 257u, 2047u, 2048u, 2049u, everyday(3000u, 5000u)})
        all.push_back(rounded(ball(count), Precision::kSingle));
    Bodies crowd = all.back();
    for (std::size_t i = 0; i < 300; ++i)
        crowd.position_mass[7 * i].x = crowd.position_mass[0].x,
                                crowd.position_mass[7 * i].y = crowd.position_mass[0].y,
                                crowd.position_mass[7 * i].z = crowd.position_mass[0].z;
    all.push_back(crowd);
    // Groups of 2 and of 40 bodies that have the upper 48 bits of their keys in common.
    for (const std::size_t close : {2u, 40u}) {
        Bodies groups = all[10];
        for (std::size_t i = 0; i + close < 2000; i += close)
            for (std::size_t k = 1; k < close; ++k) {
                Vec4d& body = groups.position_mass[i + k] = groups.position_mass[i];
                body.x -= 3e-6 * static_cast<double>(k), body.y += 2e-6 * static_cast<double>(k % 3);
            }
        all.push_back(rounded(groups, Precision::kSingle));
    }
    Bodies one_place = all[4];
    for (Vec4d& body : one_place.position_mass) body = {0.5, 0.25, -1, 1};
    all.push_back(one_place);
    for (const Bodies& bodies : all)
        for (const int leaf : {8, 16, 32}) {
            const auto found = cells_on(Backend::kGl, bodies, leaf), wanted = cells_on(Backend::kCpu, bodies, leaf);
            ASSERT_EQ(found.size(), wanted.size()) << bodies.size() << " bodies, leaves of " << leaf;
            for (std::size_t i = 0; i < found.size(); ++i) {
                ASSERT_EQ(found[i].level, wanted[i].level) << i;
                ASSERT_EQ(found[i].bodies, wanted[i].bodies) << i;
                ASSERT_EQ(found[i].leaf, wanted[i].leaf) << i;
            }
        }
}

/// Each body has the label of its leaf.
TEST_F(OnGl, TreeLabelsItsLeaves) {
    const EngineConfig asked{.engine = "tree", .backend = Backend::kGl, .tree = {.theta = 0.7}};
    const auto system = make_body_system(asked, ball(3000));
    Frame frame;
    system->fill(frame, {.by = ColorBy::kLevel, .forces = true});
    EXPECT_FALSE(frame.no_color.empty()) << "there is no tree yet";
    system->run_forces(0, system->begin_forces({.softening = 0.01}, Potential::kSkip));
    system->wait();
    std::map<int, std::uint64_t> wanted, found;
    for (const TreeCell& cell : system->engine_cells(1u << 30))
        if (cell.leaf) wanted[cell.level] += cell.bodies;
    system->fill(frame, {.by = ColorBy::kLevel, .forces = true});
    ASSERT_EQ(frame.no_color, "");
    for (const Vec4f& vertex : frame.host) ++found[static_cast<int>(vertex.w)];
    EXPECT_EQ(found, wanted);
}

/// A simulation of a few bodies, and the step of which it kept the state.
class AfterALoss : public OnGl {
protected:
    static Simulation simulation(const char* id) {
        Scene scene = make_preset("plummer", {.bodies = 300});
        return Simulation{scene, config(id)};
    }
};

TEST_F(AfterALoss, TheRunContinuesFromTheKeptState) {
    for (const char* id : {"direct", "half", "tree"}) {
        Simulation whole = simulation(id), broken = simulation(id);
        for (int i = 0; i < 6; ++i) whole.step();
        const auto wanted = whole.snapshot();
        KeptState kept;
        for (int i = 0; i < 3; ++i) broken.step();
        kept.keep(broken);
        broken.step();
        gl::Device::get().pretend_loss();
        try {
            broken.step();
            FAIL() << "the loss was not noticed";
        } catch (const DeviceLost& lost) {
            const std::string line = kept.restore(broken, lost);
            EXPECT_THAT(line, AllOf(HasSubstr("has reset the device"), HasSubstr("another backend"),
                                    HasSubstr("from step 3"), Not(HasSubstr("\n"))));
        }
        EXPECT_EQ(broken.now().steps, 3);
        for (int i = 0; i < 3; ++i) broken.step();
        const auto found = broken.snapshot();
        EXPECT_EQ(found.bodies.bytes, wanted.bodies.bytes) << id << ": the same bits as without the loss";
    }
}

TEST_F(AfterALoss, UnrestoredBodiesAreRefused) {
    Simulation lost = simulation("direct"), other = simulation("direct");
    lost.step(), other.step();
    KeptState kept;
    kept.keep(other);
    gl::Device::get().pretend_loss();
    EXPECT_THROW(other.step(), DeviceLost);
    kept.restore(other, DeviceLost{"lost"});
    EXPECT_THROW(lost.step(), DeviceLost) << "its buffers are those of the device before it was lost";
    other.step();
    EXPECT_EQ(other.now().steps, 2);
}

TEST_F(AfterALoss, TheLossIsReportedIfNoStateWasKept) {
    Simulation lost = simulation("direct");
    gl::Device::get().pretend_loss();
    const KeptState none;
    try {
        lost.step();
        FAIL() << "the loss was not noticed";
    } catch (const DeviceLost& error) {
        EXPECT_THROW(none.restore(lost, error), DeviceLost);
    }
    reopen_lost_gl_device();  // later tests need it
}

TEST(GlChoice, RefusesAnotherDeviceOnceOneIsOpen) {
    if (!gl_compute_info().available) skip_or_fail(gl_compute_info().reason);
    choose_gl_device("");
    EXPECT_THROW(choose_gl_device("no such device"), Error);
}

TEST(GlChoice, NeverTakesSoftwareOpenGlByItself) {
    for (const EngineEntry& entry : gl_engines()) {
        if (!has_gl_hardware()) {
            EXPECT_NE(default_backend(entry.id), Backend::kGl) << entry.id;
        }
        EXPECT_NE(find_engine(entry.id, Backend::kCpu), nullptr) << entry.id;
    }
}

TEST(GlChoice, NamesTheBackendInMenus) {
    EXPECT_EQ(parse_backend("gl"), Backend::kGl);
    for (const Backend backend : backends()) EXPECT_EQ(parse_backend(name(backend)), backend);
    EXPECT_THROW(parse_backend("vulkan"), Error);
}

}  // namespace
}  // namespace orrery::test
