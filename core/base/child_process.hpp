// SPDX-License-Identifier: MIT
#pragma once
#include <spawn.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/files.hpp"

namespace orrery {

/// A message between two processes: a sequence of values. Safe to read from an untrusted writer: taking
/// more than is left throws std::out_of_range.
class Packet {
public:
    Packet() = default;
    explicit Packet(std::vector<std::byte> bytes) : bytes_{std::move(bytes)} {}

    template <class T>
    requires std::is_trivially_copyable_v<T> Packet& put(const T& value) {
        return put_bytes(std::as_bytes(std::span{&value, 1}));
    }
    Packet& put_flag(bool flag) { return put(std::uint8_t{flag}); }
    Packet& put_text(std::string_view text) { return put_all(std::span{text.data(), text.size()}); }
    Packet& put_texts(const std::vector<std::string>& texts) {
        put(std::uint64_t{texts.size()});
        for (const std::string& text : texts) put_text(text);
        return *this;
    }
    template <class T>
    requires std::is_trivially_copyable_v<T> Packet& put_all(std::span<T> values) {
        put(std::uint64_t{values.size()});
        return put_bytes(std::as_bytes(values));
    }

    template <class T>
    requires std::is_trivially_copyable_v<T> T take() {
        T value;
        take_bytes(std::as_writable_bytes(std::span{&value, 1}));
        return value;
    }
    bool take_flag() { return take<std::uint8_t>() != 0; }
    template <class T>
    std::vector<T> take_all() {
        const auto count = take<std::uint64_t>();
        if (count > (bytes_.size() - taken_) / sizeof(T)) throw std::out_of_range{"packet too short"};
        std::vector<T> values(static_cast<std::size_t>(count));
        take_bytes(std::as_writable_bytes(std::span{values}));
        return values;
    }
    std::string take_text() {
        const auto letters = take_all<char>();
        return {letters.begin(), letters.end()};
    }
    std::vector<std::string> take_texts() {
        std::vector<std::string> texts;
        for (auto count = take<std::uint64_t>(); count > 0; --count) texts.push_back(take_text());
        return texts;
    }

    std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    Packet& put_bytes(std::span<const std::byte> bytes) {
        const std::size_t size = bytes_.size();
        bytes_.resize(size + bytes.size());
        if (!bytes.empty()) std::memcpy(bytes_.data() + size, bytes.data(), bytes.size());
        return *this;
    }
    void take_bytes(std::span<std::byte> into) {
        if (into.size() > bytes_.size() - taken_) throw std::out_of_range{"packet too short"};
        if (!into.empty()) std::memcpy(into.data(), bytes_.data() + taken_, into.size());
        taken_ += into.size();
    }

    std::vector<std::byte> bytes_;
    std::size_t taken_ = 0;
};

// Processes untrusted input in a separate program, which answers packets on a socket and returns large data in shared
// memory. A plain fork would inherit the locks of other threads, the memory of all bodies, and the state of OpenGL and
// CUDA.

/// Memory shared by parent and child, of fixed size.
class SharedMemory {
public:
    SharedMemory(int descriptor, std::size_t bytes);  ///< maps the memory; throws Error{kEnvironment}
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();
    std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
    std::span<std::byte> bytes_;
};

/// Thrown when a child has ended without an answer; the text says how it ended, without a subject.
class ChildEnded : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The parent's end. For one thread.
class ChildProcess {
public:
    /// Starts a program without arguments. Throws Error{kEnvironment} on failure.
    ChildProcess(const std::filesystem::path& program, std::size_t shared_bytes);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();  ///< kills the child

    /// Limits memory (bytes) and processor time (seconds) in addition to what the child used at its start.
    void limit(std::uint64_t memory, std::uint64_t seconds);
    /// `descriptor`: an open file sent with the packet; -1: none. Throws ChildEnded.
    void send(const Packet& packet, int descriptor = -1);
    Packet receive();  ///< throws ChildEnded
    std::span<const std::byte> shared() const noexcept { return shared_.bytes(); }

private:
    [[noreturn]] void ended();

    Descriptor memory_, socket_;
    SharedMemory shared_;
    pid_t child_ = -1;
    std::uint64_t at_start_ = 0, seconds_limit_ = 0;
};

// The child's end.

inline constexpr int kChildSocket = 3, kChildMemory = 4;  ///< descriptors in the child

/// A packet, and the open file sent with it, if any.
struct ReceivedPacket {
    Packet packet;
    Descriptor descriptor;
};

/// Sends one packet, with a descriptor unless it is -1. Returns false and sets errno on failure.
bool send_packet(int socket, const Packet& packet, int descriptor = -1);
/// Empty if the other end is closed.
std::optional<ReceivedPacket> receive_packet(int socket);

/// Starts a program that posix_spawnp() finds, in its own process group, so that Ctrl+C ends only the parent, with no
/// signals blocked or ignored. `words`: its arguments, the program first, null last. Returns 0 and sets `child`, or
/// returns the error number.
int spawn_apart(pid_t& child, char* const* words, const posix_spawn_file_actions_t& files);

/// The path of a program that is installed with this library: `relative` in the folder of this program or shared
/// library or in one of those above it, so that an installation can be moved; for the Python module, four above it. Its
/// first folder must belong to the same user, because a copy of this program in /tmp would otherwise start what others
/// put there. Throws Error{kEnvironment} with the folders searched; `purpose`: "which reads HDF5 files".
std::filesystem::path companion_program(const std::filesystem::path& relative, std::string_view purpose);

/// Limits of a process and of those that it starts.
struct ProcessLimits {
    double seconds;        ///< until all of them are killed
    std::uint64_t memory;  ///< address space of each, bytes
};

/// How a process ended.
struct ProcessEnd {
    int code = -1;       ///< exit code; -1: it did not exit
    std::string output;  ///< the first 64 KiB of its standard output and error
    std::string reason;  ///< if it did not exit: "ended by signal 11 (Segmentation fault)", "does not end within 2 s"
};

/// Runs a program in a process group of its own, without input, and waits for its end. Throws Error{kEnvironment} if it
/// cannot be started.
ProcessEnd run_limited(const std::vector<std::string>& arguments, const ProcessLimits& limits);

}  // namespace orrery
