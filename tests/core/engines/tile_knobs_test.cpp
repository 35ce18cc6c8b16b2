// SPDX-License-Identifier: MIT
// Every k × u of the tiled kernel, with several p × q: the forces do not depend on the shape of the tile.
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

/// True if the configuration is refused with a clear error: many registers and many threads do not fit together.
bool refused(const EngineConfig& config) {
    try {
        accelerations(config, ball(2), {});
        return false;
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kUsage);
        EXPECT_NE(std::string{error.what()}.find("threads on this device"), std::string::npos) << error.what();
        EXPECT_GE(config.tile.p * config.tile.q, 256) << error.what();
        return true;
    }
}

class TileKnobs : public NeedsEngine {};

TEST_P(TileKnobs, DoNotChangeTheForces) {
    const Gravity gravity{.softening = 0.01}, bare{.softening = 0};
    for (const std::size_t count : {33, 2500}) {
        const Bodies bodies = rounded(ball(count), GetParam().precision);
        const EngineConfig reference{.engine = "reference", .precision = Precision::kDouble};
        const auto wanted = accelerations(reference, bodies, gravity),
                   wanted_bare = accelerations(reference, bodies, bare);
        EngineConfig config = GetParam().config();
        std::size_t shape = 0;
        for (const int k : {1, 2, 4, 8})
            for (const int u : {1, 2, 4, 8, 16, 32})
                for (const auto& [p, q] : {std::pair{32, 1}, {64, 8}, {96, 2}, {256, 1}}) {
                    // Software OpenGL compiles a shader in a quarter of a second.
                    if (shape++ % GetParam().few_on_host(23u, 1u) != 0) continue;
                    config.tile = {p, u, q, k};
                    const double tolerance = GetParam().tolerance();
                    if (refused(config)) continue;
                    EXPECT_LE(compare(accelerations(config, bodies, gravity), wanted).rms, tolerance)
                        << "p " << p << " u " << u << " q " << q << " k " << k << ", " << count << " bodies";
                    EXPECT_LE(compare(accelerations(config, bodies, bare), wanted_bare).rms, 2 * tolerance)
                        << "bare, p " << p << " u " << u << " q " << q << " k " << k << ", " << count << " bodies";
                }
    }
}

TEST_P(TileKnobs, RefuseUnsupportedShapes) {
    const Bodies bodies = ball(64);
    EngineConfig config = GetParam().config();
    for (const TileConfig& tile :
         {TileConfig{.p = 33}, {.p = 2048}, {.u = 3}, {.q = 5}, {.k = 3}, {.p = 1024, .q = 2}}) {
        config.tile = tile;
        EXPECT_THROW(accelerations(config, bodies, {}), Error)
            << tile.p << ' ' << tile.u << ' ' << tile.q << ' ' << tile.k;
    }
}

std::vector<EngineCase> with_knobs() {
    std::vector<EngineCase> cases;
    for (const EngineCase& c : every_engine())
        if (c.entry->has_tiles()) cases.push_back(c);
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Menu, TileKnobs, ::testing::ValuesIn(with_knobs()), case_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TileKnobs);  // a build without CUDA has none

}  // namespace
}  // namespace orrery::test
