// SPDX-License-Identifier: MIT
// The engine `auto` beyond the tests of every engine: its choice, its report of the choice, and its delegation.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/auto_plan.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

const Gravity kAutoGravity{.constant = 1.5, .softening = 0.01};

class AutoEngine : public NeedsEngine {
protected:
    /// The configuration that `auto` chose: the candidate whose description `choice` begins with.
    static EngineConfig named(const EngineConfig& asked, const std::string& choice, std::size_t bodies) {
        const auto candidates = auto_candidates(asked, bodies);
        std::vector<EngineConfig> all = candidates;
        for (const EngineConfig& each : candidates)
            for (const EngineConfig& other : auto_maps(each, bodies)) all.push_back(other);
        for (const EngineConfig& each : all)
            if (choice.starts_with(describe(each) + ": ")) return each;
        ADD_FAILURE() << "no candidate matches: " << choice;
        return asked;
    }
    static std::string choice_for(BodySystem& system) {
        system.run_forces(0, system.begin_forces(kAutoGravity, Potential::kSkip));
        system.wait();
        return system.engine_choice();
    }
};

TEST_P(AutoEngine, DelegatesToTheEngineItNames) {
    for (const std::size_t count : {1, 300, 3000}) {
        const Bodies bodies = ball(count);
        const auto system = make_body_system(GetParam().config(), bodies);
        EXPECT_EQ(system->engine_choice(), "") << "nothing was tried yet";
        const std::string choice = choice_for(*system);
        const EngineConfig taken = GetParam().deterministic ? auto_by_rule(GetParam().config(), count)
                                                            : named(GetParam().config(), choice, count);
        EXPECT_EQ(taken.backend, GetParam().entry->backend);
        EXPECT_EQ(taken.precision, GetParam().precision);
        const auto inner = make_body_system(taken, bodies);
        const std::string inner_choice = choice_for(*inner);
        EXPECT_TRUE(choice.ends_with(inner_choice)) << choice << "; not: " << inner_choice;
        if (engine(taken.engine, taken.backend).repeats(taken)) {
            EXPECT_EQ(system->accelerations(), inner->accelerations()) << choice;
        }
    }
}

TEST_P(AutoEngine, ReportsItsTrials) {
    const auto system = make_body_system(GetParam().config(), ball(2000));
    const std::string choice = choice_for(*system);
    if (GetParam().deterministic) {
        EXPECT_NE(choice.find("by the number of bodies alone"), std::string::npos) << choice;
        return;
    }
    for (const char* word : {"direct", "half", "ρ ", " ms", " tried in "})
        EXPECT_NE(choice.find(word), std::string::npos) << choice << ": " << word;
}

TEST_P(AutoEngine, ChoosesHalfMatrixWhereItIsMuchFaster) {
    if (GetParam().deterministic) return;
    if (std::getenv("ORRERY_TEST_SLOWNESS")) GTEST_SKIP() << "sanitizers slow engines down unequally";
    EngineConfig config = GetParam().config();
    config.threads = 2;  // with many threads, so few bodies would be too few tiles for it
    // Trials measure wall time: on a busy machine one may be unlucky, but not all of them.
    std::string choice;
    for (int attempt = 0; attempt < 20 && !choice.starts_with("half"); ++attempt)
        choice = choice_for(*make_body_system(config, ball(16384)));
    EXPECT_TRUE(choice.starts_with("half")) << choice;
}

INSTANTIATE_TEST_SUITE_P(Menu, AutoEngine, ::testing::ValuesIn([] {
                             std::vector<EngineCase> cases = every_engine();
                             std::erase_if(cases, [](const EngineCase& c) { return c.entry->id != "auto"; });
                             return cases;
                         }()),
                         case_name);

template <class Real>
std::vector<Vec4<Real>> in(const Bodies& bodies) {
    std::vector<Vec4<Real>> copy;
    for (const Vec4d& body : bodies.position_mass) copy.push_back(convert<Real>(body));
    return copy;
}

