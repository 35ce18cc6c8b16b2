// SPDX-License-Identifier: MIT
// Loaded in place of the CUDA driver (it is named libcuda.so.1, and LD_LIBRARY_PATH contains its folder). Forwards all
// calls to the driver, makes the n-th call of one kind fail, once, and records the launched kernels. Set by the
// environment:
//   ORRERY_REAL_CUDA    the driver's own libcuda.so.1, with its folder
//   ORRERY_FAIL_CUDA    "KIND N": allocate, copy, create, launch, map, wait
//   ORRERY_FAIL_MARK    a file that is created when the call has failed; if it is missing, there were fewer than N
//   ORRERY_KERNELS      a file to which the mangled name of each kernel is appended when it is first launched
// The runtime obtains every function of the driver from cuGetProcAddress_v2.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace {

using Word = std::uintptr_t;
/// Any function of the driver: all arguments are integers or pointers, at most twelve.
using Call = int(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
using Lookup = int(const char* symbol, void** function, int version, std::uint64_t flags, void* status);
using NameOf = int(const char** name, void* kernel);

struct Kind {
    const char* name;
    int error;                            ///< CUresult
    std::array<const char*, 6> prefixes;  ///< prefixes of the functions of this kind
};
constexpr Kind kKinds[] = {{"allocate", 2, {"cuMemAlloc", "cuMemHostAlloc", "cuMemHostRegister", "cuMemCreate"}},
                           {"copy", 719, {"cuMemcpy", "cuMemset"}},
                           {"create",
                            999,
                            {"cuStreamCreate", "cuEventCreate", "cuGraphInstantiate", "cuStreamBeginCapture",
                             "cuStreamEndCapture", "cuMemGetInfo"}},
                           {"launch", 701, {"cuLaunch", "cuGraphLaunch"}},
                           {"map", 999, {"cuGraphics", "cuGL"}},
                           {"wait",
                            719,
                            {"cuStreamSynchronize", "cuEventSynchronize", "cuEventQuery", "cuEventRecord",
                             "cuStreamWaitEvent", "cuEventElapsedTime"}}};

struct Order {
    char kind[32] = "";
    long number = 0;
    const char* mark = std::getenv("ORRERY_FAIL_MARK");
    const char* kernels = std::getenv("ORRERY_KERNELS");

    Order() {
        const char* text = std::getenv("ORRERY_FAIL_CUDA");
        if (!text || !mark || std::sscanf(text, "%31s %ld", kind, &number) != 2) number = 0;
    }
};

const Order& order() {
    static const Order read;
    return read;
}

void append(const char* path, std::string_view text) {
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (write(file, text.data(), text.size()) < 0) std::perror(path);
    close(file);
}

struct Between {
    Call* real = nullptr;
    const Kind* kind = nullptr;
    int kernel = -1;  ///< index of the argument that is the launched kernel
    std::string name;
};
constexpr int kFunctions = 128;
std::array<Between, kFunctions> functions;
std::mutex lock;
std::atomic<long> calls{0};
// The runtime launches either functions or kernels of a library.
std::array<NameOf*, 2> names_of{};

void note_kernel(void* kernel) {
    static std::set<void*> seen;
    const std::scoped_lock hold{lock};
    if (!seen.insert(kernel).second) return;
    for (NameOf* name_of : names_of) {
        const char* name = nullptr;
        if (name_of && name_of(&name, kernel) == 0 && name) return append(order().kernels, std::string{name} + '\n');
    }
    append(order().kernels, "without a name\n");
}

template <int I>
int call(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, Word l) {
    const Between& function = functions[I];
    if (order().number != 0 && std::strcmp(function.kind->name, order().kind) == 0 && ++calls == order().number) {
        append(order().mark, function.name);
        return function.kind->error;
    }
    if (order().kernels && function.kernel >= 0) note_kernel(reinterpret_cast<void*>(function.kernel == 0 ? a : b));
    return function.real(a, b, c, d, e, f, g, h, i, j, k, l);
}

template <int... I>
constexpr std::array<Call*, kFunctions> all_calls(std::integer_sequence<int, I...>) {
    return {call<I>...};
}
constexpr std::array<Call*, kFunctions> kCalls = all_calls(std::make_integer_sequence<int, kFunctions>{});

const Kind* kind_of(std::string_view name) {
    for (const Kind& kind : kKinds)
        for (const char* prefix : kind.prefixes)
            if (prefix && name.starts_with(prefix)) return &kind;
    return nullptr;
}

/// Returns the function to be given to the runtime in place of `function`.
void* between(const char* symbol, void* function) {
    const Kind* kind = kind_of(symbol);
    if (!kind || !function) return function;
    const std::scoped_lock hold{lock};
    for (int i = 0; i < kFunctions; ++i) {
        Between& f = functions[i];
        if (!f.real) {
            f = {reinterpret_cast<Call*>(function), kind, -1, symbol};
            if (f.name.starts_with("cuLaunch")) f.kernel = f.name.starts_with("cuLaunchKernelEx") ? 1 : 0;
        }
        if (reinterpret_cast<void*>(f.real) == function) return reinterpret_cast<void*>(kCalls[i]);
    }
    std::fputs("failing_cuda: increase kFunctions\n", stderr);
    std::abort();
}

/// A function of the real driver, which is loaded once.
template <class F>
F* real(const char* name) {
    static void* const driver = [] {
        const char* path = std::getenv("ORRERY_REAL_CUDA");
        void* opened = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
        if (!opened) {
            std::fprintf(stderr, "failing_cuda: ORRERY_REAL_CUDA cannot be loaded: %s\n", path ? dlerror() : "not set");
            std::abort();
        }
        return opened;
    }();
    return reinterpret_cast<F*>(dlsym(driver, name));
}

}  // namespace

extern "C" {

int cuInit(unsigned flags) { return real<int(unsigned)>("cuInit")(flags); }
int cuDeviceGetCount(int* count) { return real<int(int*)>("cuDeviceGetCount")(count); }

int cuGetProcAddress_v2(const char* symbol, void** function, int version, std::uint64_t flags, void* status) {
    auto* const find = real<Lookup>("cuGetProcAddress_v2");
    if (!names_of[0] && order().kernels) {
        for (int i = 0; i < 2; ++i) {
            void* found = nullptr;
            if (find(i == 0 ? "cuFuncGetName" : "cuKernelGetName", &found, 12030, 0, nullptr) == 0)
                names_of[i] = reinterpret_cast<NameOf*>(found);
        }
    }
    const int result = find(symbol, function, version, flags, status);
    if (result != 0 || !function) return result;
    // The name covers two functions of different versions; the runtime requests those of CUDA 12 and later.
    const bool itself = std::strcmp(symbol, "cuGetProcAddress") == 0;
    *function = itself ? reinterpret_cast<void*>(cuGetProcAddress_v2) : between(symbol, *function);
    return result;
}
}
