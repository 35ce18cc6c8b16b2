// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// An OpenGL device that EGL lists.
struct GlDeviceInfo {
    std::string place;  ///< "EGL device 0 (CUDA device 0)", "surfaceless Mesa"
    std::string vendor, renderer, version;
    bool software = false;
    std::uint64_t max_buffer = 0;  ///< bytes of a shader storage block
    int max_threads = 0;           ///< of a work group
    std::string why_not;           ///< why it does not compute; empty if it does
    bool refused = false;          ///< it was tried and cannot compute
    std::string why;               ///< why it computes and not another one; empty if it does not
};

/// The OpenGL devices of this machine, the one that computes first. Opened once, without a display.
struct GlComputeInfo {
    bool available = false;
    std::string reason;  ///< why OpenGL cannot compute; empty if it can
    std::vector<GlDeviceInfo> devices;
};

/// Chooses the device that computes: the number of an EGL device, or a part of its place, vendor or renderer; empty,
/// the default: hardware before software. Throws Error{kUsage} if another one is already in use. Whether it exists is
/// known when it is opened.
void choose_gl_device(const std::string& words);
/// As choose_gl_device(), also while engines run. If the device changes, all its buffers become stale: bodies on it
/// must be restored from a state that was saved before. Throws Error{kEnvironment} if the device cannot compute; the
/// previous one is then opened again.
void change_gl_device(const std::string& words);
/// The text by which change_gl_device() chooses this device.
std::string choice_of(const GlDeviceInfo& device);
/// Opens the device that computes again if its driver has reset it. Throws Error{kEnvironment} if that fails.
void reopen_lost_gl_device();
/// Opens the devices on the first call, which takes about 0.1 s.
const GlComputeInfo& gl_compute_info();
/// True if OpenGL can compute on a GPU and not only on the CPU. Opens no device if EGL lists only software.
bool has_gl_hardware();

}  // namespace orrery
