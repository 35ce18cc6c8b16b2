// SPDX-License-Identifier: MIT
// Engine and backend chosen by keys and panels, on machines with and without a GPU.
#include "app/window/engine/engine_choice.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/engines/entries.hpp"
#include "core/engines/menu.hpp"

namespace orrery::test {
namespace {

constexpr const char* kNoDriver = "no CUDA driver";

EngineEntry line(std::string_view id, Backend backend, bool mixed = true) {
    EngineEntry entry{};
    entry.id = entry.label = id;
    entry.backend = backend;
    if (mixed) entry.capabilities.add(Capability::kMixed);
    if (id == "triplet") entry.capabilities.add(Capability::kTripleMap);
    if (id == "tree-locks") entry.capabilities.add(Capability::kTree);
    return entry;
}

/// Entries as in a build with CUDA.
const std::vector<EngineEntry> kLines{line("reference", Backend::kCpu, false),
                                      line("direct", Backend::kCpu),
                                      line("direct", Backend::kCuda),
                                      line("half", Backend::kCpu),
                                      line("half", Backend::kCuda),
                                      line("tree", Backend::kCpu),
                                      line("tree", Backend::kCuda),
                                      line("triplet", Backend::kCpu),
                                      line("triplet", Backend::kCuda),
                                      line("auto", Backend::kCpu),
                                      line("auto", Backend::kCuda),
                                      line("naive", Backend::kCuda, false),
                                      line("tree-locks", Backend::kCuda, false)};

EngineMenu with_card() {
    return {kLines, [](const EngineEntry&) { return std::string{}; }};
}
EngineMenu without_card() {
    return {kLines, [](const EngineEntry& entry) { return entry.backend == Backend::kCuda ? kNoDriver : ""; }};
}

TEST(EngineKeys, SelectEachEngineAtMostOnce) {
    const auto keys = engine_keys();
    EXPECT_EQ(std::ranges::count(keys, "reference"), 0);
    EXPECT_LE(keys.size(), 9u) << "keys are digits";
    for (const std::string_view id : keys) {
        EXPECT_EQ(std::ranges::count(keys, id), 1) << id;
        EXPECT_GT(std::ranges::count(engines(), id, &EngineEntry::id), 0) << id;
    }
    EXPECT_EQ(key_tip("half"), "Key 2") << "the window's hint for engines without a map names this key";
    EXPECT_EQ(key_tip("tree"), "Key 3") << "the window's hint for engines without a tree names this key";
    EXPECT_EQ(key_tip("reference"), "");
}

TEST(EngineKeys, KeepTheCurrentBackend) {
    for (const Backend backend : {Backend::kCpu, Backend::kCuda})
        for (const char* id : {"direct", "half", "tree", "auto", "triplet"}) {
            const EngineChange change = to_engine({.engine = "direct", .backend = backend}, id, with_card());
            EXPECT_TRUE(change.possible);
            EXPECT_EQ(change.config.engine, id);
            EXPECT_EQ(change.config.backend, backend) << id;
        }
}

TEST(EngineKeys, SwitchBackendWithANoteIfTheEngineRequiresIt) {
    const EngineChange change = to_engine({.engine = "half", .backend = Backend::kCpu}, "naive", with_card());
    EXPECT_TRUE(change.possible);
    EXPECT_EQ(change.config.backend, Backend::kCuda);
    EXPECT_EQ(change.words, "Engine: naive on cuda (naive has no cpu version)");
    const EngineChange back = to_engine({.engine = "half", .backend = Backend::kCuda}, "reference", with_card());
    EXPECT_EQ(back.config.backend, Backend::kCpu);
}

TEST(EngineKeys, ReportWhyAnEngineCannotRunAndChangeNothing) {
    const EngineConfig now{.engine = "half", .precision = Precision::kMixed, .tile_size = 64};
    const EngineChange change = to_engine(now, "naive", without_card());
    EXPECT_FALSE(change.possible);
    EXPECT_EQ(change.config, now);
    EXPECT_EQ(change.words, "Engine naive cannot run here: no CUDA driver");
    EXPECT_TRUE(to_engine(now, "tree", without_card()).possible);
}

TEST(EngineKeys, KeepThePrecisionIfTheEngineSupportsIt) {
    for (const Precision precision : precisions()) {
        const EngineConfig now{.engine = "direct", .backend = Backend::kCuda, .precision = precision};
        EXPECT_EQ(to_engine(now, "half", with_card()).config.precision, precision);
    }
    const EngineChange change =
        to_engine({.backend = Backend::kCuda, .precision = Precision::kMixed}, "tree-locks", with_card());
    EXPECT_EQ(change.config.precision, Precision::kDouble) << "positions keep their digits";
    EXPECT_EQ(change.words, "Engine: tree-locks on cuda, in double precision because it lacks mixed");
}

TEST(BackendKey, SwitchesThereAndBackWithTheSameEngine) {
    const EngineConfig now{.engine = "half", .precision = Precision::kDouble, .map = "rb", .deterministic = true};
    const EngineChange there = to_other_backend(now, with_card());
    EXPECT_EQ(there.words, "Backend: half on cuda");
    EXPECT_EQ(there.config.backend, Backend::kCuda);
    EXPECT_EQ(to_other_backend(there.config, with_card()).config, now);
}

TEST(BackendKey, CyclesThroughTheBackendsThatRunTheEngine) {
    const std::vector<EngineEntry> lines{line("direct", Backend::kCpu), line("direct", Backend::kCuda),
                                         line("direct", Backend::kGl), line("tree", Backend::kCpu),
                                         line("tree", Backend::kCuda)};
    const auto without = [&](std::optional<Backend> none) {
        return EngineMenu{lines, [none](const EngineEntry& entry) { return entry.backend == none ? kNoDriver : ""; }};
    };
    const auto next = [](const char* id, Backend from, const EngineMenu& menu) {
        return to_other_backend({.engine = id, .backend = from}, menu).config.backend;
    };
    EXPECT_EQ(next("direct", Backend::kCpu, without(std::nullopt)), Backend::kCuda);
    EXPECT_EQ(next("direct", Backend::kCuda, without(std::nullopt)), Backend::kGl);
    EXPECT_EQ(next("direct", Backend::kGl, without(std::nullopt)), Backend::kCpu);
    EXPECT_EQ(next("direct", Backend::kCpu, without(Backend::kCuda)), Backend::kGl);
    EXPECT_EQ(next("direct", Backend::kCuda, without(Backend::kGl)), Backend::kCpu);
    EXPECT_EQ(next("tree", Backend::kCuda, without(std::nullopt)), Backend::kCpu) << "gl has no tree";
    const EngineChange tree = to_engine({.engine = "direct", .backend = Backend::kGl}, "tree", without(Backend::kCuda));
    EXPECT_EQ(tree.config.backend, Backend::kCpu);
    EXPECT_EQ(tree.words, "Engine: tree on cpu (tree has no gl version)");
}

TEST(BackendKey, ReportsWhyTheBackendCannotChange) {
    const EngineChange no_card = to_other_backend({.engine = "half"}, without_card());
    EXPECT_FALSE(no_card.possible);
    EXPECT_EQ(no_card.words, "half stays on cpu; cuda: no CUDA driver");
    const EngineChange naive = to_other_backend({.engine = "naive", .backend = Backend::kCuda}, with_card());
    EXPECT_FALSE(naive.possible);
    EXPECT_EQ(naive.words, "naive stays on cuda; cpu: naive has no cpu version");
}

TEST(BackendKey, ResetsSizesOfTheOtherBackend) {
    EngineConfig now{.engine = "tree", .tile_size = 96, .compensated = true};
    now.tree = {.theta = 0.7, .order = 2, .leaf = 8, .group = 24};  // CUDA has no groups of 24
    const EngineConfig there = to_other_backend(now, with_card()).config;
    EXPECT_EQ(there.tree, (TreeConfig{.theta = 0.7, .order = 2}));
    EXPECT_EQ(there.tile_size, 0);
    EXPECT_FALSE(there.compensated) << "only on the CPU";
    EXPECT_EQ(to_engine(now, "half", with_card()).config.tile_size, 96) << "sizes are kept on the same backend";
    EXPECT_EQ(to_engine(now, "triplet", with_card()).config.tile_size, 0) << "triplets have other tile sizes";
}

}  // namespace
}  // namespace orrery::test
