// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>

#include "core/ranks/ranks.hpp"

namespace orrery {

/// Time and data that a rank spends on communication.
struct RankCosts {
    double wait = 0;             ///< seconds until all ranks arrived
    double exchange = 0;         ///< seconds of the calls after that
    std::uint64_t received = 0;  ///< bytes from other ranks; for device sums, those of a ring reduction
};

/// Wraps Ranks and measures time: it waits for all ranks before each collective call, to separate waiting from
/// exchange. The measured program runs slower than without. Must not outlive the wrapped object.
class MeasuredRanks final : public Ranks {
public:
    explicit MeasuredRanks(Ranks& ranks);
    ~MeasuredRanks() override;

    const RankCosts& costs() const { return state_->costs; }  ///< since the last restart()
    void restart() { state_->costs = {}; }
    /// False: calls are passed on without waiting and counting, until true.
    void measure(bool on) { state_->on = on; }
    void meet();  ///< waits for all ranks without counting the time

    int rank() const override { return ranks_.rank(); }
    int count() const override { return ranks_.count(); }
    void broadcast(std::span<std::byte> bytes, int from) override;
    void gather(std::span<std::byte> whole, std::span<const std::size_t> ends) override;
    void send(std::span<const std::byte> bytes, int to) override;
    void receive(std::span<std::byte> bytes, int from) override;
    bool all_arrive(double seconds) override { return ranks_.all_arrive(seconds); }
    void end_all(int code, const std::string& why) override { ranks_.end_all(code, why); }

    /// Shared with the ranks' devices.
    struct State {
        RankCosts costs;
        bool on = true;
    };

private:
    Ranks& ranks_;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
