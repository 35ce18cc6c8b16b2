// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cuda/check.hpp"

namespace orrery::cuda {

/// Owns an event: a point in a stream that can be waited for and timed.
class Event {
public:
    Event() {
        cudaEvent_t event = nullptr;
        check(cudaEventCreate(&event), "event");
        event_.reset(event);
    }
    void record(cudaStream_t stream) const { check(cudaEventRecord(event_.get(), stream), "recording an event"); }
    /// True if all work before it is complete; true before the first record().
    bool passed() const {
        const cudaError_t status = cudaEventQuery(event_.get());
        if (status != cudaErrorNotReady) check(status, "querying an event");
        return status == cudaSuccess;
    }
    cudaEvent_t get() const noexcept { return event_.get(); }
    void wait() const { check(cudaEventSynchronize(event_.get()), "waiting for the GPU"); }
    void hold_up(cudaStream_t stream) const {
        check(cudaStreamWaitEvent(stream, event_.get()), "waiting for an event in a stream");
    }
    /// Waits for this event; returns the device seconds since `start`.
    double seconds_since(const Event& start) const {
        wait();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start.event_.get(), event_.get()), "reading the time");
        return 1e-3 * static_cast<double>(milliseconds);
    }

private:
    struct Destroy {
        void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
    };
    std::unique_ptr<CUevent_st, Destroy> event_;
};

}  // namespace orrery::cuda
