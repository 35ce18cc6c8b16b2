// SPDX-License-Identifier: MIT
// OpenGL compute: thread maps in GLSL, limits of the device, and refusals.
#include <gmock/gmock.h>

#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/gl/map_check.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/rows.hpp"
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
    for (const std::span<const MapEntry> menu : {maps(), study_maps()})
        for (const MapEntry& map : menu)
            for (const RootEntry& root : roots()) {
                if (!map.takes_root && root.id != roots().front().id) continue;
                for (const std::uint32_t rows : {1u, 2u, 3u, 7u, 8u, 33u, 64u, 100u, 255u, 512u, 1000u}) {
                    if (rows > exact_rows(map, root.root, Backend::kGl)) continue;
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

/// Rows at which the arguments of roots have the most digits.
TEST_F(OnGl, EveryMapPlacesEachTileOnceUpToTheMostRows) {
    const std::uint32_t most = runs_long() ? kNarrowRows : 2049;
    for (const MapEntry& map : maps())
        for (const RootEntry& root : roots()) {
            if (map.reads_table || (!map.takes_root && root.id != roots().front().id)) continue;
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

TEST_F(OnGl, ReportsTheLogOfACompilerThatRefusesAShader) {
    const std::string why = refusal(Blame::kEnvironment, [] {
        gl::Device::get().run(
            [] { gl::Device::get().program("move.comp", "#define DOUBLE 0\n#error no such driver\n"); });
    });
    EXPECT_THAT(why,
                AllOf(HasSubstr("refuses the shader move.comp"), HasSubstr("no such driver"), Not(HasSubstr("\n"))));
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
    const std::size_t bodies = has_gl_hardware() ? 131'072 : 16'384;
    const Bodies many = rounded(ball(bodies), Precision::kSingle);
    for (const char* id : {"direct", "half"}) {
        const auto system = make_body_system(config(id), many);
        const Gravity gravity{.softening = 0.01};
        system->run_forces(0, system->begin_forces(gravity, Potential::kSkip));
        system->wait();
        EXPECT_LE(system->force_error(gravity, 64).rms, 5e-7) << id;
    }
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
