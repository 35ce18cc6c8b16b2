// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cuda/check.hpp"

namespace orrery::cuda {

/// Whose blocks of threads go first where several streams have some that wait. Blocks that run are not interrupted.
enum class Priority {
    kLow,     ///< what is measured beside the simulation
    kMiddle,  ///< the simulation
    kHigh     ///< what a picture waits for
};

/// Owns a stream that does not wait for the default one. Its end waits for nothing: who enqueued has waited.
class Stream {
public:
    explicit Stream(Priority priority = Priority::kMiddle) {
        int least = 0, greatest = 0;  // numbers fall with the priority; both are 0 where there is only one
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
