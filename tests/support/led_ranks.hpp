// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/distributed_body_system.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {

/// Tests of simulations computed by several ranks, over the whole menu.
class NeedsEngineOfRanks : public NeedsEngine {
protected:
    static EngineConfig config() {
        EngineConfig config = GetParam().config();
        config.threads = 1;
        config.deterministic = true;  // otherwise `auto` would choose by time
        return config;
    }
    /// True if sums are added in a fixed order.
    static bool exact() { return GetParam().entry->repeats(config()); }
};

inline std::vector<EngineCase> every_engine_of_both_laws() {
    std::vector<EngineCase> cases = every_engine();
    for (const EngineCase& c : every_engine(Law::kAxilrodTeller)) cases.push_back(c);
    std::erase_if(cases, [](const EngineCase& c) { return c.entry->backend == Backend::kGl; });  // in one process
    return cases;
}

/// Calls work(ranks) on rank 0 of `count` ranks, threads of this process, which leads the others.
template <class Work>
void lead(int count, const Work& work) {
    ThreadRanks::run(count, [&](Ranks& ranks) {
        if (!ranks.first()) return run_follower(ranks);
        const RankLeader lead{ranks};
        work(&ranks);
    });
}

}  // namespace orrery::test
