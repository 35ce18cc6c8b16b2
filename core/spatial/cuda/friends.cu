// SPDX-License-Identifier: MIT
// Friends of friends as on the host (core/spatial/friends.cpp): cells so small that all bodies in one are friends,
// sorted by their keys; each cell is compared with the neighbours that follow it, at most two cells away, by one
// thread. Adjacent neighbours come first: in dense regions the others then belong to the same group, and need no
// comparison.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/hd.hpp"
#include "core/base/vec.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/spatial/friends.hpp"

namespace orrery::friends {

// Kernels of friends.cu: keys of the bodies, cells, and the search for cells with mutual friends.

using cuda::thread_index;
using Key = unsigned long long;

inline constexpr int kMostKeyBits = 21;  // per direction
inline constexpr int kTableBits = 22;    // high bits of a key that index the search table

/// The smallest and largest coordinates of all bodies, as integers in the same order.
struct Extent {
    Key low[3], high[3];
    unsigned int images;  ///< beyond the upper faces of a periodic box
    unsigned int invalid;
};

__host__ __device__ inline Key ordered(double x) {
#ifdef __CUDA_ARCH__
    const Key bits = static_cast<Key>(__double_as_longlong(x));
#else
    Key bits;
    static_assert(sizeof bits == sizeof x);
    __builtin_memcpy(&bits, &x, sizeof x);
#endif
    return bits >> 63 ? ~bits : bits | (Key{1} << 63);
}
inline double from_ordered(Key key) {
    const Key bits = key >> 63 ? key & ~(Key{1} << 63) : ~key;
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/// Layout of keys: cell numbers along x in the high bits, z in the low ones.
struct KeyLayout {
    double low[3], side;
    int bits[3];
    ORRERY_HD int all_bits() const { return bits[0] + bits[1] + bits[2]; }
};

__device__ inline Key key_of(const KeyLayout& layout, const long long (&cell)[3]) {
    return ((static_cast<Key>(cell[0]) << layout.bits[1] | static_cast<Key>(cell[1])) << layout.bits[2]) |
           static_cast<Key>(cell[2]);
}

/// Cell numbers start at 2, so that neighbours of the first cell have no negative numbers.
__device__ inline long long cell_at(double from_low, double side) {
    return static_cast<long long>(floor(from_low / side)) + 2;
}

__device__ inline double folded(double x, double period) {
    if (period <= 0) return x;
    const double within = x - period * floor(x / period);
    return within < period ? within : 0;
}

template <class Real>
__global__ void find_extent(const Vec4<Real>* bodies, unsigned count, double link, double period, Extent* extent) {
    Key low[3] = {~Key{0}, ~Key{0}, ~Key{0}}, high[3] = {0, 0, 0};
    unsigned images = 0;
    for (Key i = thread_index(); i < count; i += Key{gridDim.x} * blockDim.x) {
        const double p[3] = {folded(bodies[i].x, period), folded(bodies[i].y, period), folded(bodies[i].z, period)};
        unsigned ways = 1;
        for (int k = 0; k < 3; ++k) {
            if (!isfinite(p[k])) extent->invalid = 1;
            low[k] = min(low[k], ordered(p[k])), high[k] = max(high[k], ordered(p[k]));
            if (period > 0 && p[k] <= link) ways *= 2;
        }
        images += ways - 1;
    }
    for (int step = 16; step > 0; step /= 2) {
        for (int k = 0; k < 3; ++k) {
            low[k] = min(low[k], __shfl_down_sync(~0u, low[k], step));
            high[k] = max(high[k], __shfl_down_sync(~0u, high[k], step));
        }
        images += __shfl_down_sync(~0u, images, step);
    }
    if (threadIdx.x % 32 != 0) return;
    for (int k = 0; k < 3; ++k) atomicMin(&extent->low[k], low[k]), atomicMax(&extent->high[k], high[k]);
    if (images > 0) atomicAdd(&extent->images, images);
}

/// Keys of all bodies, then of their images in any order. An image is its body moved by one period in each direction
/// whose bit is set in `shift`.
struct Entry {
    unsigned body, shift;
};

template <class Real>
__global__ void make_keys(const Vec4<Real>* bodies, unsigned count, double link, double period, KeyLayout layout,
                          Key* keys, Entry* entries, unsigned* next_image) {
    const Key i = thread_index();
    if (i >= count) return;
    const double p[3] = {folded(bodies[i].x, period), folded(bodies[i].y, period), folded(bodies[i].z, period)};
    unsigned near = 0;
    if (period > 0)
        for (int k = 0; k < 3; ++k) near |= p[k] <= link ? 1u << k : 0u;
    for (unsigned shift = 0; shift <= near; ++shift) {
        if ((shift & ~near) != 0) continue;
        long long cell[3];
        for (int k = 0; k < 3; ++k)
            cell[k] = cell_at(p[k] + (shift >> k & 1u ? period : 0) - layout.low[k], layout.side);
        const unsigned to = shift == 0 ? static_cast<unsigned>(i) : count + atomicAdd(next_image, 1u);
        keys[to] = key_of(layout, cell);
        entries[to] = {static_cast<unsigned>(i), shift};
    }
}

/// Positions in the order of keys; w is unused. A head is the first entry of a cell.
template <class Real>
__global__ void gather(const Vec4<Real>* bodies, const Key* keys, const Entry* entries, unsigned count, double period,
                       Vec4<double>* wide, Vec4<Real>* places, unsigned* heads) {
    const Key i = thread_index();
    if (i >= count) return;
    const Vec4<Real> b = bodies[entries[i].body];
    const unsigned shift = entries[i].shift;
    const auto at = [&](Real x, int k) { return folded(x, period) + (shift >> k & 1u ? period : 0); };
    if (period > 0)
        wide[i] = {at(b.x, 0), at(b.y, 1), at(b.z, 2), 0};  // in double: shifted images would lose digits in float
    else
        places[i] = b;
    heads[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0;
}

/// `cell_of` is the number of heads up to and including each entry.
static __global__ void begin_cells(const Key* keys, const unsigned* heads, const unsigned* cell_of, unsigned count,
                                   unsigned* begins, Key* cell_keys, unsigned* parents, unsigned bodies) {
    const Key i = thread_index();
    if (i < bodies) parents[i] = static_cast<unsigned>(i);
    if (i >= count) return;
    if (heads[i]) begins[cell_of[i] - 1] = static_cast<unsigned>(i), cell_keys[cell_of[i] - 1] = keys[i];
    if (i + 1 == count) begins[cell_of[i]] = count;
}

/// For each value of the high bits of a key: the first cell whose high bits are not smaller.
static __global__ void make_table(const Key* cell_keys, unsigned cells, int low_bits, unsigned* table,
                                  unsigned table_size) {
    const Key k = thread_index();
    if (k >= table_size) return;
    unsigned low = 0, high = cells;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (cell_keys[middle] >> low_bits < k)
            low = middle + 1;
        else
            high = middle;
    }
    table[k] = low;
}

// Sets identified by their smallest index. A parent's index is below its child's, and an index with a parent never
// becomes a root again, so that shortening a path needs no atomic operation.
__device__ inline unsigned root_of(unsigned* parents, unsigned i) {
    volatile unsigned* const now = parents;
    for (;;) {
        const unsigned up = now[i];
        if (up == i) return i;
        const unsigned above = now[up];
        if (above != up) now[i] = above;
        i = above;
    }
}
__device__ inline void unite(unsigned* parents, unsigned a, unsigned b) {
    for (;;) {
        a = root_of(parents, a), b = root_of(parents, b);
        if (a == b) return;
        if (a < b) {
            const unsigned other = a;
            a = b, b = other;
        }
        if (atomicCAS(&parents[a], a, b) == a) return;
    }
}

static __global__ void join_cells(const Entry* entries, const unsigned* cell_of, const unsigned* begins, unsigned count,
                                  unsigned* parents) {
    const Key i = thread_index();
    if (i >= count) return;
    const unsigned first = begins[cell_of[i] - 1];
    if (first != i) unite(parents, entries[first].body, entries[i].body);
}

/// A row of neighbours along z.
struct Row {
    int x, y, first, last;
};
struct Rows {
    Row row[13];
    int count;
};

/// Rows of the neighbours that follow a cell: those adjacent to it, or those beyond.
inline Rows rows_of_neighbours(bool touching) {
    Rows rows{{}, 0};
    const auto add = [&](int x, int y, int first, int last) { rows.row[rows.count++] = {x, y, first, last}; };
    if (touching) {
        add(0, 0, 1, 1), add(0, 1, -1, 1);
        for (int y = -1; y <= 1; ++y) add(1, y, -1, 1);
        return rows;
    }
    // Rows next to the cell are searched whole: adjacent cells already belong to the same group, or are too far.
    add(0, 0, 2, 2), add(0, 1, -2, 2), add(0, 2, -2, 2);
    for (int y = -2; y <= 2; ++y) add(1, y, -2, 2);
    for (int y = -2; y <= 2; ++y) add(2, y, -2, 2);
    return rows;
}

struct CellArgs {
    const Key* cell_keys;
    const unsigned *begins, *table;
    unsigned cells;
    int low_bits;
    KeyLayout layout;
    const Entry* entries;
    unsigned* parents;
    double link2;
};

/// The first cell whose key is not smaller.
__device__ inline unsigned cell_from(const CellArgs& in, Key key) {
    unsigned low = in.table[key >> in.low_bits], high = in.table[(key >> in.low_bits) + 1];
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (in.cell_keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Squared distance of a coordinate from the cell with this number, less a margin for rounding.
__device__ inline double beyond2(double from_low, long long cell, double side) {
    const double low = static_cast<double>(cell - 2) * side, high = low + side;
    const double d = fmax(0.0, fmax(low - from_low, from_low - high) - 1e-4 * side);
    return d * d;
}

template <class Real>
__device__ bool have_friends(const CellArgs& in, const Vec4<Real>* places, unsigned a, unsigned b, Key key_b) {
    const Real link2 = static_cast<Real>(in.link2);
    const unsigned end_a = in.begins[a + 1], first_b = in.begins[b], end_b = in.begins[b + 1];
    const KeyLayout& l = in.layout;
    const long long z = static_cast<long long>(key_b & ((Key{1} << l.bits[2]) - 1)),
                    y = static_cast<long long>(key_b >> l.bits[2] & ((Key{1} << l.bits[1]) - 1)),
                    x = static_cast<long long>(key_b >> (l.bits[1] + l.bits[2]));
    for (unsigned i = in.begins[a]; i < end_a; ++i) {
        const Vec4<Real> p = places[i];
        const double apart2 = beyond2(p.x - l.low[0], x, l.side) + beyond2(p.y - l.low[1], y, l.side) +
                              beyond2(p.z - l.low[2], z, l.side);
        if (apart2 > in.link2) continue;
        for (unsigned k = first_b; k < end_b; ++k) {
            const Vec4<Real> q = places[k];
            const Real dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            if (dx * dx + dy * dy + dz * dz <= link2) return true;
        }
    }
    return false;
}

template <class Real>
__global__ void compare_neighbours(CellArgs in, Rows rows, const Vec4<Real>* places) {
    const Key a = thread_index();
    if (a >= in.cells) return;
    const Key key = in.cell_keys[a];
    const unsigned body = in.entries[in.begins[a]].body;
    for (int r = 0; r < rows.count; ++r) {
        const Row row = rows.row[r];
        // Cell numbers leave room on either side, so that offsets do not carry into other directions.
        const Key to = key +
                       (static_cast<Key>(static_cast<long long>(row.x)) << (in.layout.bits[1] + in.layout.bits[2])) +
                       (static_cast<Key>(static_cast<long long>(row.y)) << in.layout.bits[2]);
        const Key first = to + static_cast<Key>(static_cast<long long>(row.first)),
                  last = to + static_cast<Key>(static_cast<long long>(row.last));
        for (unsigned b = cell_from(in, first); b < in.cells; ++b) {
            const Key key_b = in.cell_keys[b];
            if (key_b > last) break;
            const unsigned other = in.entries[in.begins[b]].body;
            if (root_of(in.parents, body) == root_of(in.parents, other)) continue;
            if (have_friends(in, places, static_cast<unsigned>(a), b, key_b)) unite(in.parents, body, other);
        }
    }
}

static __global__ void write_groups(unsigned* parents, unsigned count, unsigned* groups) {
    const Key i = thread_index();
    if (i < count) groups[i] = root_of(parents, static_cast<unsigned>(i));
}

}  // namespace orrery::friends

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