std::unique_ptr<Engine<Host, float>> on_cpu(const EngineConfig& config) {
    return std::get<std::unique_ptr<Engine<Host, float>>>(auto_engine().make(config));
}

TEST(AutoOnCpu, RepeatsTrialsOnlyForANewNumberOfBodies) {
    const auto engine = on_cpu({});
    const auto bodies = in<float>(ball(3000));
    std::vector<Vec4f> out(bodies.size());
    const auto choice_at = [&](std::size_t count) {
        accelerate(*engine, {bodies.data(), out.data(), count}, kAutoGravity);
        return engine->choice();
    };
    const std::string many = choice_at(3000), few = choice_at(100);
    EXPECT_NE(many, few);
    // The figures are those of the first trials: nothing was timed again.
    EXPECT_EQ(choice_at(3000), many);
    EXPECT_EQ(choice_at(100), few);
}

TEST(AutoOnCpu, DoesNotWriteAccelerationsDuringTrials) {
    const auto engine = on_cpu({});
    const auto bodies = in<float>(ball(500));
    std::vector<Vec4f> out(bodies.size(), Vec4f{1, 2, 3, 4});
    engine->begin({bodies.data(), out.data(), bodies.size()}, kAutoGravity, Potential::kSkip, {});
    EXPECT_EQ(out, (std::vector<Vec4f>(bodies.size(), Vec4f{1, 2, 3, 4})));
}

TEST(AutoOnCpu, ChoosesQuicklyForAnyNumberOfBodies) {
    const char* slow = std::getenv("ORRERY_TEST_SLOWNESS");  // sanitizers make everything slower
    const auto bodies = in<float>(ball(1 << 20));
    std::vector<Vec4f> out(bodies.size());
    for (const std::size_t count : {std::size_t{1}, std::size_t{20000}, bodies.size()}) {
        const auto engine = on_cpu({});
        const auto start = std::chrono::steady_clock::now();
        engine->begin({bodies.data(), out.data(), count}, kAutoGravity, Potential::kSkip, {});
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        EXPECT_LT(took.count(), 20 * (slow ? std::atof(slow) : 1)) << count << " bodies: " << engine->choice();
        EXPECT_LT(count, 500000u + (engine->choice().find("≈") != std::string::npos) * 1000000u)
            << "a million bodies cannot have been timed completely";
    }
}

TEST(AutoPlan, CandidatesExcludeAutoAndIncludeTreesOnlyOnRequest) {
    for (const Backend backend : {Backend::kCpu, Backend::kCuda})
        for (const std::size_t count : {1, 100, 5000, 1 << 22}) {
            EngineConfig asked{
                .engine = "auto", .backend = backend, .map = "bb", .tile_size = 96, .equal_masses = false};
            asked.threads = 3;
            for (const EngineConfig& each : auto_candidates(asked, count)) {
                EXPECT_TRUE(each.engine == "direct" || each.engine == "half") << each.engine;
                EXPECT_EQ(each.map, "lambda") << "settings left over from another engine";
                EXPECT_EQ(each.threads, 3);
                EXPECT_TRUE(each.equal_masses);
            }
            asked.tree.accuracy = 1e-3;
            std::vector<std::string> welcome;
            for (const EngineConfig& each : auto_candidates(asked, count)) {
                EXPECT_NE(each.engine, "auto");
                EXPECT_EQ(each.tree.accuracy, find_engine(each)->has(Capability::kAccuracy) ? 1e-3 : 0);
                if (each.tree.accuracy > 0) welcome.push_back(each.engine);
            }
            if (backend == Backend::kCpu) {
                EXPECT_EQ(welcome, (std::vector<std::string>{"tree", "fmm"}));
            }
        }
}

