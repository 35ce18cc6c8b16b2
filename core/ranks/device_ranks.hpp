// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct CUstream_st;

namespace orrery {

class Ranks;

/// Numbers in device memory.
struct DeviceNumbers {
    enum class Type { kFloat, kDouble, kUint32, kUint64 };
    void* d_first = nullptr;
    std::size_t count = 0;
    Type type = Type::kFloat;
};

/// Communication between the device memories of the ranks. All calls are enqueued in a stream and collective, like
/// those of Ranks. Throws Error{kEnvironment}.
class DeviceRanks {
public:
    using Stream = CUstream_st*;
    virtual ~DeviceRanks() = default;

    virtual void broadcast(std::byte* d_bytes, std::size_t bytes, int from, Stream stream) = 0;
    /// Like Ranks::gather(): rank r contributes bytes [ends[r − 1], ends[r]) of `d_whole`.
    virtual void gather(std::byte* d_whole, std::span<const std::size_t> ends, Stream stream) = 0;
    /// All ranks get the sums: exact for integers; floating-point results may differ between ranks in the last bits.
    virtual void sum(const DeviceNumbers& numbers, Stream stream) = 0;
    /// Rank r gets the sums of the numbers [ends[r − 1], ends[r]); its other numbers are undefined afterwards.
    virtual void sum_parts(const DeviceNumbers& numbers, std::span<const std::size_t> ends, Stream stream) = 0;
    /// Sends bytes[P · s + r] bytes from rank s to rank r. `d_sent` and `d_received` hold them contiguously in the
    /// order of the other ranks; every rank knows the whole matrix.
    virtual void exchange(const std::byte* d_sent, std::byte* d_received, std::span<const std::size_t> bytes,
                          Stream stream) = 0;
    virtual void wait(Stream stream) = 0;  ///< until all work enqueued so far is done
    /// "NCCL 2.28.3", "host memory, because …"
    virtual std::string description() const = 0;
};

/// The DeviceRanks of these ranks. The first call creates it and is collective: NCCL if it is installed and each rank
/// has its own GPU, otherwise pinned host memory.
DeviceRanks& device_ranks(Ranks& ranks);

/// Null, with the reason, if NCCL is not usable on this machine. Collective.
std::unique_ptr<DeviceRanks> make_nccl_ranks(Ranks& ranks, std::string& why_not);
/// "yes (2.28.3)", or why there is no NCCL; loads the library.
std::string nccl_description();

/// Restricts CUDA in this process to one device: device local_rank of this host, counting round if there are fewer
/// devices than ranks. Call before any other CUDA function; for several ranks on one host.
void take_device_of_rank(int local_rank, int local_count);

}  // namespace orrery
