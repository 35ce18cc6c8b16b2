// SPDX-License-Identifier: MIT
#include "core/ranks/measured_ranks.hpp"

#include <chrono>

#include "core/ranks/device_ranks.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void wait_for_all(Ranks& ranks) {
    std::vector<std::byte> marks(static_cast<std::size_t>(ranks.count()));
    gather_parts(ranks, std::span{marks}, marks.size(), 1);
}

/// Times a collective call: first the wait until all ranks arrive, then the call.
template <class Call>
void measured(Ranks& ranks, MeasuredRanks::State& state, std::uint64_t received, const Call& call) {
    if (!state.on) return call();
    RankCosts& costs = state.costs;
    const auto start = Clock::now();
    wait_for_all(ranks);
    const auto together = Clock::now();
    call();
    costs.wait += std::chrono::duration<double>(together - start).count();
    costs.exchange += seconds_since(together);
    costs.received += received;
}

std::uint64_t of_others(const Ranks& ranks, std::span<const std::size_t> ends) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    return ends.back() - (ends[rank] - (rank > 0 ? ends[rank - 1] : 0));
}

class MeasuredDeviceRanks final : public DeviceRanks {
public:
    MeasuredDeviceRanks(std::shared_ptr<DeviceRanks> devices, Ranks& ranks, MeasuredRanks::State& state)
        : devices_{std::move(devices)}, ranks_{ranks}, state_{state} {}

    void broadcast(std::byte* d_bytes, std::size_t bytes, int from, Stream stream) override {
        timed(stream, ranks_.rank() == from ? 0 : bytes, [&] { devices_->broadcast(d_bytes, bytes, from, stream); });
    }
    void gather(std::byte* d_whole, std::span<const std::size_t> ends, Stream stream) override {
        timed(stream, of_others(ranks_, ends), [&] { devices_->gather(d_whole, ends, stream); });
    }
    void sum(const DeviceNumbers& numbers, Stream stream) override {
        timed(stream, 2 * of_ring(numbers), [&] { devices_->sum(numbers, stream); });
    }
    void sum_parts(const DeviceNumbers& numbers, std::span<const std::size_t> ends, Stream stream) override {
        timed(stream, of_ring(numbers), [&] { devices_->sum_parts(numbers, ends, stream); });
    }
    void exchange(const std::byte* d_sent, std::byte* d_received, std::span<const std::size_t> bytes,
                  Stream stream) override {
        const auto count = static_cast<std::size_t>(ranks_.count()), own = static_cast<std::size_t>(ranks_.rank());
        std::uint64_t received = 0;
        for (std::size_t from = 0; from < count; ++from) received += from == own ? 0 : bytes[from * count + own];
        timed(stream, received, [&] { devices_->exchange(d_sent, d_received, bytes, stream); });
    }
    void wait(Stream stream) override { devices_->wait(stream); }
    std::string description() const override { return devices_->description(); }

private:
    template <class Call>
    void timed(Stream stream, std::uint64_t received, const Call& call) {
        if (!state_.on) return call();
        devices_->wait(stream);  // finish earlier work first
        measured(ranks_, state_, received, [&] {
            call();
            devices_->wait(stream);
        });
    }
    std::uint64_t of_ring(const DeviceNumbers& numbers) const {
        const auto count = static_cast<std::uint64_t>(ranks_.count());
        const bool eight = numbers.type == DeviceNumbers::Type::kDouble || numbers.type == DeviceNumbers::Type::kUint64;
        return numbers.count * (eight ? 8 : 4) / count * (count - 1);
    }

    std::shared_ptr<DeviceRanks> devices_;
    Ranks& ranks_;
    MeasuredRanks::State& state_;
};

}  // namespace

MeasuredRanks::MeasuredRanks(Ranks& ranks) : ranks_{ranks}, state_{std::make_unique<State>()} {
    own_bodies = ranks.own_bodies;
    if (ranks.device) device = std::make_shared<MeasuredDeviceRanks>(ranks.device, ranks, *state_);
}
MeasuredRanks::~MeasuredRanks() = default;

void MeasuredRanks::meet() { wait_for_all(ranks_); }

void MeasuredRanks::broadcast(std::span<std::byte> bytes, int from) {
    measured(ranks_, *state_, rank() == from ? 0 : bytes.size(), [&] { ranks_.broadcast(bytes, from); });
}
void MeasuredRanks::gather(std::span<std::byte> whole, std::span<const std::size_t> ends) {
    measured(ranks_, *state_, of_others(ranks_, ends), [&] { ranks_.gather(whole, ends); });
}
/// Point-to-point calls do not wait for all ranks first: waiting counts as exchange.
void MeasuredRanks::send(std::span<const std::byte> bytes, int to) {
    const auto start = Clock::now();
    ranks_.send(bytes, to);
    if (state_->on) state_->costs.exchange += seconds_since(start);
}
void MeasuredRanks::receive(std::span<std::byte> bytes, int from) {
    const auto start = Clock::now();
    ranks_.receive(bytes, from);
    if (!state_->on) return;
    state_->costs.exchange += seconds_since(start);
    state_->costs.received += bytes.size();
}

}  // namespace orrery
