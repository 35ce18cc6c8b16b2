// SPDX-License-Identifier: MIT
// Preloaded before the C library (LD_PRELOAD); makes the n-th call of one kind that concerns a file below a folder
// fail, once. Set by the environment: ORRERY_FAIL "KIND N ERRNO"; ORRERY_FAIL_BELOW: the folder; ORRERY_FAIL_MARK: a
// file that is created when the call has failed (if it is missing, there were fewer than N calls). KIND "clock" is not
// a failure: from the N-th query on, the clocks jump by an hour at every hundredth query, the calendar clock back and
// forth.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

template <class F>
F* next(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

struct Order {
    char kind[32] = "";
    long number = 0;
    int error = EIO;
    const char* below = nullptr;
    const char* mark = nullptr;

    Order() {
        const char* text = std::getenv("ORRERY_FAIL");
        below = std::getenv("ORRERY_FAIL_BELOW"), mark = std::getenv("ORRERY_FAIL_MARK");
        if (!text || !below || !mark || std::sscanf(text, "%31s %ld %d", kind, &number, &error) != 3) number = 0;
    }
};

const Order& order() {
    static const Order read;
    return read;
}

std::atomic<long> calls{0};

bool is_next(const Order& o) {
    if (++calls != o.number) return false;
    const int file = next<int(const char*, int, ...)>("open")(o.mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) next<int(int)>("close")(file);
    errno = o.error;
    return true;
}

/// True if this call is the one to fail; sets errno.
bool fails(const char* kind, const char* path) {
    const Order& o = order();
    return o.number != 0 && std::strcmp(kind, o.kind) == 0 && std::strncmp(path, o.below, std::strlen(o.below)) == 0 &&
           is_next(o);
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;
std::atomic<bool> in_main{false};

int counted_main(int count, char** arguments, char** environment) {
    in_main = true;
    const int code = real_main(count, arguments, environment);
    in_main = false;
    return code;
}

/// Counts allocations only within main(), not those of the loader and of library initialization.
bool allocation_fails() {
    if (!in_main) return false;  // a sanitizer may not be initialized yet
    static thread_local bool within = false;
    if (within) return false;
    within = true;
    const Order& o = order();
    const bool fails = o.number != 0 && std::strcmp("malloc", o.kind) == 0 && is_next(o);
    within = false;
    return fails;
}

bool fails(const char* kind, int file) {
    if (order().number == 0) return false;
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    return fails(kind, path);
}

/// Relative paths are resolved against the working folder.
bool fails_at(const char* kind, const char* path) {
    if (order().number == 0 || !path) return false;
    if (path[0] == '/') return fails(kind, path);
    char folder[2048], whole[4096];
    if (!getcwd(folder, sizeof folder)) return false;
    std::snprintf(whole, sizeof whole, "%s/%.1900s", folder, path);
    return fails(kind, whole);
}

/// Total jump of a clock in seconds.
time_t leapt(bool calendar) {
    const Order& o = order();
    if (o.number == 0 || std::strcmp("clock", o.kind) != 0) return 0;
    const long looks = ++calls;
    if (looks == o.number) --calls, is_next(o);
    if (looks < o.number) return 0;
    const long leaps = 1 + (looks - o.number) / 100;
    return 3600 * (calendar ? (leaps % 2 == 1 ? leaps : -leaps) : leaps);
}

mode_t mode_of(int flags, va_list& more) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0; }

}  // namespace

