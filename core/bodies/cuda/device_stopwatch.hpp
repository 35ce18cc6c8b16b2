// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/body_system.hpp"
#include "core/cuda/stream.hpp"

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
