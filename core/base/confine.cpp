// SPDX-License-Identifier: MIT
#include "core/base/confine.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

// Excludes open, socket, clone, exec, kill, prlimit and every call that takes a file name.
constexpr std::array kAllowed{
    __NR_brk,         __NR_clock_gettime, __NR_close,          __NR_exit,         __NR_exit_group,  __NR_futex,
    __NR_getpid,      __NR_getrandom,     __NR_gettid,         __NR_gettimeofday, __NR_lseek,       __NR_madvise,
    __NR_mmap,        __NR_mprotect,      __NR_mremap,         __NR_munmap,       __NR_pread64,     __NR_read,
    __NR_recvmsg,     __NR_rt_sigaction,  __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sched_yield, __NR_sendmsg,
    __NR_sigaltstack, __NR_write};

}  // namespace

void allow_only_memory_and_open_files() {
    if (kMachine == 0) return;
    std::vector<sock_filter> program{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    };
    for (const int call : kAllowed) {
        program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
        program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

}  // namespace orrery
