// SPDX-License-Identifier: MIT
#include "core/kernels/cuda_launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>
#include <type_traits>

#include "core/base/error.hpp"

namespace orrery {
namespace {

// The part of cuda.h that is used. 0: success.
using DriverObject = void*;

/// The functions of the driver.
struct CudaDriver {
    std::string why_not;
    int (*init)(unsigned) = nullptr;
    int (*retain)(DriverObject* context, int device) = nullptr;
    int (*current)(DriverObject* context) = nullptr;
    int (*set_current)(DriverObject context) = nullptr;
    int (*load)(DriverObject* module, const void* image) = nullptr;
    int (*unload)(DriverObject module) = nullptr;
    int (*function)(DriverObject* function, DriverObject module, const char* name) = nullptr;
    int (*launch)(DriverObject function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                  CUstream_st* stream, void** arguments, void** extra) = nullptr;
    int (*allocate)(std::uintptr_t*, std::size_t) = nullptr;
    int (*release)(std::uintptr_t) = nullptr;
    int (*upload)(std::uintptr_t, const void*, std::size_t) = nullptr;
    int (*download)(void*, std::uintptr_t, std::size_t) = nullptr;
    int (*wait)() = nullptr;
    int (*error)(int, const char**) = nullptr;

    CudaDriver() {
        void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            why_not = "no CUDA driver: libcuda.so.1 is missing";
            return;
        }
        const auto find = [&](auto& entry, const char* name) {
            entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(::dlsym(library, name));
            if (!entry) why_not = fmt::format("the CUDA driver has no {}", name);
        };
        find(init, "cuInit"), find(retain, "cuDevicePrimaryCtxRetain"), find(current, "cuCtxGetCurrent");
        find(set_current, "cuCtxSetCurrent");
        find(load, "cuModuleLoadData"), find(unload, "cuModuleUnload"), find(function, "cuModuleGetFunction");
        find(launch, "cuLaunchKernel"), find(allocate, "cuMemAlloc_v2"), find(release, "cuMemFree_v2");
        find(upload, "cuMemcpyHtoD_v2"), find(download, "cuMemcpyDtoH_v2"), find(wait, "cuCtxSynchronize");
        find(error, "cuGetErrorString");
        if (!why_not.empty()) return;
        if (const int status = init(0); status != 0) why_not = text_of(status);
    }

    std::string text_of(int status) const {
        const char* text = nullptr;
        error(status, &text);
        return text ? text : fmt::format("error {}", status);
    }
};

/// The driver, with a context on this thread: that of the device which the runtime uses here, otherwise that of the
/// first device.
const CudaDriver& cuda_driver() {
    static const CudaDriver driver;
    if (!driver.why_not.empty()) environment_error(driver.why_not);
    DriverObject context = nullptr;
    driver.current(&context);
    if (context) return driver;
    static const DriverObject first = [] {
        DriverObject made = nullptr;
        if (const int status = driver.retain(&made, 0); status != 0) environment_error(driver.text_of(status));
        return made;
    }();
    driver.set_current(first);
    return driver;
}

void require(int status, std::string_view what) {
    if (status != 0) environment_error(fmt::format("{}: {}", what, cuda_driver().text_of(status)));
}

}  // namespace

CudaMemory::CudaMemory(std::size_t bytes) : bytes_{bytes} {
    require(cuda_driver().allocate(&address_, bytes), "device memory");
}
CudaMemory::~CudaMemory() { cuda_driver().release(address_); }
void CudaMemory::write(const void* from) const { require(cuda_driver().upload(address_, from, bytes_), "upload"); }
void CudaMemory::read(void* into) const { require(cuda_driver().download(into, address_, bytes_), "download"); }

CudaModule::CudaModule(const std::string& cubin) {
    require(cuda_driver().load(&module_, cubin.data()), "loading a kernel");
}
CudaModule::~CudaModule() { cuda_driver().unload(module_); }

void CudaModule::launch(const char* kernel, unsigned blocks, unsigned threads, const CudaWork& work,
                        CUstream_st* stream) const {
    if (blocks == 0) return;
    const CudaDriver& driver = cuda_driver();
    DriverObject function = nullptr;
    require(driver.function(&function, module_, kernel), kernel);
    CudaWork argument = work;
    void* arguments[] = {&argument};
    require(driver.launch(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr), kernel);
}

void wait_for_cuda() { require(cuda_driver().wait(), "the kernel"); }

}  // namespace orrery
