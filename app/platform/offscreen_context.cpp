// SPDX-License-Identifier: MIT
#include "app/platform/offscreen_context.hpp"

#define EGL_NO_X11
#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/platform/machine.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

/// EGL's functions, loaded at run time: the program also starts on a machine without libEGL. Functions of missing
/// extensions are null.
struct Egl {
    PFNEGLGETPROCADDRESSPROC get_proc_address;
    PFNEGLGETERRORPROC get_error;
    PFNEGLQUERYSTRINGPROC query_string;
    PFNEGLINITIALIZEPROC initialize;
    PFNEGLTERMINATEPROC terminate;
    PFNEGLBINDAPIPROC bind_api;
    PFNEGLCHOOSECONFIGPROC choose_config;
    PFNEGLCREATECONTEXTPROC create_context;
    PFNEGLDESTROYCONTEXTPROC destroy_context;
    PFNEGLCREATEPBUFFERSURFACEPROC create_pbuffer_surface;
    PFNEGLDESTROYSURFACEPROC destroy_surface;
    PFNEGLMAKECURRENTPROC make_current;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display;
    PFNEGLQUERYDEVICESEXTPROC query_devices;
    PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string;
    PFNEGLQUERYDEVICEATTRIBEXTPROC query_device_attribute;
};

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

/// Loads libEGL once and keeps it. Throws Error{kEnvironment} if it is not installed or lacks a function.
const Egl& egl() {
    static const Egl loaded = load_egl();
    return loaded;
}

constexpr EGLint kCudaDevice = 0x323A;  // EGL_CUDA_DEVICE_NV, of EGL_NV_device_cuda

bool has(const char* extensions, std::string_view name) {
    return extensions && std::string_view{extensions}.find(name) != std::string_view::npos;
}

/// A display to try, best first.
struct Candidate {
    std::string description;
    EGLenum platform;
    void* native;
    int rank;
};

std::vector<Candidate> candidates(const Egl& e, int cuda_device, std::string& tried) {
    std::vector<Candidate> found;
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
        Candidate c{fmt::format("EGL device {}", i), EGL_PLATFORM_DEVICE_EXT, device, 1};
        if (cuda >= 0) c.description += fmt::format(" (CUDA device {})", cuda);
        if (cuda >= 0 && cuda == cuda_device) c.rank = 0;
        if (has(extensions, "EGL_MESA_device_software")) c.rank = 2, c.description += " (software)";
        found.push_back(std::move(c));
    }
    if (has(client, "EGL_MESA_platform_surfaceless")) {
        found.push_back({"surfaceless Mesa", EGL_PLATFORM_SURFACELESS_MESA, nullptr, 3});
    } else {
        tried += "EGL has no surfaceless Mesa; ";
    }
    std::ranges::stable_sort(found, {}, &Candidate::rank);
    return found;
}

}  // namespace

struct OffscreenContext::State {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    std::string description;
    GlInfo info;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (display == EGL_NO_DISPLAY) return;
        const Egl& e = egl();
        e.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface != EGL_NO_SURFACE) e.destroy_surface(display, surface);
        if (context != EGL_NO_CONTEXT) e.destroy_context(display, context);
        e.terminate(display);
    }

    /// Returns an empty string if the context is current, otherwise the reason.
    std::string open(const Egl& e, const Candidate& from);
    std::string make_surface_current(const Egl& e, EGLConfig config);
};

std::string OffscreenContext::State::open(const Egl& e, const Candidate& from) {
    description = from.description;
    const EGLDisplay opened = e.get_platform_display(from.platform, from.native, nullptr);
    if (opened == EGL_NO_DISPLAY) return "no display";
    if (!e.initialize(opened, nullptr, nullptr)) return fmt::format("cannot be initialised ({:#x})", e.get_error());
    display = opened;
    if (!e.bind_api(EGL_OPENGL_API)) return "no desktop OpenGL";
    const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                       EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    if (!e.choose_config(display, wanted.data(), &config, 1, &configs) || configs == 0) config = nullptr;
    const bool debug =
#ifndef NDEBUG
        true;
#else
        false;
#endif
    const std::array<EGLint, 9> version{EGL_CONTEXT_MAJOR_VERSION,
                                        4,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        5,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_CONTEXT_OPENGL_DEBUG,
                                        debug ? EGL_TRUE : EGL_FALSE,
                                        EGL_NONE};
    context = e.create_context(display, config, EGL_NO_CONTEXT, version.data());
    std::string no_context;
    if (context == EGL_NO_CONTEXT) {  // try any version, to report what is available
        no_context = fmt::format("no OpenGL 4.5 core ({:#x})", e.get_error());
        context = e.create_context(display, config, EGL_NO_CONTEXT, nullptr);
        if (context == EGL_NO_CONTEXT) return no_context;
    }
    if (std::string why = make_surface_current(e, config); !why.empty()) return why;
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(e.get_proc_address)) == 0)
        return "OpenGL's functions cannot be loaded";
    info = query_gl_info();
    if (!no_context.empty() || gl_version_number() < kRequiredGl) {
        return fmt::format("no OpenGL 4.5 core, found OpenGL {} on {}", info.version, info.renderer);
    }
    return {};
}

std::string OffscreenContext::State::make_surface_current(const Egl& e, EGLConfig config) {
    if (e.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return {};
    const std::array<EGLint, 5> size{EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    if (config) surface = e.create_pbuffer_surface(display, config, size.data());
    if (surface != EGL_NO_SURFACE && e.make_current(display, surface, surface, context)) return {};
    return fmt::format("the context cannot be made current ({:#x})", e.get_error());
}

OffscreenContext::OffscreenContext(int cuda_device) {
    require_address_space_to_draw();
    const Egl& e = egl();
    std::string tried;
    for (const Candidate& candidate : candidates(e, cuda_device, tried)) {
        auto state = std::make_unique<State>();
        const std::string why = state->open(e, candidate);
        if (why.empty()) {
            state_ = std::move(state);
            install_gl_debug_output();
            return;
        }
        tried += fmt::format("{}: {}; ", candidate.description, why);
    }
    if (tried.size() >= 2) tried.resize(tried.size() - 2);
    environment_error(fmt::format("no OpenGL 4.5 without a display: {}", tried));
}

OffscreenContext::OffscreenContext(OffscreenContext&&) noexcept = default;
OffscreenContext& OffscreenContext::operator=(OffscreenContext&&) noexcept = default;
OffscreenContext::~OffscreenContext() = default;

const GlInfo& OffscreenContext::gl_info() const noexcept { return state_->info; }
const std::string& OffscreenContext::description() const noexcept { return state_->description; }

void OffscreenContext::make_current() {
    if (!egl().make_current(state_->display, state_->surface, state_->surface, state_->context)) {
        environment_error(fmt::format("{}: the context cannot be made current", state_->description));
    }
}

}  // namespace orrery
