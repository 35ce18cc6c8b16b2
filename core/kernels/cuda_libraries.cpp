// SPDX-License-Identifier: MIT
#include "core/kernels/cuda_libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>
#include <type_traits>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

// The part of nvrtc.h that is used, so that no header of the toolkit is needed. 0: success.
using NvrtcProgram = struct NvrtcProgramObject*;

/// The functions of the library.
struct Nvrtc {
    std::string why_not;
    int (*version)(int*, int*) = nullptr;
    int (*create)(NvrtcProgram*, const char* source, const char* name, int, const char* const* texts,
                  const char* const* names) = nullptr;
    int (*destroy)(NvrtcProgram*) = nullptr;
    int (*compile)(NvrtcProgram, int, const char* const* options) = nullptr;
    int (*cubin_size)(NvrtcProgram, std::size_t*) = nullptr;
    int (*cubin)(NvrtcProgram, char*) = nullptr;
    int (*log_size)(NvrtcProgram, std::size_t*) = nullptr;
    int (*log)(NvrtcProgram, char*) = nullptr;
    const char* (*error)(int) = nullptr;

    Nvrtc() {
        void* library = nullptr;
        if (const std::string given = environment_variable("ORRERY_NVRTC"); !given.empty()) {
            library = ::dlopen(given.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (!library) why_not = fmt::format("ORRERY_NVRTC: {}", ::dlerror());
        } else {
            for (const char* const name :
                 {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so"})
                if (!library) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (!library)
                why_not =
                    "kernels in CUDA need libnvrtc: install Debian's package libnvrtc12 (Debian 12: libnvrtc11.2) or "
                    "NVIDIA's cuda-nvrtc, or "
                    "set ORRERY_NVRTC to its file";
        }
        if (!library) return;
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
            if (!function) why_not = fmt::format("libnvrtc has no {}", name);
        };
        find(version, "nvrtcVersion"), find(create, "nvrtcCreateProgram"), find(destroy, "nvrtcDestroyProgram");
        find(compile, "nvrtcCompileProgram"), find(cubin_size, "nvrtcGetCUBINSize"), find(cubin, "nvrtcGetCUBIN");
        find(log_size, "nvrtcGetProgramLogSize"), find(log, "nvrtcGetProgramLog"), find(error, "nvrtcGetErrorString");
    }
};

const Nvrtc& nvrtc() {
    static const Nvrtc all;
    return all;
}

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

std::string why_no_nvrtc() { return nvrtc().why_not; }

std::string nvrtc_version() {
    int major = 0, minor = 0;
    if (!nvrtc().why_not.empty() || nvrtc().version(&major, &minor) != 0) return {};
    return fmt::format("{}.{}", major, minor);
}

NvrtcResult compile_with_nvrtc(const std::string& source,
                               const std::vector<std::pair<std::string, std::string>>& headers,
                               const std::vector<std::string>& options) {
    const Nvrtc& api = nvrtc();
    if (!api.why_not.empty()) environment_error(api.why_not);
    const auto check = [&api](int status, std::string_view what) {
        if (status != 0) environment_error(fmt::format("NVRTC: {}: {}", what, api.error(status)));
    };
    std::vector<const char*> texts, names, words;
    for (const auto& [name, text] : headers) names.push_back(name.c_str()), texts.push_back(text.c_str());
    for (const std::string& option : options) words.push_back(option.c_str());
    NvrtcProgram program = nullptr;
    check(
        api.create(&program, source.c_str(), "kernel.cu", static_cast<int>(headers.size()), texts.data(), names.data()),
        "creating a program");
    NvrtcResult result;
    const int status = api.compile(program, static_cast<int>(words.size()), words.data());
    std::size_t size = 0;
    if (api.log_size(program, &size) == 0 && size > 1) result.log.resize(size), api.log(program, result.log.data());
    if (status == 0 && api.cubin_size(program, &size) == 0) {
        result.cubin.resize(size);
        check(api.cubin(program, result.cubin.data()), "reading the binary");
    } else if (result.log.empty()) {
        result.log = fmt::format("error: {}", api.error(status));
    }
    api.destroy(&program);
    return result;
}

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