extern "C" {

void* __libc_malloc(size_t bytes) noexcept;
void* __libc_calloc(size_t count, size_t bytes) noexcept;
void* __libc_realloc(void* old, size_t bytes) noexcept;
// Present only in sanitized programs, where the sanitizer owns the memory.
[[gnu::weak]] void* __interceptor_malloc(size_t bytes) noexcept;
[[gnu::weak]] void* __interceptor_calloc(size_t count, size_t bytes) noexcept;
[[gnu::weak]] void* __interceptor_realloc(void* old, size_t bytes) noexcept;

static bool sanitized() { return __interceptor_malloc != nullptr; }

int __libc_start_main(Main* main, int count, char** arguments, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack_end) {
    real_main = main;
    using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
    return next<Start>("__libc_start_main")(counted_main, count, arguments, init, fini, loader_fini, stack_end);
}

void* malloc(size_t bytes) noexcept {
    if (allocation_fails()) return nullptr;
    return sanitized() ? __interceptor_malloc(bytes) : __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) noexcept {
    if (allocation_fails()) return nullptr;
    return sanitized() ? __interceptor_calloc(count, bytes) : __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) noexcept {
    if (allocation_fails()) return nullptr;
    return sanitized() ? __interceptor_realloc(old, bytes) : __libc_realloc(old, bytes);
}

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return fails_at("open", path) ? -1 : next<int(const char*, int, ...)>("open")(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return fails_at("open", path) ? -1 : next<int(const char*, int, ...)>("open64")(path, flags, mode);
}
FILE* fopen(const char* path, const char* how) {
    return fails_at("open", path) ? nullptr : next<FILE*(const char*, const char*)>("fopen")(path, how);
}
FILE* fopen64(const char* path, const char* how) {
    return fails_at("open", path) ? nullptr : next<FILE*(const char*, const char*)>("fopen64")(path, how);
}
ssize_t write(int file, const void* from, size_t bytes) {
    return fails("write", file) ? -1 : next<ssize_t(int, const void*, size_t)>("write")(file, from, bytes);
}
ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
    return fails("write", file) ? -1 : next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, from, bytes, at);
}
ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t at) {
    return fails("write", file) ? -1
                                : next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(file, from, bytes, at);
}
ssize_t read(int file, void* into, size_t bytes) {
    return fails("read", file) ? -1 : next<ssize_t(int, void*, size_t)>("read")(file, into, bytes);
}
ssize_t pread(int file, void* into, size_t bytes, off_t at) {
    return fails("read", file) ? -1 : next<ssize_t(int, void*, size_t, off_t)>("pread")(file, into, bytes, at);
}
ssize_t pread64(int file, void* into, size_t bytes, off64_t at) {
    return fails("read", file) ? -1 : next<ssize_t(int, void*, size_t, off64_t)>("pread64")(file, into, bytes, at);
}
int fsync(int file) { return fails("fsync", file) ? -1 : next<int(int)>("fsync")(file); }
int fchmod(int file, mode_t mode) { return fails("fchmod", file) ? -1 : next<int(int, mode_t)>("fchmod")(file, mode); }
int close(int file) {
    const bool failing = fails("close", file);
    const int why = errno, closed = next<int(int)>("close")(file);
    if (failing) errno = why;  // the file is closed anyway, as on Linux
    return failing ? -1 : closed;
}
int ftruncate(int file, off_t size) {
    return fails("ftruncate", file) ? -1 : next<int(int, off_t)>("ftruncate")(file, size);
}
int ftruncate64(int file, off64_t size) {
    return fails("ftruncate", file) ? -1 : next<int(int, off64_t)>("ftruncate64")(file, size);
}
int rename(const char* from, const char* to) {
    return fails_at("rename", from) ? -1 : next<int(const char*, const char*)>("rename")(from, to);
}
int clock_gettime(clockid_t clock, struct timespec* now) noexcept {
    const int result = next<int(clockid_t, struct timespec*)>("clock_gettime")(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC))
        now->tv_sec += leapt(clock == CLOCK_REALTIME);
    return result;
}
time_t time(time_t* into) noexcept {
    const time_t now = next<time_t(time_t*)>("time")(nullptr) + leapt(true);
    if (into) *into = now;
    return now;
}
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
    return file >= 0 && fails("mmap", file)
               ? MAP_FAILED
               : next<void*(void*, size_t, int, int, int, off_t)>("mmap")(at, bytes, protection, flags, file, offset);
}
}

// The operators of a sanitizer do not call malloc.
namespace {

template <class... Alignment>
void* new_or_fail(const char* name, size_t bytes, Alignment... alignment) {
    if (sanitized() && allocation_fails()) throw std::bad_alloc{};
    return next<void*(size_t, Alignment...)>(name)(bytes, alignment...);
}

}  // namespace

void* operator new(size_t bytes) { return new_or_fail("_Znwm", bytes); }
void* operator new[](size_t bytes) { return new_or_fail("_Znam", bytes); }
void* operator new(size_t bytes, std::align_val_t alignment) {
    return new_or_fail("_ZnwmSt11align_val_t", bytes, alignment);
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
    return new_or_fail("_ZnamSt11align_val_t", bytes, alignment);
}
