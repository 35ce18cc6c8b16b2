// SPDX-License-Identifier: MIT
// The part of TreeBuilder for the domain of one rank: selects and sorts its bodies and builds its cells.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"

namespace orrery::cuda {
namespace {

using KeyedBody = thrust::tuple<std::uint64_t, std::uint32_t>;

template <class Real>
struct KeyOfBody {
    const Vec4<Real>* bodies;
    const TreeState<Real>* state;
    int levels;
    __device__ KeyedBody operator()(std::uint32_t i) const {
        return {key_of(state->units.grid, xyz(bodies[i]), levels), i};
    }
};
struct InDomain {
    std::uint64_t begin, end;
    __device__ bool operator()(const KeyedBody& body) const {
        return thrust::get<0>(body) >= begin && thrust::get<0>(body) < end;
    }
};

template <class Real>
__global__ void sample_keys(const Vec4<Real>* bodies, std::uint64_t count, std::uint64_t samples,
                            const TreeState<Real>* state, std::uint64_t* keys) {
    const std::uint64_t i = thread_index();
    if (i < samples) keys[i] = key_of(state->units.grid, xyz(bodies[i * count / samples]));
}

}  // namespace

template <class Real>
void TreeBuilder<Real>::enclose_all(const Vec4<Real>* bodies, std::uint64_t count, double softening,
                                    cudaStream_t stream, const Vec4<Real>* low, const Previous<Real>& previous) {
    set_bodies(bodies, count, softening, stream, low, previous);
    enclose(stream);
}

template <class Real>
std::vector<std::uint64_t> TreeBuilder<Real>::sampled_keys(std::uint64_t most, cudaStream_t stream) {
    std::vector<std::uint64_t> keys(std::min<std::uint64_t>(most, input_.count));
    const auto samples = static_cast<std::int64_t>(keys.size());
    launch("sample_keys", linear(keys.size()), stream, sample_keys<Real>, input_.bodies, std::uint64_t{input_.count},
           keys.size(), state_.data(), sorting_.keys.data());
    const auto radix = [&](void* memory, std::size_t& needed) {
        check(cub::DeviceRadixSort::SortKeys(memory, needed, sorting_.keys.data(), sorting_.sorted_keys.data(), samples,
                                             0, 3 * kKeyLevels, stream),
              "sorting samples");
    };
    std::size_t bytes = 0;
    radix(nullptr, bytes);
    radix(scratch(bytes), bytes);
    download<std::uint64_t>(sorting_.sorted_keys, keys, stream);
    check(cudaStreamSynchronize(stream), "waiting for samples");
    return keys;
}

template <class Real>
void TreeBuilder<Real>::sort_domain(const Domains& domains, int own, std::size_t border_cells, const TreeShape& shape,
                                    cudaStream_t stream) {
    sorting_.levels = whole_passes(levels_for(shape));
    const std::uint64_t begin = domains.begin(own), end = domains.end(own);
    border_.domains = {.before = begin - 1, .after = end, .has_before = begin > 0, .has_after = end < kKeyEnd};
    border_.room = BorderCell::kOctants * border_cells + 1;
    if (sorting_.selected.size() == 0) sorting_.selected = DeviceBuffer<std::uint32_t>{1};
    const auto from = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>{0},
                                                      KeyOfBody<Real>{input_.bodies, state_.data(), sorting_.levels});
    const auto to = thrust::make_zip_iterator(thrust::make_tuple(sorting_.keys.data(), unsorted()));
    const auto select = [&](void* memory, std::size_t& needed) {
        check(cub::DeviceSelect::If(memory, needed, from, to, sorting_.selected.data(),
                                    static_cast<std::int64_t>(input_.count), InDomain{begin, end}, stream),
              "choosing the bodies of a domain");
    };
    std::size_t bytes = 0;
    select(nullptr, bytes);
    select(scratch(bytes), bytes);
    download<std::uint32_t>(sorting_.selected, std::span{&count_, 1}, stream);
    check(cudaStreamSynchronize(stream), "waiting for the number of bodies");
    if (count_ > 0) sort_pairs(stream);
}

template <class Real>
void TreeBuilder<Real>::build_domain(const TreeShape& shape, const TreeMac& rule, cudaStream_t stream,
                                     const Event& built) {
    shape_ = shape, rule_ = rule;
    make_cells(stream);
    built.record(stream);
    compute_moments(rule, true, stream);
}

template <class Real>
void TreeBuilder<Real>::settle_domain(const TreeState<Real>& found) {
    host_ = found;
    cells_ = 0, levels_ = 0;
    for (int level = 0; level < kTreeLevels; ++level) {
        cells_ += host_.cells_of_level[level];
        if (host_.cells_of_level[level] > 0) levels_ = level + 1;
    }
}

template <class Real>
TreeStore<Real> TreeBuilder<Real>::store() {
    return {.nodes = memory_.nodes.data(),
            .quadrupoles = memory_.quadrupoles.data(),
            .lows = memory_.lows.data(),
            .highs = memory_.highs.data(),
            .ranges = memory_.ranges.data(),
            .bodies = bodies_.data(),
            .low = low_.data(),
            .keys = sorting_.sorted_keys.data(),
            .acceleration_norm = acceleration_norm_.data(),
            .groups = grouping_.groups.data(),
            .groups_room = grouping_.room,
            .clusters = clusters(),
            .count = count_,
            .border = static_cast<std::uint32_t>(memory_.nodes.size() - border_.room),
            .state = state_.data()};
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;

}  // namespace orrery::cuda