TEST(AutoOnCpu, ChoosesATreeWhenAnErrorIsAllowed) {
    EngineConfig config{.engine = "auto"};
    config.tree.accuracy = 1e-3;
    const auto system = make_body_system(config, ball(50000));
    system->run_forces(0, system->begin_forces(kAutoGravity, Potential::kSkip));
    // Sanitizers slow engines down unequally.
    if (!std::getenv("ORRERY_TEST_SLOWNESS")) {
        const std::string choice = system->engine_choice();
        EXPECT_TRUE(choice.starts_with("tree with errors of ") || choice.starts_with("fmm with errors of ")) << choice;
    }
    EXPECT_LE(system->force_error(kAutoGravity, 200).rms, auto_engine().tolerance(config));
    EXPECT_LT(auto_engine().tolerance({}), 1e-5) << "without an accuracy, no tree";
    config.deterministic = true;
    EXPECT_EQ(auto_by_rule(config, 50000).engine, "tree");
}

TEST(AutoPlan, ChoosesFastestUnlessNearlyEqual) {
    std::vector<Trial> trials(3);
    trials[0] = {.config = {.engine = "direct"}, .seconds = 1};
    trials[1] = {.config = {.engine = "half"}, .seconds = 0.995};
    trials[2] = {.config = {.engine = "tree"}, .seconds = 0.1, .refusal = "too few"};
    EXPECT_EQ(fastest(trials).config.engine, "direct");
    trials[1].seconds = 0.5, trials[1].whole = false;
    EXPECT_EQ(fastest(trials).config.engine, "half");
    EXPECT_EQ(describe(trials, 0.25), "half: ≈ 500 ms; direct 1 s (3 tried in 0.25 s; tree: too few)");
    trials.push_back({.config = {.engine = "half", .tile_size = 64}, .seconds = 0.6});
    trials.push_back({.config = {.engine = "half", .tile_size = 32}, .seconds = 0.7});
    EXPECT_EQ(describe(trials, 0.25),
              "half: ≈ 500 ms; direct 1 s, half ρ 64 600 ms, half ρ 32 700 ms (5 tried in 0.25 s; tree: too few)");
    trials.resize(3);
    trials[0].refusal = trials[1].refusal = "no";
    EXPECT_THROW(fastest(trials), Error);
    EXPECT_THROW(fastest({}), Error);
}

TEST(AutoPlan, ContinuesWhileLargerSlicesAreFaster) {
    // An engine that distributes chunks of 512 items over 64 threads; each item takes 30 µs.
    TrialPace pace{0.03};
    double threads = 1;
    while (!pace.enough()) {
        const std::uint64_t slice = pace.next_slice();
        const double pieces = std::ceil(static_cast<double>(slice) / 512);
        threads = std::min(64.0, pieces);
        pace.add(slice, std::ceil(pieces / 64) * 30e-6 * std::min<double>(static_cast<double>(slice), 512));
    }
    EXPECT_GE(threads, 16) << "not measured on a single thread";
    EXPECT_LT(pace.spent(), 0.2);
    // An engine that is equally fast at any size stops when the time is up.
    TrialPace even{0.03};
    while (!even.enough()) {
        const std::uint64_t slice = even.next_slice();
        even.add(slice, 1e-5 * static_cast<double>(slice));
    }
    EXPECT_NEAR(even.rate(), 1e5, 1);
    EXPECT_LT(even.spent(), 0.07);
}

TEST(AutoPlan, RuleDependsOnlyOnNumberOfBodies) {
    EngineConfig asked{.engine = "auto"};
    asked.deterministic = true;
    for (const std::size_t count : {1, 1000, 100000}) {
        const EngineConfig first = auto_by_rule(asked, count);
        EXPECT_TRUE(engine(first.engine, first.backend).repeats(first));
        asked.threads = 1;
        EngineConfig other = auto_by_rule(asked, count);
        other.threads = asked.threads = 0;
        EXPECT_EQ(other, first);
    }
    EXPECT_EQ(auto_by_rule(asked, 100).engine, "direct");
    EXPECT_EQ(auto_by_rule(asked, 100000).engine, "half");
}

}  // namespace
}  // namespace orrery::test
