// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cuda/check.hpp"

namespace orrery::cuda {

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
