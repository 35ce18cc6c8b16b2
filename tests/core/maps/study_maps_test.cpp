// SPDX-License-Identifier: MIT
// Published maps in engines: correct within their range, and refused beyond it by an error that names it.
#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/maps/maps.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

class StudyMaps : public NeedsEngine {
protected:
    static EngineConfig with(const char* map, const RootEntry& root, int rows) {
        EngineConfig config = GetParam().config();
        config.map = map, config.root = root.id, config.tile_size = rows;
        return config;
    }
    static std::string refusal(const EngineConfig& config, std::size_t bodies) {
        try {
            make_body_system(config, ball(bodies))->begin_forces({.softening = 0.01}, Potential::kSkip);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
            return error.what();
        }
    }
};

TEST_P(StudyMaps, GiveCorrectForcesWithinTheirRange) {
    const Bodies bodies = rounded(ball(1500), GetParam().precision);
    const EngineConfig reference{.engine = "reference", .precision = Precision::kDouble};
    const auto wanted = accelerations(reference, bodies, {.softening = 0.01});
    for (const char* map : {"lambda-published", "lambda-offset", "lambda-published-grid"})
        for (const RootEntry& root : roots()) {
            // The exact range on OpenGL depends on the roots of the driver; the engine checks each tile.
            if (GetParam().entry->backend == Backend::kGl &&
                refusal(with(map, root, 32), bodies.size()).find("misplaces") != std::string::npos)
                continue;
            const auto found = accelerations(with(map, root, 32), bodies, {.softening = 0.01});
            EXPECT_LE(compare(found, wanted).rms, GetParam().tolerance()) << map << ' ' << root.id;
        }
}

TEST_P(StudyMaps, AreRefusedByNameBeyondTheirRange) {
    const Backend where = GetParam().entry->backend;
    for (const char* map : {"lambda-published", "lambda-offset", "lambda-published-grid"}) {
        const RootEntry& newton = root("newton");
        const std::uint32_t rows = exact_rows(orrery::map(map), newton.root, where);
        EXPECT_EQ(refusal(with(map, newton, 32), std::size_t{32} * rows), "") << map;
        const std::string error = refusal(with(map, newton, 32), std::size_t{32} * rows + 1);
        for (const std::string& word : {std::string{map}, std::string{"newton"}, std::to_string(rows) + " rows",
                                        "on " + std::string{name(where)}, std::to_string(rows + 1)})
            EXPECT_NE(error.find(word), std::string::npos) << "no " << word << ": " << error;
    }
}

std::vector<EngineCase> with_maps() {
    std::vector<EngineCase> cases = every_engine();
    std::erase_if(cases, [](const EngineCase& c) { return !c.entry->walks_pairs(); });
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Menu, StudyMaps, ::testing::ValuesIn(with_maps()), case_name);

}  // namespace
}  // namespace orrery::test
