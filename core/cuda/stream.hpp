// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cuda/check.hpp"

namespace orrery::cuda {

/// Owns a stream that does not wait for the default one. Its end waits for nothing: who enqueued has waited.
class Stream {
public:
    Stream() {
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
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
