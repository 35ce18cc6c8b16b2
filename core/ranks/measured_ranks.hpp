// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>

#include "core/ranks/ranks.hpp"

namespace orrery {

/// What a rank spends on the others.
struct RankCosts {
    double wait = 0;             ///< seconds until all were there
    double exchange = 0;         ///< seconds that the calls then took
    std::uint64_t received = 0;  ///< bytes from others; of sums over devices, what a ring would bring
};

/// Other ranks with a look at the clock: before each collective call it waits for all of them, so that waiting and
/// exchange are told apart. What is made with it takes longer than without. It must not outlive them.
class MeasuredRanks final : public Ranks {
public:
    explicit MeasuredRanks(Ranks& ranks);
    ~MeasuredRanks() override;

    const RankCosts& costs() const { return *costs_; }  ///< since the last restart()
    void restart() { *costs_ = {}; }
    void meet();  ///< waits for all; costs nothing

    int rank() const override { return ranks_.rank(); }
    int count() const override { return ranks_.count(); }
    void broadcast(std::span<std::byte> bytes, int from) override;
    void gather(std::span<std::byte> whole, std::span<const std::size_t> ends) override;
    void send(std::span<const std::byte> bytes, int to) override;
    void receive(std::span<std::byte> bytes, int from) override;
    bool all_arrive(double seconds) override { return ranks_.all_arrive(seconds); }
    void end_all(int code, const std::string& why) override { ranks_.end_all(code, why); }

private:
    Ranks& ranks_;
    std::unique_ptr<RankCosts> costs_;
};

}  // namespace orrery
