// SPDX-License-Identifier: MIT
// The program orrery-hdf5-reader, which a ReaderProcess starts to read HDF5 files. Malformed files crash the HDF5
// library or take control of it; here it has only its own memory and the files that it receives.
#include <fcntl.h>
#include <fmt/format.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
#endif

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/formats/hdf5_server.hpp"

namespace orrery {
namespace {

std::uint64_t address_space() {
    std::uint64_t pages = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void write_nothing() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // Allow writing only to the sanitizer's report file.
    if (const char* const folder = std::getenv("ORRERY_CHILD_REPORTS")) {
        const std::string path = fmt::format("{}/child.{}", folder, ::getpid());
        const std::intptr_t file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        __sanitizer_set_report_fd(reinterpret_cast<void*>(file));
        return;
    }
#endif
    const rlimit nothing{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &nothing);
}

/// Restricts this process to its memory and the files and sockets it has open or receives; it can still exit. All other
/// system calls fail with EPERM.
void allow_only_memory_and_open_files() {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) ::_exit(1);
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    // Excludes open, socket, clone, exec, kill, prlimit and every call that takes a file name.
    for (const int call : {SCMP_SYS(brk),          SCMP_SYS(clock_gettime), SCMP_SYS(close),
                           SCMP_SYS(exit),         SCMP_SYS(exit_group),    SCMP_SYS(futex),
                           SCMP_SYS(getpid),       SCMP_SYS(getrandom),     SCMP_SYS(gettid),
                           SCMP_SYS(gettimeofday), SCMP_SYS(lseek),         SCMP_SYS(madvise),
                           SCMP_SYS(mmap),         SCMP_SYS(mprotect),      SCMP_SYS(mremap),
                           SCMP_SYS(munmap),       SCMP_SYS(pread64),       SCMP_SYS(read),
                           SCMP_SYS(recvmsg),      SCMP_SYS(rt_sigaction),  SCMP_SYS(rt_sigprocmask),
                           SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_yield),   SCMP_SYS(sendmsg),
                           SCMP_SYS(sigaltstack),  SCMP_SYS(write)})
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) != 0) ::_exit(1);
    seccomp_load(filter);  // fails if the kernel has no seccomp
    seccomp_release(filter);
}

void send(const Packet& packet) {
    if (!send_packet(kChildSocket, packet)) ::_exit(1);  // the parent has ended
}

/// From here on the process cannot open files, start processes or use the network, and can write only to its parent.
/// Without seccomp in the kernel, only the limits of ChildProcess and the ban on writing files apply.
void confine() {
    const rlimit nothing{0, 0};
    ::setrlimit(RLIMIT_CORE, &nothing);
    write_nothing();
    send(Packet{}.put(address_space()));
    allow_only_memory_and_open_files();
}

}  // namespace
}  // namespace orrery

int main() {
    using namespace orrery;
    if (::fcntl(kChildMemory, F_GET_SEALS) < 0) {
        std::fputs("orrery-hdf5-reader: Orrery starts this program to read HDF5 files\n", stderr);
        return 2;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close_range(kChildMemory + 1, ~0u, 0);  // descriptors left open by libraries of the parent
    const SharedMemory shared{kChildMemory, hdf5::kShared};
    hdf5::Server server{shared.bytes()};
    confine();
    while (auto request = receive_packet(kChildSocket)) {
        send(server.answer(std::move(request->packet), std::move(request->descriptor)));
        server.read_ahead();
    }
    ::_exit(0);
}
