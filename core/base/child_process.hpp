// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "core/base/output_file.hpp"
#include "core/base/packet.hpp"

namespace orrery {

// Processes untrusted input in a separate process: this program, started again with the name of a role as argv[0]. A
// plain fork would inherit the locks of other threads, the memory of all bodies, and the state of OpenGL and CUDA. The
// child answers packets on a socket and returns large data in shared memory.

/// Sets the program to start as child instead of the running one; needed when another program has loaded this library.
/// That program must link the code of the role. Not while a ChildProcess exists.
void start_children_as(const std::filesystem::path& program);

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
    /// Starts the program again as `role`. Throws Error{kEnvironment} on failure.
    ChildProcess(const char* role, std::size_t shared_bytes);
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

/// The child's end.
class ParentLink {
public:
    /// A packet from the parent.
    struct Request {
        Packet packet;
        Descriptor descriptor;  ///< the open file sent with it, if any
    };
    /// True if this process was started for `role`. Can be called before main().
    static bool is_child(const char* role, int argc, char** argv);

    explicit ParentLink(std::size_t shared_bytes);
    /// From here on the process cannot open files, start processes or use the network, and can write only to its
    /// parent. Without seccomp in the kernel, only the limits of ChildProcess and the ban on writing files apply.
    void confine();
    std::optional<Request> receive();  ///< empty: the parent has ended
    void send(const Packet& packet);
    std::span<std::byte> shared() const noexcept { return shared_.bytes(); }

private:
    SharedMemory shared_;
};

}  // namespace orrery
