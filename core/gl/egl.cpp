// SPDX-License-Identifier: MIT
#include "core/gl/egl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <type_traits>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// Loads a core function from the library's symbols; extensions come from eglGetProcAddress.
template <class Function>
void load_core(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) environment_error(fmt::format("libEGL.so.1 has no function {}", name));
}

Egl load_egl() {
    void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);  // never closed: drivers do not survive unloading
    if (!library) environment_error("libEGL.so.1 is not installed (Debian: libegl1)");
    Egl e{};
    load_core(library, "eglGetProcAddress", e.get_proc_address);
    load_core(library, "eglGetError", e.get_error);
    load_core(library, "eglQueryString", e.query_string);
    load_core(library, "eglInitialize", e.initialize);
    load_core(library, "eglTerminate", e.terminate);
    load_core(library, "eglBindAPI", e.bind_api);
    load_core(library, "eglChooseConfig", e.choose_config);
    load_core(library, "eglCreateContext", e.create_context);
    load_core(library, "eglDestroyContext", e.destroy_context);
    load_core(library, "eglCreatePbufferSurface", e.create_pbuffer_surface);
    load_core(library, "eglDestroySurface", e.destroy_surface);
    load_core(library, "eglMakeCurrent", e.make_current);
    const auto extension = [&](const char* name, auto& function) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(e.get_proc_address(name));
    };
    extension("eglGetPlatformDisplayEXT", e.get_platform_display);
    extension("eglQueryDevicesEXT", e.query_devices);
    extension("eglQueryDeviceStringEXT", e.query_device_string);
    extension("eglQueryDeviceAttribEXT", e.query_device_attribute);
    return e;
}

constexpr EGLint kCudaDevice = 0x323A;  // EGL_CUDA_DEVICE_NV, of EGL_NV_device_cuda

bool has(const char* extensions, std::string_view name) {
    return extensions && std::string_view{extensions}.find(name) != std::string_view::npos;
}

/// Number of owners of each initialised display.
struct OpenDisplays {
    std::mutex mutex;
    std::map<EGLDisplay, int> owners;
};
OpenDisplays& open_displays() {
    static auto* const all = new OpenDisplays;  // owners with static lifetime may be destroyed later
    return *all;
}

}  // namespace

const Egl& egl() {
    static const Egl loaded = load_egl();
    return loaded;
}

std::vector<EglCandidate> egl_candidates(const Egl& e, int cuda_device, std::string& tried) {
    std::vector<EglCandidate> found;
    std::array<EGLDeviceEXT, 64> devices{};
    EGLint count = 0;
    const char* client = e.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!e.query_devices || !e.get_platform_display || !e.query_devices(devices.size(), devices.data(), &count)) {
        tried += "EGL lists no devices; ";
        count = 0;
    }
    for (EGLint i = 0; i < count; ++i) {
        const EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
        const char* extensions = e.query_device_string ? e.query_device_string(device, EGL_EXTENSIONS) : nullptr;
        EGLAttrib cuda = -1;
        if (!has(extensions, "EGL_NV_device_cuda") || !e.query_device_attribute ||
            !e.query_device_attribute(device, kCudaDevice, &cuda)) {
            cuda = -1;
        }
        EglCandidate c{fmt::format("EGL device {}", i), EGL_PLATFORM_DEVICE_EXT, device, 1, false};
        if (cuda >= 0) c.description += fmt::format(" (CUDA device {})", cuda);
        if (cuda >= 0 && cuda == cuda_device) c.rank = 0;
        if (has(extensions, "EGL_MESA_device_software")) c.rank = 2, c.software = true, c.description += " (software)";
        found.push_back(std::move(c));
    }
    if (has(client, "EGL_MESA_platform_surfaceless")) {
        found.push_back({"surfaceless Mesa", EGL_PLATFORM_SURFACELESS_MESA, nullptr, 3, false});
    } else {
        tried += "EGL has no surfaceless Mesa; ";
    }
    std::ranges::stable_sort(found, {}, &EglCandidate::rank);
    return found;
}

bool is_software_renderer(std::string_view renderer) {
    constexpr std::array<std::string_view, 4> names{"llvmpipe", "softpipe", "swrast", "SWR"};
    return std::ranges::any_of(names, [&](std::string_view name) { return renderer.find(name) != renderer.npos; });
}

EglDisplay::EglDisplay(const EglCandidate& from, std::string& why_not) {
    const Egl& e = egl();
    const std::lock_guard lock{open_displays().mutex};
    const EGLDisplay opened = e.get_platform_display(from.platform, from.native, nullptr);
    if (opened == EGL_NO_DISPLAY) {
        why_not = "no display";
    } else if (!e.initialize(opened, nullptr, nullptr)) {
        why_not = fmt::format("cannot be initialised ({:#x})", e.get_error());
    } else {
        display_ = opened;
        ++open_displays().owners[opened];
    }
}

EglDisplay::~EglDisplay() {
    if (display_ == EGL_NO_DISPLAY) return;
    const std::lock_guard lock{open_displays().mutex};
    if (--open_displays().owners[display_] == 0) egl().terminate(display_);
}

EglContext::~EglContext() {
    if (!display) return;
    const Egl& e = egl();
    e.make_current(display.get(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface != EGL_NO_SURFACE) e.destroy_surface(display.get(), surface);
    if (context != EGL_NO_CONTEXT) e.destroy_context(display.get(), context);
}

}  // namespace orrery
