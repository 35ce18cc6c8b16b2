// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <optional>
#include <span>

#include "core/bodies/body_system.hpp"
#include "core/bodies/cuda/body_kernels.cuh"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// Times the work of a stream between two events.
class DeviceStopwatch final : public Stopwatch {
public:
    explicit DeviceStopwatch(const cuda::Stream& stream) : stream_{stream} {}
    void start() override { start_.record(stream_.get()); }
    void hold() override { stop_.record(stream_.get()); }
    double seconds() override { return stop_.seconds_since(start_); }

private:
    const cuda::Stream& stream_;
    cuda::Event start_, stop_;
};

}  // namespace orrery

namespace orrery::cuda {

/// Moves bodies on a device, and records on the device which became non-finite, so that steps can be queued without
/// waiting.
template <class Real>
class StepQueue {
public:
    struct State {
        Vec4<Real>*position, *velocity;
        const Vec4<Real>* acceleration;
        std::uint64_t count;
    };

    void move(std::span<const Move> moves, const State& state, cudaStream_t stream) {
        while (!moves.empty()) {
            Moves<Real> now = some_of(moves);
            now.looks_at_places = now.looks && !places_known_;
            places_known_ = places_known_ || now.drifts;
            launch("move", linear(state.count), stream, move_bodies<Real>, now, state.position, state.velocity,
                   state.acceleration, state.count, StepEnds{found_.data(), found_.data() + 1, turn_});
            if (now.looks) turn_ = 1 - turn_;
            moves = moves.subspan(static_cast<std::size_t>(now.count));
        }
    }

    void begin_checks(cudaStream_t stream) {
        check(cudaMemsetAsync(found_.data(), 0xff, sizeof(unsigned long long), stream), "clearing");
        check(cudaMemsetAsync(found_.data() + 1, 0, 2 * sizeof(unsigned long long), stream), "clearing");
        turn_ = 0;
        places_known_ = false;
    }

    /// Waits for the queued steps.
    std::optional<LostBody> first_lost(cudaStream_t stream) {
        if (!answer_) answer_ = PinnedBuffer<unsigned long long>{1};
        download<unsigned long long>(found_, std::span{answer_.data(), 1}, stream);
        check(cudaStreamSynchronize(stream), "waiting for steps");
        const unsigned long long found = *answer_.data();
        if (found == std::numeric_limits<unsigned long long>::max()) return std::nullopt;
        return LostBody{.ends = found >> 33, .body = static_cast<std::size_t>(found & 0xffffffff)};
    }

    /// Replays cycle() for the largest multiple of kCycles not above `times`; returns how often. cycle() must enqueue
    /// the same work as in the last call with equal `moves`, `gravity` and `potential`, unless forget() was called in
    /// between.
    template <class Cycle>
    std::uint64_t repeat(const MoveCycle& moves, const Gravity& gravity, Potential potential, std::uint64_t times,
                         cudaStream_t stream, const Cycle& cycle) {
        if (kSyncEveryLaunch || times < 2 * kCycles) return 0;
        const Recorded wanted{moves, gravity, potential, turn_};
        if (!graph_ || recorded_ != wanted) {
            graph_ = {};
            graph_ = Graph{stream, [&] {
                               for (std::uint64_t i = 0; i < kCycles; ++i) cycle();
                           }};
            recorded_ = wanted;
        }
        for (std::uint64_t i = 0; i < times / kCycles; ++i) graph_.play(stream);
        return times / kCycles * kCycles;
    }
    void forget() { graph_ = {}; }

private:
    /// Even, so that turn_ is unchanged. A larger number would only take longer to record.
    static constexpr std::uint64_t kCycles = 16;
    struct Recorded {
        MoveCycle moves;
        Gravity gravity;
        Potential potential{};
        unsigned turn = 0;
        friend bool operator==(const Recorded&, const Recorded&) = default;
    };

    /// Returns as many moves as fit into one pass.
    static Moves<Real> some_of(std::span<const Move> moves) {
        Moves<Real> some;
        for (const Move& one : moves) {
            if (some.count == Moves<Real>::kMost || (some.looks && one.op == Move::Op::kStepEnd)) break;
            some.kicks = some.kicks || one.op == Move::Op::kKick;
            some.drifts = some.drifts || one.op == Move::Op::kDrift;
            some.looks = some.looks || one.op == Move::Op::kStepEnd;
            some.op[some.count] = one.op;
            some.dt[some.count++] = static_cast<Real>(one.dt);
        }
        return some;
    }

    DeviceBuffer<unsigned long long> found_{3};  // see StepEnds
    unsigned turn_ = 0;
    bool places_known_ = false;  // a drift has checked its result
    PinnedBuffer<unsigned long long> answer_;
    Graph graph_;
    Recorded recorded_;
};

}  // namespace orrery::cuda
