// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <source_location>
#include <string_view>

namespace orrery::cuda {

// Defined in info.cpp: nvcc does not compile fmt's format strings.
[[noreturn]] void fail(cudaError_t status, std::string_view what, std::source_location at);
[[noreturn]] void out_of_memory(std::size_t bytes);

/// Throws Error{kEnvironment} with the operation, its source location, and the runtime's message.
inline void check(cudaError_t status, std::string_view what,
                  std::source_location at = std::source_location::current()) {
    if (status != cudaSuccess) fail(status, what, at);
}

/// Throws Error{kEnvironment}, with the bytes needed and free, if the allocation would not fit; call it before
/// allocating.
void require_memory(std::size_t bodies, std::size_t bytes);

/// Order in which waiting blocks of streams are scheduled. Running blocks are not interrupted.
enum class Priority {
    kLow,     ///< measurements concurrent with the simulation
    kMiddle,  ///< the simulation
    kHigh     ///< work that a frame waits for
};

/// Owns a stream that does not synchronise with the default one. Its destructor does not wait: the code that enqueued
/// work must have waited for it.
class Stream {
public:
    explicit Stream(Priority priority = Priority::kMiddle) {
        int least = 0, greatest = 0;  // higher priorities have lower numbers; both are 0 if there is only one
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "querying stream priorities");
        const int wanted = priority == Priority::kLow    ? least
                           : priority == Priority::kHigh ? greatest
                                                         : (least + greatest) / 2;
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, wanted), "stream");
        stream_.reset(stream);
    }
    cudaStream_t get() const noexcept { return stream_.get(); }
    void wait() const { check(cudaStreamSynchronize(get()), "waiting for the GPU"); }

private:
    struct Destroy {
        void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
    };
    std::unique_ptr<CUstream_st, Destroy> stream_;
};

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

/// A CUDA graph: work recorded once and replayed as one launch.
class Graph {
public:
    Graph() = default;
    /// Records what `work` enqueues on `stream`, and executes nothing yet; `work` must not wait for the stream.
    template <class Work>
    Graph(cudaStream_t stream, const Work& work) {
        // Relaxed: the capture excludes other threads and other runtime calls of this thread.
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "recording");
        try {
            work();
        } catch (...) {
            cudaGraph_t abandoned = nullptr;
            cudaStreamEndCapture(stream, &abandoned);
            if (abandoned) cudaGraphDestroy(abandoned);
            cudaGetLastError();  // clears the capture's error; the first one is already being reported
            throw;
        }
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream, &graph), "ending graph capture");
        cudaGraphExec_t ready = nullptr;
        const cudaError_t status = cudaGraphInstantiate(&ready, graph, 0);
        cudaGraphDestroy(graph);
        check(status, "instantiating a graph");
        graph_.reset(ready);
    }

    void play(cudaStream_t stream) const { check(cudaGraphLaunch(graph_.get(), stream), "launching a graph"); }
    explicit operator bool() const noexcept { return graph_ != nullptr; }

private:
    struct Destroy {
        void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> graph_;
};

}  // namespace orrery::cuda
