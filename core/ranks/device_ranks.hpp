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

/// Numbers in the memory of a device.
struct DeviceNumbers {
    enum class Type { kFloat, kDouble, kUint32, kUint64 };
    void* d_first = nullptr;
    std::size_t count = 0;
    Type type = Type::kFloat;
};

/// What ranks do together with the memory of their devices. Each call is enqueued in a stream, and is collective, as
/// those of Ranks are. Throws Error{kEnvironment}.
class DeviceRanks {
public:
    using Stream = CUstream_st*;
    virtual ~DeviceRanks() = default;

    virtual void broadcast(std::byte* d_bytes, std::size_t bytes, int from, Stream stream) = 0;
    /// As Ranks::gather(): rank r contributes bytes [ends[r − 1], ends[r]) of `d_whole`.
    virtual void gather(std::byte* d_whole, std::span<const std::size_t> ends, Stream stream) = 0;
    /// Every rank gets the sums, of integers exactly; of floating-point numbers the last bits may differ by rank.
    virtual void sum(const DeviceNumbers& numbers, Stream stream) = 0;
    /// Rank r gets the sums of the numbers [ends[r − 1], ends[r]); what the others are then is not defined.
    virtual void sum_parts(const DeviceNumbers& numbers, std::span<const std::size_t> ends, Stream stream) = 0;
    /// bytes[P · s + r] go from rank s to rank r. They lie one after the other, by the other rank, in `d_sent` and in
    /// `d_received`; every rank knows all of these numbers.
    virtual void exchange(const std::byte* d_sent, std::byte* d_received, std::span<const std::size_t> bytes,
                          Stream stream) = 0;
    virtual void wait(Stream stream) = 0;  ///< until what is enqueued in it is done
    /// "NCCL 2.28.3", "host memory, because …"
    virtual std::string description() const = 0;
};

/// The one of these ranks, made by the first call, which is collective: NCCL where it is installed and each rank has a
/// GPU of its own, otherwise by way of pinned host memory.
DeviceRanks& device_ranks(Ranks& ranks);

/// Null, with the reason, where NCCL is not to be had on this machine; collective.
std::unique_ptr<DeviceRanks> make_nccl_ranks(Ranks& ranks, std::string& why_not);
/// "yes (2.28.3)", or why this build or machine has none; loads it.
std::string nccl_description();

/// With several ranks on this host: makes CUDA show this process only the device that falls to it, the local_rank-th of
/// those there are, beginning again where they are fewer. Before the first call of CUDA.
void take_device_of_rank(int local_rank, int local_count);

}  // namespace orrery
