// SPDX-License-Identifier: MIT
// The highest rates of the first CUDA device.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/ceilings.hpp"
#include "core/physics/pair.cuh"

namespace orrery {
namespace {

constexpr int kChainsOfThread = 8, kRepeats = 512, kBlocksEach = 16, kTrials = 5;  // kBlocksEach: of a multiprocessor
constexpr std::uint64_t kVectors = std::uint64_t{1} << 24;                         // 256 MiB, more than caches hold

/// Independent chains of `step`, which hide its latency.
template <class Real, class Step>
__device__ void run_chains(Real* out, Real first, const Step& step) {
    Real value[kChainsOfThread];
#pragma unroll
    for (int c = 0; c < kChainsOfThread; ++c) value[c] = first + static_cast<Real>(c);
#pragma unroll 16
    for (int n = 0; n < kRepeats; ++n)
#pragma unroll
        for (int c = 0; c < kChainsOfThread; ++c) value[c] = step(value[c], c);
    Real sum = 0;
#pragma unroll
    for (int c = 0; c < kChainsOfThread; ++c) sum += value[c];
    if (sum == Real(-1)) *out = sum;  // never; the compiler keeps the work
}

/// `kMix`: a quarter of the chains are additions.
template <class Real, bool kMix>
__global__ void fma_kernel(Real* out, Real factor, Real term) {
    run_chains(out, static_cast<Real>(threadIdx.x),
               [=](Real value, int chain) { return kMix && chain % 4 == 0 ? value + term : fma(value, factor, term); });
}
template <class Real>
__global__ void rsqrt_kernel(Real* out, Real first) {
    run_chains(out, first + static_cast<Real>(threadIdx.x), [](Real value, int) { return cuda::fast_rsqrt(value); });
}
__global__ void copy_kernel(const float4* from, float4* to, std::uint64_t count) {
    const std::uint64_t i = cuda::thread_index();
    if (i < count) to[i] = from[i];
}

/// Smallest of several times in device seconds, after a warm-up that raises the clocks.
template <class Launch>
double least_time(const cuda::Stream& stream, const Launch& launch) {
    for (int i = 0; i < 300; ++i) launch();
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < kTrials; ++i) {
        const cuda::Event start, end;
        start.record(stream.get());
        for (int k = 0; k < 8; ++k) launch();
        end.record(stream.get());
        least = std::min(least, end.seconds_since(start) / 8);
    }
    return least;
}

}  // namespace

template <class Real>
Ceilings measure_cuda_ceilings() {
    int device = 0, processors = 0;
    cuda::check(cudaGetDevice(&device), "querying the device");
    cuda::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "querying the device");
    const cuda::Stream stream;
    const cuda::Shape all{dim3(static_cast<unsigned>(kBlocksEach * processors)), dim3(256)};
    const double operations = 256.0 * kBlocksEach * processors * kChainsOfThread * kRepeats;
    cuda::DeviceBuffer<Real> out{1};
    cuda::DeviceBuffer<float4> from{kVectors}, to{kVectors};
    Ceilings found;
    const auto fma_rate = [&](void (*kernel)(Real*, Real, Real)) {
        return operations / least_time(stream, [&] {
                   cuda::launch("ceiling of fma", all, stream.get(), kernel, out.data(), Real(0.999), Real(1e-3));
               });
    };
    found.fma = fma_rate(&fma_kernel<Real, false>);
    found.mix = fma_rate(&fma_kernel<Real, true>);
    found.rsqrt = operations / least_time(stream, [&] {
                      cuda::launch("ceiling of rsqrt", all, stream.get(), rsqrt_kernel<Real>, out.data(), Real(1.1));
                  });
    found.bytes = 2.0 * kVectors * sizeof(float4) / least_time(stream, [&] {
                      cuda::launch("ceiling of memory", cuda::linear(kVectors), stream.get(), copy_kernel, from.data(),
                                   to.data(), kVectors);
                  });
    stream.wait();
    return found;
}
template Ceilings measure_cuda_ceilings<float>();
template Ceilings measure_cuda_ceilings<double>();

}  // namespace orrery
