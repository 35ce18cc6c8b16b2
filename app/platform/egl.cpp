// SPDX-License-Identifier: MIT
#include "app/platform/egl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// Loads a core function from the library's symbols; extensions come from eglGetProcAddress.
template <class Function>
void load_core(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) environment_error(fmt::format("libEGL.so.1 has no function {}", name));
}

Egl load() {
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

}  // namespace

const Egl& egl() {
    static const Egl loaded = load();
    return loaded;
}

}  // namespace orrery
