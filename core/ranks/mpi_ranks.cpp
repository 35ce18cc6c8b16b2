// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

/// MPI counts in int, so longer messages are sent in pieces.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

void require(int result) {
    if (result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(result, text, &length);
    environment_error(fmt::format("MPI: {}", std::string_view{text, static_cast<std::size_t>(length)}));
}

class MpiRanks;
MpiRanks* of_this_process = nullptr;

class MpiRanks final : public Ranks {
public:
    MpiRanks() {
        // hwloc, which MPI uses to find the topology, would look for GPUs on every X server; an X server that exits
        // meanwhile would end this process.
        setenv("HWLOC_COMPONENTS", "-gl", 0);
        int provided = 0;
        require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided));
        if (provided < MPI_THREAD_SERIALIZED)  // the window computes in a separate thread
            environment_error("MPI: this library lacks MPI_THREAD_SERIALIZED, which is required");
        require(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        require(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
        require(MPI_Comm_size(MPI_COMM_WORLD, &count_));
        require(MPI_Comm_dup(MPI_COMM_WORLD, &arrivals_));
        require(MPI_Comm_dup(MPI_COMM_WORLD, &announcements_));
        of_this_process = this;
        MPI_Comm host{};
        require(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host));
        int local_rank = 0, local_count = 1;
        require(MPI_Comm_rank(host, &local_rank));
        require(MPI_Comm_size(host, &local_count));
        MPI_Comm_free(&host);
        take_device_of_rank(local_rank, local_count);
    }
    ~MpiRanks() override {
        of_this_process = nullptr;
        device.reset();
        MPI_Comm_free(&announcements_);
        MPI_Comm_free(&arrivals_);
        MPI_Finalize();
    }

    int rank() const override { return rank_; }
    int count() const override { return count_; }

    void broadcast(std::span<std::byte> bytes, int from) override {
        for_pieces(bytes, [&](std::span<std::byte> piece) {
            require(MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, MPI_COMM_WORLD));
        });
    }

    void announce(std::span<std::byte> bytes) override {
        MPI_Request request{};
        require(MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, announcements_, &request));
        const auto start = Clock::now();
        for (int done = 0;;) {
            require(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
            if (done != 0) return;
            rest(Clock::now() - start);
        }
    }

    void gather(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
        if (whole.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return gather_long(whole, ends);
        std::vector<int> counts, begins;
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            begins.push_back(static_cast<int>(begin));
            counts.push_back(static_cast<int>(end - begin));
            begin = end;
        }
        require(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, whole.data(), counts.data(), begins.data(), MPI_BYTE,
                               MPI_COMM_WORLD));
    }

    void send(std::span<const std::byte> bytes, int to) override {
        for_pieces(bytes, [&](std::span<const std::byte> piece) {
            require(MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD));
        });
    }
    void receive(std::span<std::byte> bytes, int from) override {
        for_pieces(bytes, [&](std::span<std::byte> piece) {
            require(MPI_Recv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE));
        });
    }

    bool all_arrive(double seconds) override {
        MPI_Request request{};
        if (MPI_Ibarrier(arrivals_, &request) != MPI_SUCCESS) return false;
        const auto end = Clock::now() + std::chrono::duration<double>{seconds};
        for (int done = 0; done == 0; std::this_thread::sleep_for(std::chrono::milliseconds{1})) {
            if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
            if (done == 0 && Clock::now() > end) return false;
        }
        return true;
    }

    void end_all(int code, const std::string& why) override {
        mute_standard_streams(false);
        to_stderr("orrery: rank {} of {}: {}\n", rank_, count_, why);
        MPI_Abort(MPI_COMM_WORLD, code);
        std::abort();
    }

private:
    using Clock = std::chrono::steady_clock;

    /// Sleeps longer the longer it has waited, so that an idle window uses no processor time.
    static void rest(Clock::duration waited) {
        if (waited < std::chrono::milliseconds{2}) return std::this_thread::yield();
        const int nap = waited < std::chrono::milliseconds{100} ? 50 : waited < std::chrono::seconds{1} ? 1000 : 5000;
        std::this_thread::sleep_for(std::chrono::microseconds{nap});
    }

    template <class Byte, class Call>
    static void for_pieces(std::span<Byte> bytes, const Call& call) {
        for (std::size_t first = 0; first < bytes.size(); first += kMostBytes)
            call(bytes.subspan(first, std::min(kMostBytes, bytes.size() - first)));
    }

    void gather_long(std::span<std::byte> whole, std::span<const std::size_t> ends) {
        std::size_t begin = 0;
        for (int from = 0; from < count_; ++from) {
            const std::size_t end = ends[static_cast<std::size_t>(from)];
            broadcast(whole.subspan(begin, end - begin), from);
            begin = end;
        }
    }

    int rank_ = 0, count_ = 1;
    MPI_Comm arrivals_{}, announcements_{};
};

}  // namespace

std::unique_ptr<Ranks> start_ranks() {
    if (launched_ranks() <= 1) return nullptr;
    return std::make_unique<MpiRanks>();
}

Ranks* process_ranks() { return of_this_process; }

std::string mpi_description() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string whole{text, static_cast<std::size_t>(length)};
    return "yes (" + whole.substr(0, whole.find_first_of(",\n")) + ")";
}

}  // namespace orrery
