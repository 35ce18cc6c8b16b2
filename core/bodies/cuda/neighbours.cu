// SPDX-License-Identifier: MIT
// Distances to k-th neighbours, by the method of core/spatial/neighbours.cpp: 32 consecutive bodies on the curve of the
// tree engines form a leaf; 32 leaves, and 32 cells of each level, form a cell with a bounding box. Each leaf has a
// warp. All its lanes first find the k-th neighbour of the middle body, which gives the probable search radius of the
// others; then each lane measures its own body against the leaves around. Few bodies, mostly far outside, must be
// searched again, each by its own warp.
#include "core/bodies/cuda/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/cuda/neighbour_search.cuh"
#include "core/bodies/neighbours_device.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/curve_order.hpp"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;
using cuda::thread_index;

using namespace neighbours;

constexpr unsigned kMostRetries = 4096;  // warps that search again

/// Non-finite positions become NaN and are never neighbours, because comparisons with NaN are false.
__global__ void take(const Vec4f* places, unsigned count, Vec4f* taken, unsigned* finite) {
    const std::uint64_t i = thread_index();
    const float nowhere = __int_as_float(0x7fffffff);
    bool good = false;
    if (i < count) {
        const Vec4f b = places[i];
        good = isfinite(b.x) && isfinite(b.y) && isfinite(b.z);
        taken[i] = good ? Vec4f{b.x, b.y, b.z, 1} : Vec4f{nowhere, nowhere, nowhere, 1};
    }
    const unsigned lanes = __ballot_sync(kAll, good);
    if (threadIdx.x % 32 == 0 && lanes != 0) atomicAdd(finite, static_cast<unsigned>(__popc(lanes)));
}

__device__ void write_box(LeafBox* to, float lx, float ly, float lz, float hx, float hy, float hz) {
    const LeafBox box{{least_of_warp(lx), least_of_warp(ly), least_of_warp(lz), 0},
                      {most_of_warp(hx), most_of_warp(hy), most_of_warp(hz), 0}};
    if (threadIdx.x % 32 == 0) *to = box;
}

/// One warp per leaf. The box of an empty leaf is far from everything.
__global__ void enclose_leaves(const Vec4f* bodies, unsigned count, LeafBox* leaves) {
    const std::uint64_t i = thread_index();
    constexpr float kFar = std::numeric_limits<float>::infinity();
    const bool has = i < count && !isnan(bodies[i].x);
    const Vec4f b = has ? bodies[i] : Vec4f{};
    if (i / kLeaf * kLeaf >= count) return;
    write_box(leaves + i / kLeaf, has ? b.x : kFar, has ? b.y : kFar, has ? b.z : kFar, has ? b.x : -kFar,
              has ? b.y : -kFar, has ? b.z : -kFar);
}
__global__ void enclose_boxes(const LeafBox* below, unsigned count, LeafBox* above) {
    const std::uint64_t i = thread_index();
    constexpr float kFar = std::numeric_limits<float>::infinity();
    if (i / kLeaf * kLeaf >= count) return;
    const LeafBox b = i < count ? below[i] : LeafBox{{kFar, kFar, kFar, 0}, {-kFar, -kFar, -kFar, 0}};
    write_box(above + i / kLeaf, b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z);
}

__global__ void __launch_bounds__(32, 24) find_neighbours(const __grid_constant__ Search in) {
    extern __shared__ float kept[];
    __shared__ Shared shared;
    const unsigned leaf = in.first + blockIdx.x;
    if (*in.finite < 2) {
        const unsigned own = leaf * kLeaf + threadIdx.x;
        if (own < in.count) in.distances[in.order[own]] = 0;
        return;
    }
    Warp{in, shared, kept}.find(leaf);
}

__global__ void __launch_bounds__(32, 24) retry_neighbours(const __grid_constant__ Search in) {
    extern __shared__ float kept[];
    __shared__ Shared shared;
    for (unsigned i = blockIdx.x; i < *in.retry_count; i += gridDim.x) Warp{in, shared, kept}.retry(i);
}

}  // namespace

struct DeviceNeighbours::Memory {
    cuda::DeviceCurveOrder<float> curve;
    DeviceBuffer<Vec4f> taken;
    DeviceBuffer<unsigned> finite;
    DeviceBuffer<LeafBox> boxes;
    DeviceBuffer<RetryBody> retries;
    DeviceBuffer<unsigned> retry_count;
    Search search{};
};

DeviceNeighbours::DeviceNeighbours() : memory_{std::make_unique<Memory>()} {}
DeviceNeighbours::~DeviceNeighbours() = default;

void DeviceNeighbours::find(const Vec4f* places, std::size_t count, int k, float* distances, std::uint32_t* order,
                            cudaStream_t stream) {
    find_in(0, begin(places, count, k, order, stream), distances, stream);
}

