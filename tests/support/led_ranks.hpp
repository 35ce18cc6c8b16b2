// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/led_system.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {

/// Tests of simulations that several ranks compute, over the whole menu.
class NeedsEngineOfRanks : public NeedsEngine {
protected:
    static EngineConfig config() {
        EngineConfig config = GetParam().config();
        config.threads = 1;
        config.deterministic = true;  // `auto` would choose by time
        return config;
    }
    /// Otherwise it adds in any order.
    static bool exact() { return GetParam().entry->repeats(config()); }
};

inline std::vector<EngineCase> every_engine_of_both_laws() {
    std::vector<EngineCase> cases = every_engine();
    for (const EngineCase& c : every_engine(Law::kAxilrodTeller)) cases.push_back(c);
    return cases;
}

/// Calls work(ranks) on the first of `count` ranks, threads of this process, which leads the others.
template <class Work>
void lead(int count, const Work& work) {
    ThreadRanks::run(count, [&](Ranks& ranks) {
        if (!ranks.first()) return follow(ranks);
        const Lead lead{ranks};
        work(&ranks);
    });
}

}  // namespace orrery::test
