// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/cuda/stream.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// Functions of the installed NCCL library, which is about 200 MB and therefore loaded only on use.
struct Nccl {
    std::string why_not;  ///< empty: the library is complete
    decltype(&ncclGetVersion) get_version = nullptr;
    decltype(&ncclGetUniqueId) get_unique_id = nullptr;
    decltype(&ncclCommInitRank) comm_init_rank = nullptr;
    decltype(&ncclCommDestroy) comm_destroy = nullptr;
    decltype(&ncclGetErrorString) error_string = nullptr;
    decltype(&ncclGroupStart) group_start = nullptr;
    decltype(&ncclGroupEnd) group_end = nullptr;
    decltype(&ncclBroadcast) broadcast = nullptr;
    decltype(&ncclReduce) reduce = nullptr;
    decltype(&ncclAllReduce) all_reduce = nullptr;
    decltype(&ncclSend) send = nullptr;
    decltype(&ncclRecv) receive = nullptr;

    Nccl() {
        void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!library) library = dlopen(ORRERY_NCCL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            why_not = dlerror();
            return;
        }
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            if (!function) why_not = fmt::format("libnccl.so.2 has no {}", name);
        };
        find(get_version, "ncclGetVersion");
        find(get_unique_id, "ncclGetUniqueId");
        find(comm_init_rank, "ncclCommInitRank");
        find(comm_destroy, "ncclCommDestroy");
        find(error_string, "ncclGetErrorString");
        find(group_start, "ncclGroupStart");
        find(group_end, "ncclGroupEnd");
        find(broadcast, "ncclBroadcast");
        find(reduce, "ncclReduce");
        find(all_reduce, "ncclAllReduce");
        find(send, "ncclSend");
        find(receive, "ncclRecv");
    }

    std::string version() const {
        int code = 0;
        if (get_version(&code) != ncclSuccess) return "of unknown version";
        return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
    }
    void require(ncclResult_t result) const {
        if (result != ncclSuccess) environment_error(fmt::format("NCCL: {}", error_string(result)));
    }
};

const Nccl& nccl() {
    static const Nccl once;
    return once;
}

ncclDataType_t type_of(DeviceNumbers::Type type) {
    switch (type) {
        case DeviceNumbers::Type::kFloat:
            return ncclFloat32;
        case DeviceNumbers::Type::kDouble:
            return ncclFloat64;
        case DeviceNumbers::Type::kUint32:
            return ncclUint32;
        case DeviceNumbers::Type::kUint64:
            return ncclUint64;
    }
    return ncclFloat32;
}
std::size_t size_of(DeviceNumbers::Type type) {
    return type == DeviceNumbers::Type::kFloat || type == DeviceNumbers::Type::kUint32 ? 4 : 8;
}

class NcclRanks final : public DeviceRanks {
public:
    NcclRanks(int rank, int count, const ncclUniqueId& id) : rank_{rank}, count_{count} {
        setenv("NCCL_RUNTIME_CONNECT", "0", 0);  // connect now: in the first step it would take 0.15 s more
        nccl().require(nccl().comm_init_rank(&comm_, count, id, rank));
    }
    ~NcclRanks() override { nccl().comm_destroy(comm_); }

    void broadcast(std::byte* d_bytes, std::size_t bytes, int from, Stream stream) override {
        nccl().require(nccl().broadcast(d_bytes, d_bytes, bytes, ncclUint8, from, comm_, stream));
    }
    void gather(std::byte* d_whole, std::span<const std::size_t> ends, Stream stream) override {
        for_parts(ends, [&](std::size_t first, std::size_t bytes, int rank) {
            broadcast(d_whole + first, bytes, rank, stream);
        });
    }
    void sum(const DeviceNumbers& numbers, Stream stream) override {
        nccl().require(nccl().all_reduce(numbers.d_first, numbers.d_first, numbers.count, type_of(numbers.type),
                                         ncclSum, comm_, stream));
    }
    void sum_parts(const DeviceNumbers& numbers, std::span<const std::size_t> ends, Stream stream) override {
        for_parts(ends, [&](std::size_t first, std::size_t count, int rank) {
            auto* at = static_cast<std::byte*>(numbers.d_first) + first * size_of(numbers.type);
            nccl().require(nccl().reduce(at, at, count, type_of(numbers.type), ncclSum, rank, comm_, stream));
        });
    }
    void exchange(const std::byte* d_sent, std::byte* d_received, std::span<const std::size_t> bytes,
                  Stream stream) override {
        const auto of = [&](int from, int to) { return bytes[static_cast<std::size_t>(from * count_ + to)]; };
        nccl().require(nccl().group_start());
        for (int other = 0; other < count_; ++other) {
            const std::size_t there = of(rank_, other), here = of(other, rank_);
            if (there > 0) nccl().require(nccl().send(d_sent, there, ncclUint8, other, comm_, stream));
            if (here > 0) nccl().require(nccl().receive(d_received, here, ncclUint8, other, comm_, stream));
            d_sent += there, d_received += here;
        }
        nccl().require(nccl().group_end());
    }
    void wait(Stream stream) override { cuda::check(cudaStreamSynchronize(stream), "an exchange"); }
    std::string description() const override { return "NCCL " + nccl().version(); }

private:
    /// Groups the calls of all parts, so that NCCL runs them concurrently.
    template <class Call>
    void for_parts(std::span<const std::size_t> ends, const Call& call) const {
        nccl().require(nccl().group_start());
        std::size_t first = 0;
        for (int rank = 0; rank < count_; ++rank) {
            const std::size_t end = ends[static_cast<std::size_t>(rank)];
            if (end > first) call(first, end - first, rank);
            first = end;
        }
        nccl().require(nccl().group_end());
    }

    int rank_, count_;
    ncclComm_t comm_ = nullptr;
};

/// Host and device of a rank.
struct Seat {
    std::array<char, 64> host{};
    std::array<char, 32> bus{};
    bool usable = false;
    friend bool operator==(const Seat&, const Seat&) = default;
};

Seat own_seat() {
    Seat seat;
    int device = 0;
    gethostname(seat.host.data(), seat.host.size() - 1);
    seat.usable = nccl().why_not.empty() && cudaGetDevice(&device) == cudaSuccess &&
                  cudaDeviceGetPCIBusId(seat.bus.data(), static_cast<int>(seat.bus.size()), device) == cudaSuccess;
    return seat;
}

}  // namespace

std::unique_ptr<DeviceRanks> make_nccl_ranks(Ranks& ranks, std::string& why_not) {
    std::vector<Seat> seats(static_cast<std::size_t>(ranks.count()));
    seats[static_cast<std::size_t>(ranks.rank())] = own_seat();
    gather_parts(ranks, std::span{seats}, seats.size(), 1);
    for (std::size_t i = 0; i < seats.size(); ++i) {
        if (!seats[i].usable)
            why_not = nccl().why_not.empty() ? fmt::format("rank {} cannot use NCCL", i) : nccl().why_not;
        if (std::count(seats.begin(), seats.end(), seats[i]) > 1)
            why_not = fmt::format("rank {} shares its GPU with another one", i);
        if (!why_not.empty()) return nullptr;
    }
    ncclUniqueId id{};
    if (ranks.first()) nccl().require(nccl().get_unique_id(&id));
    id = ranks.agreed(id);
    return std::make_unique<NcclRanks>(ranks.rank(), ranks.count(), id);
}

std::string nccl_description() {
    return nccl().why_not.empty() ? fmt::format("yes ({})", nccl().version()) : "no: " + nccl().why_not;
}

}  // namespace orrery
