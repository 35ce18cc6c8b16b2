// SPDX-License-Identifier: MIT
// Distances to k-th neighbours, by the method of core/bodies/neighbours.cpp: along the curve of the tree engines each
// 32 bodies are a leaf, each 32 leaves, and each 32 of what they make, a cell with a box. A warp has a leaf. All its
// lanes look for the neighbours of the body in its middle, which says how far the others probably have to look; then
// each lane measures its own body against what lies around the leaf. Few bodies have to look again, far outside mostly:
// each has a warp of its own then.
#include "core/bodies/cuda/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/cuda/neighbour_search.cuh"
#include "core/bodies/neighbours_device.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/tree/build.cuh"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;
using cuda::thread_index;

using namespace neighbours;

constexpr unsigned kMostAgain = 4096;  // warps that look again

/// Places that are not finite are nobody's neighbours: comparisons with what is not a number are false.
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

__device__ void write_box(Box* to, float lx, float ly, float lz, float hx, float hy, float hz) {
    const Box box{{least_of_warp(lx), least_of_warp(ly), least_of_warp(lz), 0},
                  {most_of_warp(hx), most_of_warp(hy), most_of_warp(hz), 0}};
    if (threadIdx.x % 32 == 0) *to = box;
}

/// A warp per leaf. Of nothing: a box that is far from everything.
__global__ void enclose_leaves(const Vec4f* bodies, unsigned count, Box* leaves) {
    const std::uint64_t i = thread_index();
    constexpr float kFar = std::numeric_limits<float>::infinity();
    const bool has = i < count && !isnan(bodies[i].x);
    const Vec4f b = has ? bodies[i] : Vec4f{};
    if (i / kLeaf * kLeaf >= count) return;
    write_box(leaves + i / kLeaf, has ? b.x : kFar, has ? b.y : kFar, has ? b.z : kFar, has ? b.x : -kFar,
              has ? b.y : -kFar, has ? b.z : -kFar);
}
__global__ void enclose_boxes(const Box* below, unsigned count, Box* above) {
    const std::uint64_t i = thread_index();
    constexpr float kFar = std::numeric_limits<float>::infinity();
    if (i / kLeaf * kLeaf >= count) return;
    const Box b = i < count ? below[i] : Box{{kFar, kFar, kFar, 0}, {-kFar, -kFar, -kFar, 0}};
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

__global__ void __launch_bounds__(32, 24) find_neighbours_again(const __grid_constant__ Search in) {
    extern __shared__ float kept[];
    __shared__ Shared shared;
    for (unsigned i = blockIdx.x; i < *in.again_count; i += gridDim.x) Warp{in, shared, kept}.find_again(i);
}

}  // namespace

struct DeviceNeighbours::Memory {
    cuda::TreeBuilder<float> tree;
    DeviceBuffer<Vec4f> taken;
    DeviceBuffer<unsigned> finite;
    DeviceBuffer<Box> boxes;
    DeviceBuffer<Again> again;
    DeviceBuffer<unsigned> again_count;
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
    if (m.finite.size() == 0) m.finite = DeviceBuffer<unsigned>{1}, m.again_count = DeviceBuffer<unsigned>{1};
    if (m.taken.size() < count) {
        m.taken = {}, m.again = {};
        m.taken = DeviceBuffer<Vec4f>{count + count / 8}, m.again = DeviceBuffer<Again>{count + count / 8};
    }
    cuda::check(cudaMemsetAsync(m.finite.data(), 0, sizeof(unsigned), stream), "counting places from 0");
    launch("neighbours: take", linear(count), stream, take, places, bodies, m.taken.data(), m.finite.data());
    m.tree.sort(m.taken.data(), count, 0, {kLeaf, kLeaf, kLeaf}, stream);
    const cuda::TreeView<float> tree = m.tree.view();
    if (order != nullptr)
        cuda::check(cudaMemcpyAsync(order, tree.order, count * sizeof *order, cudaMemcpyDeviceToDevice, stream),
                    "copying the order of bodies");

    Levels levels{};
    std::size_t all = 0;
    for (unsigned of = bodies;; ++levels.top) {
        of = (of + kLeaf - 1) / kLeaf;
        levels.counts[levels.top] = of, all += of;
        if (of <= kLeaf) break;
    }
    if (m.boxes.size() < all) m.boxes = {}, m.boxes = DeviceBuffer<Box>{all + all / 8};
    Box* next = m.boxes.data();
    for (int level = 0; level <= levels.top; ++level) {
        levels.boxes[level] = next;
        if (level == 0)
            launch("neighbours: leaves", linear(count), stream, enclose_leaves, tree.bodies, bodies, next);
        else
            launch("neighbours: boxes", linear(levels.counts[level - 1]), stream, enclose_boxes,
                   levels.boxes[level - 1], levels.counts[level - 1], next);
        next += levels.counts[level];
    }
    const auto wanted = static_cast<unsigned>(std::max(k, 1));
    m.search = {.bodies = tree.bodies,
                .count = bodies,
                .levels = levels,
                .order = tree.order,
                .finite = m.finite.data(),
                .state = tree.state,
                .k = wanted,
                .kept = kept_for(std::min(wanted, kMostKept)),
                .again = m.again.data(),
                .again_count = m.again_count.data()};
    return levels.counts[0];
}

void DeviceNeighbours::find_in(std::size_t first, std::size_t last, float* distances, cudaStream_t stream) {
    if (first >= last) return;
    Search search = memory_->search;
    search.first = static_cast<unsigned>(first), search.distances = distances;
    const auto leaves = static_cast<unsigned>(last - first);
    const std::size_t shared_bytes = std::size_t{search.kept} * 32 * sizeof(float);
    cuda::check(cudaMemsetAsync(search.again_count, 0, sizeof(unsigned), stream), "counting bodies from 0");
    launch("neighbours: find", {dim3(leaves), dim3(32), shared_bytes}, stream, find_neighbours, search);
    launch("neighbours: find again", {dim3(std::min(leaves * kLeaf, kMostAgain)), dim3(32), shared_bytes}, stream,
           find_neighbours_again, search);
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
    for (int i = 0; i <= std::max(repeat, 1); ++i) {  // the first time it allocates
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
