// SPDX-License-Identifier: MIT
// Friends of friends as on the host (core/spatial/friends.cpp): cells so small that all bodies in one are friends,
// sorted by their keys; each cell is compared with the neighbours that follow it, at most two cells away, by one
// thread. Adjacent neighbours come first: in dense regions the others then belong to the same group, and need no
// comparison.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/spatial/cuda/friends_kernels.cuh"
#include "core/spatial/friends.hpp"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;

using namespace friends;

int bits_for(double cells) {
    int bits = 1;
    while (std::ldexp(1.0, bits) < cells) ++bits;
    return bits;
}

/// The arrays of a search, allocated for a number of bodies and images.
template <class Real>
class DeviceSearch {
public:
    DeviceSearch(std::span<const Vec4<Real>> bodies, double link, double period)
        : count_{static_cast<unsigned>(bodies.size())},
          link_{link},
          period_{period},
          bodies_{bodies.size()},
          extent_{1},
          next_image_{1},
          parents_{bodies.size()},
          groups_{bodies.size()} {
        upload(bodies, bodies_, stream_.get());
        stream_.wait();
    }

    double find() {
        const cuda::Event start, end;
        const Extent extent = measure(start);
        const KeyLayout layout = layout_of(extent);
        const unsigned entries = count_ + extent.images;
        if (allocate(entries)) return find();  // run again, so that allocations are not timed
        search(layout, entries);
        end.record(stream_.get());
        return end.seconds_since(start);
    }

    std::vector<std::uint32_t> groups() {
        std::vector<std::uint32_t> host(count_);
        download(groups_, std::span{host}, stream_.get());
        stream_.wait();
        return host;
    }

private:
    Extent measure(const cuda::Event& start) {
        Extent none{};
        std::ranges::fill(none.low, ~Key{0});
        upload(std::span<const Extent>{&none, 1}, extent_, stream_.get());
        stream_.wait();
        start.record(stream_.get());
        launch("friends: extent", {dim3(std::min(1024u, (count_ + 255) / 256)), dim3(256)}, stream_.get(),
               find_extent<Real>, bodies_.data(), count_, link_, period_, extent_.data());
        Extent found{};
        download(extent_, std::span{&found, 1}, stream_.get());
        stream_.wait();
        if (found.invalid) usage_error("groups: a position is not finite");
        return found;
    }

    KeyLayout layout_of(const Extent& extent) const {
        KeyLayout layout{.low = {}, .side = kFriendMargin * link_ / std::sqrt(3.0), .bits = {}};
        for (int k = 0; k < 3; ++k) {
            layout.low[k] = from_ordered(extent.low[k]);
            const double high = from_ordered(extent.high[k]) + (period_ > 0 ? period_ : 0);
            // Two cells on either side, and one for rounding.
            const double cells = (high - layout.low[k]) / layout.side + 6;
            if (!(cells < std::ldexp(1.0, kMostKeyBits)))
                link_is_too_short(link_, high - layout.low[k], " on a device");
            layout.bits[k] = bits_for(cells);
        }
        return layout;
    }

    /// Returns true if memory had to be allocated.
    bool allocate(unsigned entries) {
        if (keys_.size() >= entries) return false;
        keys_ = DeviceBuffer<Key>{entries}, sorted_keys_ = DeviceBuffer<Key>{entries};
        entries_ = DeviceBuffer<Entry>{entries}, sorted_entries_ = DeviceBuffer<Entry>{entries};
        heads_ = DeviceBuffer<unsigned>{entries}, cell_of_ = DeviceBuffer<unsigned>{entries};
        begins_ = DeviceBuffer<unsigned>{std::size_t{entries} + 1}, cell_keys_ = DeviceBuffer<Key>{entries};
        if (period_ > 0)
            wide_ = DeviceBuffer<Vec4d>{entries};
        else
            places_ = DeviceBuffer<Vec4<Real>>{entries};
        table_ = DeviceBuffer<unsigned>{(std::size_t{1} << kTableBits) + 2};
        std::size_t sort = 0, scan = 0;
        cuda::check(cub::DeviceRadixSort::SortPairs(nullptr, sort, keys_.data(), sorted_keys_.data(), entries_.data(),
                                                    sorted_entries_.data(), entries, 0, 64, stream_.get()),
                    "memory to sort friends");
        cuda::check(
            cub::DeviceScan::InclusiveSum(nullptr, scan, heads_.data(), cell_of_.data(), entries, stream_.get()),
            "memory to count cells");
        memory_ = DeviceBuffer<std::byte>{std::max(sort, scan)};
        return true;
    }

