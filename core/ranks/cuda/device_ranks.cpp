// SPDX-License-Identifier: MIT
#include "core/ranks/device_ranks.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/cuda/device_buffer.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

using cuda::check;

/// Exchanges through host memory with the calls of Ranks. Synchronises the stream.
class HostRanks final : public DeviceRanks {
public:
    HostRanks(Ranks& ranks, std::string why) : ranks_{ranks}, why_{std::move(why)} {}

    void broadcast(std::byte* d_bytes, std::size_t bytes, int from, Stream stream) override {
        const std::span<std::byte> host = reserve(bytes);
        if (ranks_.rank() == from) fetch(host, d_bytes, stream);
        ranks_.broadcast(host, from);
        if (ranks_.rank() != from) store(d_bytes, host, stream);
    }

    void gather(std::byte* d_whole, std::span<const std::size_t> ends, Stream stream) override {
        const std::span<std::byte> host = reserve(ends.back());
        const auto rank = static_cast<std::size_t>(ranks_.rank());
        const std::size_t first = rank > 0 ? ends[rank - 1] : 0, bytes = ends[rank] - first;
        fetch(host.subspan(first, bytes), d_whole + first, stream);
        ranks_.gather(host, ends);
        store(d_whole, host, stream);
    }

    void sum(const DeviceNumbers& numbers, Stream stream) override {
        switch (numbers.type) {
            case DeviceNumbers::Type::kFloat:
                return sum_of<float>(numbers, stream);
            case DeviceNumbers::Type::kDouble:
                return sum_of<double>(numbers, stream);
            case DeviceNumbers::Type::kUint32:
                return sum_of<std::uint32_t>(numbers, stream);
            case DeviceNumbers::Type::kUint64:
                return sum_of<std::uint64_t>(numbers, stream);
        }
    }
    void sum_parts(const DeviceNumbers& numbers, std::span<const std::size_t>, Stream stream) override {
        sum(numbers, stream);
    }

    void exchange(const std::byte* d_sent, std::byte* d_received, std::span<const std::size_t> bytes,
                  Stream stream) override {
        const auto count = static_cast<std::size_t>(ranks_.count()), own = static_cast<std::size_t>(ranks_.rank());
        std::vector<std::size_t> ends(count);  // offsets in bytes where the data of each rank end
        std::size_t end = 0;
        for (std::size_t from = 0; from < count; ++from)
            ends[from] = end = std::accumulate(&bytes[from * count], &bytes[from * count] + count, end);
        const std::span<std::byte> host = reserve(end);
        const auto begin = [&](std::size_t from) { return from == 0 ? 0 : ends[from - 1]; };
        fetch(host.subspan(begin(own), ends[own] - begin(own)), d_sent, stream);
        ranks_.gather(host, ends);  // all data go to all ranks; each takes its part
        for (std::size_t from = 0; from < count; ++from) {
            const std::size_t* row = &bytes[from * count];
            const std::size_t first = std::accumulate(row, row + own, begin(from));
            store(d_received, host.subspan(first, row[own]), stream);
            d_received += row[own];
        }
    }
    void wait(Stream stream) override { check(cudaStreamSynchronize(stream), "an exchange"); }
    std::string description() const override { return "host memory, because " + why_; }

private:
    template <class T>
    void sum_of(const DeviceNumbers& numbers, Stream stream) {
        auto* d_first = static_cast<std::byte*>(numbers.d_first);
        const std::span<std::byte> host = reserve(numbers.count * sizeof(T));
        fetch(host, d_first, stream);
        const std::span own{reinterpret_cast<const T*>(host.data()), numbers.count};
        std::vector<T> totals(numbers.count);
        sum_in_order(ranks_, std::span{totals}, 1, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) totals[i] += own[i];
        });
        std::ranges::copy(std::as_bytes(std::span{totals}), host.begin());
        store(d_first, host, stream);
    }

    std::span<std::byte> reserve(std::size_t bytes) {
        if (reserved_ < bytes) pinned_ = {}, pinned_ = cuda::PinnedBuffer<std::byte>{bytes}, reserved_ = bytes;
        return {pinned_.data(), bytes};
    }
    static void fetch(std::span<std::byte> host, const std::byte* d_from, Stream stream) {
        check(cudaMemcpyAsync(host.data(), d_from, host.size(), cudaMemcpyDeviceToHost, stream), "from the device");
        check(cudaStreamSynchronize(stream), "from the device");
    }
    static void store(std::byte* d_to, std::span<const std::byte> host, Stream stream) {
        check(cudaMemcpyAsync(d_to, host.data(), host.size(), cudaMemcpyHostToDevice, stream), "to the device");
        check(cudaStreamSynchronize(stream), "to the device");
    }

    Ranks& ranks_;
    std::string why_;
    cuda::PinnedBuffer<std::byte> pinned_;
    std::size_t reserved_ = 0;
};

/// Number of devices that CUDA offers, determined in a child process: the first CUDA call of a process fixes which
/// devices it can use.
int devices_shown() {
    const pid_t child = fork();
    if (child == 0) {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
        _exit(std::min(count, 255));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 0;
    return WEXITSTATUS(status);
}

}  // namespace

DeviceRanks& device_ranks(Ranks& ranks) {
    if (!ranks.device) {
        std::string why_not;
        std::unique_ptr<DeviceRanks> made = make_nccl_ranks(ranks, why_not);
        if (!made) made = std::make_unique<HostRanks>(ranks, why_not);
        ranks.device = std::move(made);
    }
    return *ranks.device;
}

void take_device_of_rank(int local_rank, int local_count) {
    if (local_count < 2) return;
    const int shown = devices_shown();
    if (shown < 2) return;
    const int mine = local_rank % shown;
    std::string name = std::to_string(mine);
    if (const char* list = std::getenv("CUDA_VISIBLE_DEVICES")) {  // take entry `mine` of this list
        std::string_view rest = list;
        for (int i = 0; i < mine; ++i) rest.remove_prefix(std::min(rest.size(), rest.find(',') + 1));
        name = rest.substr(0, rest.find(','));
    }
    setenv("CUDA_VISIBLE_DEVICES", name.c_str(), 1);
}

}  // namespace orrery
