// SPDX-License-Identifier: MIT
#pragma once
#define EGL_NO_X11
#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>

namespace orrery {

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

/// Loads libEGL once and keeps it. Throws Error{kEnvironment} if it is not installed or lacks a function.
const Egl& egl();

}  // namespace orrery
