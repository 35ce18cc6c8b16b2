// SPDX-License-Identifier: MIT
#include "app/serve/viewers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery {
namespace {

using namespace std::chrono_literals;
using Time = Pacing::Clock::time_point;

double seconds(Pacing::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// Outcome of one minute over a link with a bottleneck; only the second half counts.
struct Outcome {
    double bits_per_second = 0, longest_wait = 0;
};

/// Offers a frame sized to the rate every 20 ms; the link carries `bits_per_second` and delays by `delay` each way.
Outcome through(Pacing& pacing, double bits_per_second, Pacing::Clock::duration delay) {
    const Time start = Pacing::Clock::now();
    Time free = start;
    std::deque<std::pair<Time, std::uint32_t>> answers;
    Outcome outcome;
    std::uint32_t serial = 0;
    for (Time now = start; now < start + 60s; now += 1ms) {
        for (; !answers.empty() && answers.front().first <= now; answers.pop_front())
            pacing.shown(answers.front().second, now);
        if ((now - start) % 20ms != 0ms || !pacing.may_send(now)) continue;
        const auto bytes = static_cast<std::size_t>(pacing.rate() / 8 / 50);
        pacing.sent(++serial, bytes, now);
        const std::chrono::duration<double> takes{8 * static_cast<double>(bytes) / bits_per_second};
        free = std::max(free, now) + std::chrono::duration_cast<Pacing::Clock::duration>(takes);
        answers.emplace_back(free + 2 * delay, serial);
        if (now < start + 30s) continue;
        outcome.bits_per_second += 8 * static_cast<double>(bytes) / 30;
        outcome.longest_wait = std::max(outcome.longest_wait, seconds(free - now));
    }
    return outcome;
}

TEST(Pacing, FillsABottleneckWithoutALongQueue) {
    for (const double rate : {1e6, 5e6, 20e6, 80e6}) {
        for (const auto delay : {0ms, 20ms, 80ms}) {
            Pacing pacing;
            const Outcome outcome = through(pacing, rate, delay);
            EXPECT_GT(outcome.bits_per_second, 0.5 * rate) << rate << ", " << delay.count() << " ms";
            EXPECT_LT(outcome.longest_wait, 0.4) << rate << ", " << delay.count() << " ms";
        }
    }
}

TEST(Pacing, RespectsALimit) {
    Pacing pacing{2e6};
    const Outcome outcome = through(pacing, 1e9, 5ms);
    EXPECT_LT(outcome.bits_per_second, 2.1e6);
    EXPECT_GT(outcome.bits_per_second, 1.5e6);
}

TEST(Pacing, StopsSendingWithoutAcknowledgements) {
    Pacing pacing;
    const Time start = Pacing::Clock::now();
    std::uint32_t sent = 0;
    for (Time now = start; now < start + 10s; now += 10ms)
        if (pacing.may_send(now)) pacing.sent(++sent, 1000, now);
    EXPECT_LE(sent, 16u);
    EXPECT_EQ(pacing.waiting_since(start + 10s), start);
    pacing.shown(sent, start + 10s);
    EXPECT_EQ(pacing.in_flight(), 0u);
}

TEST(Pacing, AcknowledgesAllEarlierFramesAcrossSerialWrap) {
    Pacing pacing;
    const Time now = Pacing::Clock::now();
    pacing.sent(0xfffffffe, 10, now);
    pacing.sent(0xffffffff, 10, now);
    pacing.sent(0, 10, now);
    pacing.shown(0xffffffff, now + 1ms);
    EXPECT_EQ(pacing.in_flight(), 1u);
    pacing.shown(7, now + 1ms);
    EXPECT_EQ(pacing.in_flight(), 0u);
}

}  // namespace
}  // namespace orrery
