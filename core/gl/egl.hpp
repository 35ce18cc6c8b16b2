// SPDX-License-Identifier: MIT
// EGL, loaded at run time: the program links neither EGL nor OpenGL and also starts on a machine without them.
#pragma once
#define EGL_NO_X11
#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

/// EGL's functions. Those of missing extensions are null.
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

/// Loads libEGL once and keeps it. Throws Error{kEnvironment} if it is not installed or lacks a function.
const Egl& egl();

/// A display to try.
struct EglCandidate {
    std::string description;  ///< "EGL device 0 (CUDA device 0)", "EGL device 1 (software)", "surfaceless Mesa"
    EGLenum platform;
    void* native;
    int rank;       ///< the lower, the better: 0 for the device that is `cuda_device`, 1 hardware, 2 and 3 software
    bool software;  ///< EGL declares that it renders on the CPU; surfaceless Mesa may do so too
};

/// The displays of this machine, best first. `tried` receives what EGL lacks, for messages.
std::vector<EglCandidate> egl_candidates(const Egl& e, int cuda_device, std::string& tried);

/// True for the renderers of Mesa that compute on the CPU.
bool is_software_renderer(std::string_view renderer);

/// An initialised display. EGL returns one handle for all openers of a device and counts no references, so this class
/// does: the last owner terminates it.
class EglDisplay {
public:
    EglDisplay() = default;
    /// On failure the display is empty and `why_not` receives the reason.
    EglDisplay(const EglCandidate& from, std::string& why_not);
    EglDisplay(EglDisplay&& other) noexcept : display_{std::exchange(other.display_, EGL_NO_DISPLAY)} {}
    EglDisplay& operator=(EglDisplay&& other) noexcept {
        std::swap(display_, other.display_);
        return *this;
    }
    ~EglDisplay();

    EGLDisplay get() const { return display_; }
    explicit operator bool() const { return display_ != EGL_NO_DISPLAY; }

private:
    EGLDisplay display_ = EGL_NO_DISPLAY;
};

/// A context without a window, with its surface if it needs one. Destroyed by the thread in which it is current.
struct EglContext {
    EglDisplay display;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;

    EglContext() = default;
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    ~EglContext();
};

}  // namespace orrery
