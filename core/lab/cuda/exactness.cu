// SPDX-License-Identifier: MIT
// Exact ranges on the device, where roots and fused arithmetic, and so the ranges, differ from those of the host.
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/lab/exactness.hpp"

namespace orrery {
namespace {

using namespace cuda;

__global__ void least_wrong_row(AnyMap map, std::uint32_t limit, unsigned* first) {
    const std::uint64_t row = thread_index();
    if (row < limit && !places_row(map, static_cast<std::uint32_t>(row), limit))
        atomicMin(first, static_cast<unsigned>(row));
}

/// One block per n, starting at 2.
__global__ void least_wrong_utm(RootId root, std::uint32_t limit, unsigned* first) {
    const std::uint32_t n = 2 + blockIdx.x;
    if (n >= limit) return;
    for (std::uint32_t a = 1 + threadIdx.x; a < n; a += blockDim.x) {
        if (utm_places_row(root, a, n)) continue;
        atomicMin(first, n);
        return;
    }
}

template <class Real>
__device__ bool lambda3_places_layer(Real epsilon, std::uint32_t k, std::uint32_t side) {
    const Lambda3Published<Real> map{epsilon};
    return map(Block3{tetrahedral(k), 0, 0}, side) == TileTriple{0, 0, k} &&
           map(Block3{tetrahedral(k + 1) - 1, 0, 0}, side) == TileTriple{k, k, k};
}

template <class Real>
__global__ void least_wrong_layer(Real epsilon, std::uint32_t limit, unsigned* first) {
    const auto k = static_cast<std::uint32_t>(thread_index());
    if (k < limit && !lambda3_places_layer<Real>(epsilon, k, limit)) atomicMin(first, k);
}

__global__ void least_wrong_layer4(Layers4Form form, std::uint32_t limit, unsigned* first) {
    const auto l = static_cast<std::uint32_t>(thread_index());
    if (l < limit && !places_layer4(form, l)) atomicMin(first, l);
}

template <class Launch>
std::uint32_t least(std::uint32_t limit, const Launch& launch_on) {
    const Stream stream;
    DeviceBuffer<unsigned> d_first{1};
    unsigned first = limit;
    upload(std::span<const unsigned>{&first, 1}, d_first, stream.get());
    launch_on(stream.get(), d_first.data());
    download(d_first, std::span{&first, 1}, stream.get());
    stream.wait();
    return first;
}

}  // namespace

std::uint32_t first_wrong_row_on_device(AnyMap map, std::uint32_t limit) {
    return least(limit, [&](cudaStream_t stream, unsigned* d_first) {
        launch("least_wrong_row", linear(limit), stream, least_wrong_row, map, limit, d_first);
    });
}

std::uint32_t first_wrong_layer_on_device(bool fp64, double epsilon, std::uint32_t limit) {
    return least(limit, [&](cudaStream_t stream, unsigned* d_first) {
        if (fp64)
            launch("least_wrong_layer", linear(limit), stream, least_wrong_layer<double>, epsilon, limit, d_first);
        else
            launch("least_wrong_layer", linear(limit), stream, least_wrong_layer<float>, static_cast<float>(epsilon),
                   limit, d_first);
    });
}

std::uint32_t first_wrong_layer4_on_device(Layers4Form form, std::uint32_t limit) {
    return least(limit, [&](cudaStream_t stream, unsigned* d_first) {
        launch("least_wrong_layer4", linear(limit), stream, least_wrong_layer4, form, limit, d_first);
    });
}

std::uint32_t first_wrong_utm_on_device(RootId root, std::uint32_t limit) {
    return least(limit, [&](cudaStream_t stream, unsigned* d_first) {
        launch("least_wrong_utm", {dim3(limit), dim3(256)}, stream, least_wrong_utm, root, limit, d_first);
    });
}

}  // namespace orrery
