// SPDX-License-Identifier: MIT
#include "core/base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/spawn.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostOfPacket = 128 * 1024;  ///< bytes

[[noreturn]] void cannot_start(int why) {
    environment_error(fmt::format("cannot start the reader process: {}", std::strerror(why)));
}

/// Moves a descriptor above the numbers used in the child, so that the two dup2() calls cannot overwrite each other.
Descriptor moved_up(int descriptor) {
    Descriptor low{descriptor}, high{descriptor < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, kChildMemory + 1)};
    if (!high) cannot_start(errno);
    return high;
}

/// The size is sealed: if the child could shrink the memory, the parent would die of SIGBUS.
Descriptor sealed_memory(std::size_t bytes) {
    Descriptor memory = moved_up(::memfd_create("orrery", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (::ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0 ||
        ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        cannot_start(errno);
    return memory;
}

std::array<Descriptor, 2> socket_pair() {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) cannot_start(errno);
    Descriptor first{ends[0]};
    return {std::move(first), moved_up(ends[1])};
}

/// Without output.
pid_t start(const std::string& program, int socket, int memory) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, socket, kChildSocket);
    posix_spawn_file_actions_adddup2(&files, memory, kChildMemory);
    std::array<char*, 2> arguments{const_cast<char*>(program.c_str()), nullptr};
    pid_t child = -1;
    const int failed = spawn_apart(child, arguments.data(), files);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) cannot_start(failed);
    return child;
}

}  // namespace

bool send_packet(int socket, const Packet& packet, int descriptor) {
    const std::span bytes = packet.bytes();
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &part, message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = space.data(), message.msg_controllen = space.size();
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS, header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent = -1;
    do sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(bytes.size());
}

std::optional<ReceivedPacket> receive_packet(int socket) {
    std::vector<std::byte> bytes(kMostOfPacket);
    iovec part{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &part, message.msg_iovlen = 1;
    message.msg_control = space.data(), message.msg_controllen = space.size();
    ssize_t got = -1;
    do got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(got));
    ReceivedPacket request{Packet{std::move(bytes)}, {}};
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        request.descriptor = Descriptor{descriptor};
    }
    return request;
}

SharedMemory::SharedMemory(int descriptor, std::size_t bytes) {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED) cannot_start(errno);
    bytes_ = {static_cast<std::byte*>(at), bytes};
}

SharedMemory::~SharedMemory() { ::munmap(bytes_.data(), bytes_.size()); }

ChildProcess::ChildProcess(const std::filesystem::path& program, std::size_t shared_bytes)
    : memory_{sealed_memory(shared_bytes)}, shared_{memory_.get(), shared_bytes} {
    auto [ours, its] = socket_pair();
    socket_ = std::move(ours);
    child_ = start(program.string(), its.get(), memory_.get());
    its.close();  // so that the connection closes when the child ends
    try {
        at_start_ = receive().take<std::uint64_t>();
    } catch (const ChildEnded& error) {
        environment_error(fmt::format("the reader process {}", error.what()));
    }
}

ChildProcess::~ChildProcess() {
    if (child_ < 0) return;
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void ChildProcess::limit(std::uint64_t memory, std::uint64_t seconds) {
    seconds_limit_ = seconds;
    // Only the soft limits are set, so that a later call can raise them (the child cannot). A child that has ended is
    // noticed by the next send() or receive().
    for (const auto& [resource, most] : {std::pair{RLIMIT_AS, at_start_ + memory}, {RLIMIT_CPU, seconds}}) {
        rlimit limit{};
        const bool known = ::prlimit(child_, resource, nullptr, &limit) == 0;
        limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
        if ((!known || ::prlimit(child_, resource, &limit, nullptr) != 0) && errno != ESRCH)
            environment_error(fmt::format("cannot limit the reader process: {}", std::strerror(errno)));
    }
}

void ChildProcess::send(const Packet& packet, int descriptor) {
    if (!send_packet(socket_.get(), packet, descriptor)) ended();
}

Packet ChildProcess::receive() {
    auto got = receive_packet(socket_.get());
    if (!got) ended();
    return std::move(got->packet);
}

void ChildProcess::ended() {
    int status = 0;
    const pid_t child = std::exchange(child_, -1);
    if (child < 0) throw ChildEnded{"has ended"};
    ::kill(child, SIGKILL);  // it may only have closed its socket
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(status)) throw ChildEnded{fmt::format("ended with exit code {}", WEXITSTATUS(status))};
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        throw ChildEnded{fmt::format("exceeded its limit of {} s of processor time", seconds_limit_)};
    throw ChildEnded{fmt::format("ended by signal {} ({})", signal, ::strsignal(signal))};
}

}  // namespace orrery
