// SPDX-License-Identifier: MIT
#include "core/kernels/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

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

}  // namespace orrery