    void search(const KeyLayout& layout, unsigned entries) {
        const cudaStream_t stream = stream_.get();
        cuda::check(cudaMemsetAsync(next_image_.data(), 0, sizeof(unsigned), stream), "counting images from 0");
        launch("friends: keys", linear(count_), stream, make_keys<Real>, bodies_.data(), count_, link_, period_, layout,
               keys_.data(), entries_.data(), next_image_.data());
        std::size_t bytes = memory_.size();
        cuda::check(
            cub::DeviceRadixSort::SortPairs(memory_.data(), bytes, keys_.data(), sorted_keys_.data(), entries_.data(),
                                            sorted_entries_.data(), entries, 0, layout.all_bits(), stream),
            "sorting friends");
        launch("friends: gather", linear(entries), stream, gather<Real>, bodies_.data(), sorted_keys_.data(),
               sorted_entries_.data(), entries, period_, wide_.data(), places_.data(), heads_.data());
        bytes = memory_.size();
        cuda::check(
            cub::DeviceScan::InclusiveSum(memory_.data(), bytes, heads_.data(), cell_of_.data(), entries, stream),
            "counting cells");
        launch("friends: cells", linear(std::max(entries, count_)), stream, begin_cells, sorted_keys_.data(),
               heads_.data(), cell_of_.data(), entries, begins_.data(), cell_keys_.data(), parents_.data(), count_);
        launch("friends: within cells", linear(entries), stream, join_cells, sorted_entries_.data(), cell_of_.data(),
               begins_.data(), entries, parents_.data());
        unsigned cells = 0;
        cuda::check(
            cudaMemcpyAsync(&cells, cell_of_.data() + entries - 1, sizeof cells, cudaMemcpyDeviceToHost, stream),
            "number of cells");
        stream_.wait();
        const int low_bits = std::max(0, layout.all_bits() - kTableBits);
        const unsigned table_size = (1u << std::min(kTableBits, layout.all_bits())) + 1;
        launch("friends: table", linear(table_size), stream, make_table, cell_keys_.data(), cells, low_bits,
               table_.data(), table_size);
        const CellArgs args{cell_keys_.data(),      begins_.data(),  table_.data(), cells, low_bits, layout,
                            sorted_entries_.data(), parents_.data(), link_ * link_};
        for (const bool touching : {true, false}) {
            if (period_ > 0)
                launch("friends: neighbours", linear(cells), stream, compare_neighbours<double>, args,
                       rows_of_neighbours(touching), wide_.data());
            else
                launch("friends: neighbours", linear(cells), stream, compare_neighbours<Real>, args,
                       rows_of_neighbours(touching), places_.data());
        }
        launch("friends: groups", linear(count_), stream, write_groups, parents_.data(), count_, groups_.data());
    }

    unsigned count_;
    double link_, period_;
    cuda::Stream stream_;
    DeviceBuffer<Vec4<Real>> bodies_, places_;
    DeviceBuffer<Vec4d> wide_;
    DeviceBuffer<Extent> extent_;
    DeviceBuffer<Key> keys_, sorted_keys_, cell_keys_;
    DeviceBuffer<Entry> entries_, sorted_entries_;
    DeviceBuffer<unsigned> heads_, cell_of_, begins_, table_, next_image_, parents_, groups_;
    DeviceBuffer<std::byte> memory_;
};

template <class Real>
DeviceFriends find_friends(std::span<const Vec4<Real>> bodies, double link, double period, int repeat) {
    if (!cuda_info().available) environment_error(cuda_info().reason);
    require_link(link, period);
    if (bodies.empty()) return {};
    DeviceSearch<Real> search{bodies, link, period};
    std::vector<double> seconds;
    for (int i = 0; i < std::max(1, repeat); ++i) seconds.push_back(search.find());
    std::sort(seconds.begin(), seconds.end());
    return {search.groups(), seconds[seconds.size() / 2]};
}

}  // namespace

DeviceFriends friends_on_device(std::span<const Vec4f> bodies, double link, double period, int repeat) {
    return find_friends(bodies, link, period, repeat);
}
DeviceFriends friends_on_device(std::span<const Vec4d> bodies, double link, double period, int repeat) {
    return find_friends(bodies, link, period, repeat);
}

}  // namespace orrery
