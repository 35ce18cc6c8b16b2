// SPDX-License-Identifier: MIT
// Decisions of EngineTuner, with given times: nothing here reads a clock.
#include "core/engines/engine_tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/engines/tree_choice.hpp"

namespace orrery::test {
namespace {

constexpr std::size_t kMillion = 1 << 20;

EngineConfig left_open(const char* engine, Backend backend = Backend::kCpu) {
    EngineConfig config{.engine = engine, .backend = backend};
    config.tree.accuracy = 1e-3, config.tree.keep_accuracy = true;
    return config;
}

/// An engine that takes these seconds, and as many evaluations to find its criterion.
struct Model {
    double seconds = 1;
    int evaluations = 3;
    double last_error = 1e-3;
};
using Models = std::function<Model(const EngineConfig&)>;

/// Tries all candidates, without a limit of time; returns the number of evaluations.
int try_all(EngineTuner& tuner, const EngineConfig& asked, const Models& models) {
    int all = 0;
    tuner.plan(asked, kMillion, 0);
    while (tuner.planned()) {
        const Model model = models(tuner.candidate());
        bool over = false;
        for (int i = 1; !over; ++i, ++all) {
            const bool settled = tuner.known_factor() > 0 || i >= model.evaluations;
            over = tuner.add({.seconds = model.seconds,
                              .cost = 2 * model.seconds,
                              .settled = settled,
                              .error = settled ? model.last_error : 2e-3,
                              .asked = 1e-3});
        }
    }
    return all;
}

TEST(EngineTuner, TunesOnlyOpenSettings) {
    for (const char* engine : {"tree", "fmm", "auto"}) {
        const EngineConfig open = left_open(engine);
        EXPECT_TRUE(tunable(open, kMillion, PairLaw::kGravity)) << engine;
        EXPECT_FALSE(tunable(open, kTunedFrom - 1, PairLaw::kGravity)) << engine;
        EXPECT_FALSE(tunable(open, kMillion, PairLaw::kCoulomb)) << engine;
        EXPECT_EQ(tunable(open, kTunedUpTo + 1, PairLaw::kGravity), open.engine == "auto") << engine;
        EngineConfig fixed = open;
        fixed.deterministic = true;
        EXPECT_FALSE(tunable(fixed, kMillion, PairLaw::kGravity)) << engine;
        fixed = open;
        fixed.tree.keep_accuracy = false;
        EXPECT_FALSE(tunable(fixed, kMillion, PairLaw::kGravity)) << engine;
        fixed = open;
        fixed.tree.theta = 0.5;
        EXPECT_FALSE(tunable(fixed, kMillion, PairLaw::kGravity)) << engine;
    }
    EngineConfig ordered = left_open("tree");
    ordered.tree.order = 1;
    EXPECT_FALSE(tunable(ordered, kMillion, PairLaw::kGravity));
    EXPECT_FALSE(tunable(left_open("direct"), kMillion, PairLaw::kGravity));
    EngineConfig exact = left_open("auto");
    exact.tree.accuracy = 0;
    EXPECT_FALSE(tunable(exact, kMillion, PairLaw::kGravity)) << "without an accuracy `auto` is exact";
}

TEST(EngineTuner, CandidatesKeepGivenSettingsAndChooseAllOthers) {
    for (const char* engine : {"tree", "fmm", "auto"})
        for (const double accuracy : {1e-2, 1e-3, 1e-5}) {
            EngineConfig asked = left_open(engine);
            asked.tree.accuracy = accuracy, asked.tree.leaf = 32, asked.threads = 3, asked.compensated = true;
            std::set<std::string> engines;
            for (const EngineConfig& each : tuned_candidates(asked, 50'000)) {
                engines.insert(each.engine);
                EXPECT_FALSE(tunable(each, kMillion, PairLaw::kGravity)) << tuned_text(each, asked);
                EXPECT_EQ(each.threads, 3);
                EXPECT_TRUE(each.compensated);
                if (each.engine != "tree" && each.engine != "fmm") continue;
                EXPECT_EQ(each.tree.leaf, 32);
                EXPECT_EQ(each.tree.accuracy, accuracy);
                EXPECT_TRUE(tuned_leaves(asked, each).empty());
                for (const EngineConfig& other : tuned_groups(asked, each)) EXPECT_EQ(other.tree.leaf, 32);
            }
            const std::set<std::string> all{"tree", "fmm", "direct", "half"};
            EXPECT_EQ(engines, engine == std::string{"auto"} ? all : std::set<std::string>{engine});
        }
    EXPECT_EQ(tuned_candidates(left_open("auto"), kMillion).size(), 5u) << "no sums over all pairs of so many bodies";
    EngineConfig ordered = left_open("auto");
    ordered.tree.order = 4;
    for (const EngineConfig& each : tuned_candidates(ordered, kMillion)) EXPECT_EQ(each.tree.order, 4);
}

TEST(EngineTuner, ChoosesTheFastestOfAll) {
    // For any times the choice is the fastest to within 2 %: a later candidate must be clearly faster.
    for (unsigned seed = 1; seed <= 200; ++seed) {
        unsigned state = seed;
        const auto next = [&] { return 1 + ((state = state * 1664525u + 1013904223u) >> 16) % 100; };
        double least = 1e9;
        std::vector<std::pair<EngineConfig, double>> tried;
        const auto models = [&](const EngineConfig& candidate) {
            const auto before = std::ranges::find(tried, candidate, &std::pair<EngineConfig, double>::first);
            if (before != tried.end()) return Model{.seconds = before->second};
            const double seconds = 1e-3 * next();
            tried.emplace_back(candidate, seconds);
            least = std::min(least, seconds);
            return Model{.seconds = seconds, .evaluations = static_cast<int>(1 + next() % 5)};
        };
        const EngineConfig asked = left_open(seed % 2 == 0 ? "auto" : "tree");
        EngineTuner tuner;
        try_all(tuner, asked, models);
        ASSERT_TRUE(tuner.choice());
        const auto chosen = std::ranges::find(tried, *tuner.choice(), &std::pair<EngineConfig, double>::first);
        ASSERT_NE(chosen, tried.end());
        EXPECT_LE(chosen->second, 1.021 * least) << tuner.text();
        for (const EngineConfig& each : tuned_candidates(asked, kMillion))
            EXPECT_NE(std::ranges::find(tried, each, &std::pair<EngineConfig, double>::first), tried.end());
    }
}

TEST(EngineTuner, AbandonsCandidatesThatCanOnlyBecomeSlower) {
    EngineTuner tuner;
    std::map<int, int> evaluations;
    const auto models = [&](const EngineConfig& c) {
        return Model{.seconds = c.tree.order == 1 ? 7e-3 : 2e-3, .evaluations = 5};
    };
    const int all = try_all(tuner, left_open("tree"), models);
    EXPECT_EQ(tuner.choice()->tree.order, 2);
    // Order 2 settles at its 5th evaluation and is timed twice, as are the four other sizes; order 1 takes 2. The three
    // closest are repeated with 3 evaluations, the first of which is not timed.
    EXPECT_EQ(all, 5 * 6 + 2 + 3 * 3);
    EXPECT_EQ(tuner.text(),
              "order 2: 2 ms; order 2, leaves of 8 2 ms, order 2, leaves of 32 2 ms, order 2, groups of 32 2 ms (6 "
              "tried in 0.18 s)");
}

TEST(EngineTuner, RepeatsCloseTrialsThatOtherWorkMayHaveDisturbed) {
    EngineTuner tuner;
    std::map<int, int> times;
    try_all(tuner, left_open("fmm"), [&](const EngineConfig& c) {
        if (c.tree.leaf != 0) return Model{.seconds = 1};
        const bool disturbed = c.tree.order == 5 && times[5]++ == 0;
        return Model{.seconds = c.tree.order == 5 ? (disturbed ? 0.055 : 0.045) : 0.05};
    });
    ASSERT_TRUE(tuner.choice());
    EXPECT_EQ(tuner.choice()->tree.order, 5) << tuner.text();
}

TEST(EngineTuner, RejectsCandidatesThatMissTheAccuracy) {
    EngineTuner tuner;
    try_all(tuner, left_open("fmm"), [](const EngineConfig& c) {
        return Model{.seconds = 1e-3 * c.tree.order, .last_error = c.tree.order < 5 ? 2e-3 : 1e-3};
    });
    ASSERT_TRUE(tuner.choice());
    EXPECT_GE(tuner.choice()->tree.order, 5);
}

TEST(EngineTuner, IgnoresCandidatesThatCannotRun) {
    EngineTuner tuner;
    tuner.plan(left_open("tree"), kMillion, 0);
    tuner.refuse("no memory");
    while (tuner.planned()) tuner.add({.seconds = 1, .cost = 1, .error = 1e-3, .asked = 1e-3});
    ASSERT_TRUE(tuner.choice());
    EXPECT_EQ(tuner.choice()->tree.order, 1);
    tuner.plan(left_open("tree"), kMillion, 0);
    while (tuner.planned()) tuner.refuse("no memory");
    EXPECT_FALSE(tuner.choice());
    EXPECT_EQ(tuner.text(), "");
}

TEST(EngineTuner, KeepsWithinItsShareOfTheTime) {
    EngineTuner tuner;
    constexpr double kEvaluation = 0.05, kStep = 0.06;
    double now = 1000, spent = 0;
    tuner.plan(left_open("auto"), kMillion, now);
    const double start = now;
    for (int step = 0; step < 100'000 && tuner.planned(); ++step) {
        while (tuner.due(now, kEvaluation)) {
            for (bool over = false; !over;) {
                now += kEvaluation, spent += kEvaluation;
                over = tuner.add({.seconds = kEvaluation, .cost = kEvaluation, .error = 1e-3, .asked = 1e-3});
            }
            EXPECT_LE(spent, EngineTuner::kFirstSeconds + EngineTuner::kShare * (now - start) + 1e-9);
        }
        now += kStep;
    }
    EXPECT_TRUE(tuner.choice());
    // A dear evaluation postpones the first trial instead of delaying the first steps.
    tuner.plan(left_open("tree"), kMillion, now);
    EXPECT_FALSE(tuner.due(now, 1));
    EXPECT_TRUE(tuner.due(now + 51, 1));
}

TEST(EngineTuner, ChoosesAgainIfMuchHasChanged) {
    EngineTuner tuner;
    try_all(tuner, left_open("tree"), [](const EngineConfig&) { return Model{}; });
    EXPECT_FALSE(tuner.outdated(kMillion, 5)) << "the factor of the choice is not known yet";
    tuner.settled_with(0.5);
    tuner.settled_with(3);
    EXPECT_FALSE(tuner.outdated(kMillion, 0.9));
    EXPECT_TRUE(tuner.outdated(kMillion, 1.1));
    EXPECT_TRUE(tuner.outdated(kMillion, 0.2));
    EXPECT_FALSE(tuner.outdated(kMillion / 2, 0.5));
    EXPECT_TRUE(tuner.outdated(kMillion / 2 - 1, 0.5));
    EXPECT_TRUE(tuner.outdated(2 * kMillion + 1, 0.5));
}

TEST(EngineTuner, RepeatsAnAbandonedTrial) {
    EngineTuner tuner;
    tuner.plan(left_open("tree"), kMillion, 0);
    const EngineConfig first = tuner.candidate();
    EXPECT_FALSE(tuner.add({.seconds = 1, .cost = 1, .settled = false, .error = 2e-3, .asked = 1e-3}));
    tuner.abandon();
    EXPECT_TRUE(tuner.planned());
    EXPECT_EQ(tuner.candidate(), first);
}

}  // namespace
}  // namespace orrery::test
