// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/led_system.hpp"
#include "tests/support/thread_ranks.hpp"

namespace orrery::test {

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
