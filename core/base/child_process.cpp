// SPDX-License-Identifier: MIT
#include "core/base/child_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

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

constexpr std::size_t kMostOutput = 64 * 1024;

/// Starts the program with standard output and error in `to`.
pid_t start_limited(const std::vector<std::string>& arguments, int to) {
    std::vector<char*> words;
    for (const std::string& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, to, STDERR_FILENO);
    pid_t child = -1;
    const int failed = spawn_apart(child, words.data(), files);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) environment_error(fmt::format("cannot start {}: {}", arguments.front(), std::strerror(failed)));
    return child;
}

void limit_process(pid_t child, const ProcessLimits& limits) {
    const auto seconds = static_cast<rlim_t>(limits.seconds) + 1;
    for (const auto& [resource, most] :
         {std::pair{RLIMIT_AS, static_cast<rlim_t>(limits.memory)}, {RLIMIT_CPU, 64 * seconds}, {RLIMIT_CORE, 0}}) {
        const rlimit limit{most, most};
        ::prlimit(child, resource, &limit, nullptr);  // fails only if the process has already ended
    }
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

int spawn_apart(pid_t& child, char* const* words, const posix_spawn_file_actions_t& files) {
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all), sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int failed = ::posix_spawnp(&child, words[0], &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

std::filesystem::path companion_program(const std::filesystem::path& relative, std::string_view purpose) {
    const std::string program = relative.filename().string();
    Dl_info here{};
    link_map* object = nullptr;  // the program's has no name
    ::dladdr1(reinterpret_cast<const void*>(&companion_program), &here, reinterpret_cast<void**>(&object),
              RTLD_DL_LINKMAP);
    const bool is_library = object && object->l_name[0] != '\0';
    const char* const own_path = is_library ? object->l_name : "/proc/self/exe";
    std::error_code error;
    std::filesystem::path folder =
        is_library ? std::filesystem::canonical(own_path, error) : std::filesystem::read_symlink(own_path, error);
    struct stat own = {}, first = {};
    if (error || ::stat(own_path, &own) != 0)
        environment_error(fmt::format("{} cannot be searched: {} is missing", program, own_path));
    std::vector<std::string> searched;
    for (int above = 0; above <= 4 && folder != folder.parent_path(); ++above) {
        folder = folder.parent_path();
        searched.push_back((folder / relative).string());
        if (::access(searched.back().c_str(), X_OK) == 0 &&
            ::lstat((folder / *relative.begin()).c_str(), &first) == 0 &&
            (first.st_uid == own.st_uid || first.st_uid == ::geteuid() || first.st_uid == 0))
            return searched.back();
    }
    environment_error(fmt::format("{}, {}, is missing or belongs to another user; searched: {}", program, purpose,
                                  fmt::join(searched, ", ")));
}

ProcessEnd run_limited(const std::vector<std::string>& arguments, const ProcessLimits& limits) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        environment_error(fmt::format("cannot start {}: {}", arguments.front(), std::strerror(errno)));
    Descriptor from{ends[0]}, to{ends[1]};
    const pid_t child = start_limited(arguments, to.get());
    to.close();
    limit_process(child, limits);

    ProcessEnd end;
    using Clock = std::chrono::steady_clock;
    const auto last =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    std::array<char, 4096> bytes{};
    bool late = false;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(last - Clock::now()).count();
        late = left <= 0;
        if (late) break;
        pollfd ready{from.get(), POLLIN, 0};
        if (::poll(&ready, 1, static_cast<int>(left)) <= 0) continue;
        const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        end.output.append(bytes.data(), std::min(static_cast<std::size_t>(got),
                                                 kMostOutput - std::min(kMostOutput, end.output.size())));
    }
    // A process that has closed its output may still run: it gets the rest of the time.
    int status = 0;
    pid_t ended = 0;
    while (!late && (ended = ::waitpid(child, &status, WNOHANG)) == 0) {
        late = Clock::now() >= last;
        ::usleep(1000);
    }
    ::kill(-child, SIGKILL);
    while (ended == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (late)
        end.reason = fmt::format("does not end within {:g} s", limits.seconds);
    else if (WIFSIGNALED(status))
        end.reason = WTERMSIG(status) == SIGXCPU
                         ? "exceeds its limit of processor time"
                         : fmt::format("ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    else
        end.code = WEXITSTATUS(status);
    return end;
}

}  // namespace orrery
