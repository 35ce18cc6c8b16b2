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

// Work on input that is not trusted, in a process of its own: this program, started again under the name of a role. A
// fork alone would inherit the locks of other threads, the memory of all bodies, and what OpenGL and CUDA have open.
// The child answers packets on a socket, and puts what is large into shared memory.

/// From now on children are this program, in place of the one that runs: for a library that another program has loaded.
/// It must link what answers. Before the first ChildProcess, or between two.
void start_children_as(const std::filesystem::path& program);

/// Memory shared by both; it neither grows nor shrinks.
class SharedMemory {
public:
    SharedMemory(int descriptor, std::size_t bytes);  ///< maps; throws Error{kEnvironment}
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();
    std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
    std::span<std::byte> bytes_;
};

/// What is thrown where a child has ended without an answer; the text says how, without a subject.
class ChildEnded : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The parent's end. Used by one thread.
class ChildProcess {
public:
    /// Starts the program again as `role`. Throws Error{kEnvironment}.
    ChildProcess(const char* role, std::size_t shared_bytes);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();  ///< ends the child

    /// What it may take at most, besides what it had at its start: bytes of memory, seconds of processor time.
    void limit(std::uint64_t memory, std::uint64_t seconds);
    /// `descriptor`: an open file that goes with the packet; -1: none. Throws ChildEnded.
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
    /// What the parent sent.
    struct Request {
        Packet packet;
        Descriptor descriptor;  ///< the open file that came with it, if any
    };
    /// Whether this process was started for `role`. Its main() has not run: for functions that run before.
    static bool is_child(const char* role, int argc, char** argv);

    explicit ParentLink(std::size_t shared_bytes);
    /// From here on the process opens no file, starts no process, has no network and can write only to its parent. A
    /// kernel without seccomp leaves it the limits of ChildProcess and no writing to files.
    void confine();
    std::optional<Request> receive();  ///< nothing: the parent has gone
    void send(const Packet& packet);
    std::span<std::byte> shared() const noexcept { return shared_.bytes(); }

private:
    SharedMemory shared_;
};

}  // namespace orrery