std::size_t DeviceNeighbours::begin(const Vec4f* places, std::size_t count, int k, std::uint32_t* order,
                                    cudaStream_t stream) {
    if (count == 0) return 0;
    Memory& m = *memory_;
    const auto bodies = static_cast<unsigned>(count);
    if (m.finite.size() == 0) m.finite = DeviceBuffer<unsigned>{1}, m.retry_count = DeviceBuffer<unsigned>{1};
    if (m.taken.size() < count) {
        m.taken = {}, m.retries = {};
        m.taken = DeviceBuffer<Vec4f>{count + count / 8}, m.retries = DeviceBuffer<RetryBody>{count + count / 8};
    }
    cuda::check(cudaMemsetAsync(m.finite.data(), 0, sizeof(unsigned), stream), "clearing the number of positions");
    launch("neighbours: take", linear(count), stream, take, places, bodies, m.taken.data(), m.finite.data());
    m.curve.sort(m.taken.data(), count, kLeaf, stream);
    if (order != nullptr)
        cuda::check(cudaMemcpyAsync(order, m.curve.order(), count * sizeof *order, cudaMemcpyDeviceToDevice, stream),
                    "copying the order of bodies");

    Levels levels{};
    std::size_t all = 0;
    for (unsigned of = bodies;; ++levels.top) {
        of = (of + kLeaf - 1) / kLeaf;
        levels.counts[levels.top] = of, all += of;
        if (of <= kLeaf) break;
    }
    if (m.boxes.size() < all) m.boxes = {}, m.boxes = DeviceBuffer<LeafBox>{all + all / 8};
    LeafBox* next = m.boxes.data();
    for (int level = 0; level <= levels.top; ++level) {
        levels.boxes[level] = next;
        if (level == 0)
            launch("neighbours: leaves", linear(count), stream, enclose_leaves, m.curve.bodies(), bodies, next);
        else
            launch("neighbours: boxes", linear(levels.counts[level - 1]), stream, enclose_boxes,
                   levels.boxes[level - 1], levels.counts[level - 1], next);
        next += levels.counts[level];
    }
    const auto wanted = static_cast<unsigned>(std::max(k, 1));
    m.search = {.bodies = m.curve.bodies(),
                .count = bodies,
                .levels = levels,
                .order = m.curve.order(),
                .finite = m.finite.data(),
                .per_length = m.curve.per_length(),
                .k = wanted,
                .kept = kept_for(std::min(wanted, kMostKept)),
                .retries = m.retries.data(),
                .retry_count = m.retry_count.data()};
    return levels.counts[0];
}

void DeviceNeighbours::find_in(std::size_t first, std::size_t last, float* distances, cudaStream_t stream) {
    if (first >= last) return;
    Search search = memory_->search;
    search.first = static_cast<unsigned>(first), search.distances = distances;
    const auto leaves = static_cast<unsigned>(last - first);
    const std::size_t shared_bytes = std::size_t{search.kept} * 32 * sizeof(float);
    cuda::check(cudaMemsetAsync(search.retry_count, 0, sizeof(unsigned), stream), "clearing the number of bodies");
    launch("neighbours: find", {dim3(leaves), dim3(32), shared_bytes}, stream, find_neighbours, search);
    launch("neighbours: find again", {dim3(std::min(leaves * kLeaf, kMostRetries)), dim3(32), shared_bytes}, stream,
           retry_neighbours, search);
}

DeviceDistances neighbours_on_device(std::span<const Vec4f> places, int k, int repeat, std::size_t parts) {
    if (!cuda_info().available) environment_error(cuda_info().reason);
    DeviceDistances found{std::vector<float>(places.size()), 0};
    if (places.empty()) return found;
    const cuda::Stream stream;
    DeviceBuffer<Vec4f> bodies{places.size()};
    DeviceBuffer<float> distances{places.size()};
    upload(places, bodies, stream.get());
    DeviceNeighbours neighbours;
    std::vector<double> seconds;
    for (int i = 0; i <= std::max(repeat, 1); ++i) {  // the first run allocates
        const cuda::Event start, end;
        start.record(stream.get());
        const std::size_t leaves = neighbours.begin(bodies.data(), places.size(), k, nullptr, stream.get());
        for (std::size_t part = 0; part < parts; ++part)
            neighbours.find_in(leaves * part / parts, leaves * (part + 1) / parts, distances.data(), stream.get());
        end.record(stream.get());
        const double took = end.seconds_since(start);
        if (i > 0) seconds.push_back(took);
    }
    std::ranges::sort(seconds);
    found.seconds = seconds[seconds.size() / 2];
    download(distances, std::span{found.distances}, stream.get());
    stream.wait();
    return found;
}

}  // namespace orrery
