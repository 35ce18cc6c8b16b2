// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cuda/check.hpp"

namespace orrery::cuda {

/// Which stream's waiting blocks are scheduled first. Running blocks are not interrupted.
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

}  // namespace orrery::cuda
