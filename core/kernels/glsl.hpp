// SPDX-License-Identifier: MIT
// Kernels in GLSL: inserted into the shaders of core/gl, and tried in a separate process. A build without EGL links
// glsl_absent.cpp, whose functions throw Error{kEnvironment}.
#pragma once
#include <string>
#include <string_view>

#include "core/kernels/exactness.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery::gl {
class Program;
}

namespace orrery {

/// The text in place of the line of a shader that includes kernel: parameters as constants, and the file, whose lines
/// keep their numbers in the messages of drivers.
std::string glsl_text(const KernelFile& file);
/// Definitions for the shader of a kernel of kind forces: its launch shape.
std::string glsl_defines(const KernelFile& file);

/// Runs a kernel once in the program orrery-kernel-trial, for every text and device. Throws Error{kUsage} for a
/// kernel that is not trusted, with the reason of a failure, or with the driver's message as "NAME:LINE: error".
void require_glsl_runs(const KernelFile& file);

/// The map of a kernel that has passed its trial, evaluated on the OpenGL device.
EvaluatedMap glsl_map_on_device(const KernelFile& file);
/// The program of a shader of core/gl/shaders with this kernel. Call within Device::run(). Throws Error{kUsage} with
/// the driver's message as "NAME:LINE: error".
const gl::Program& glsl_program(const KernelFile& file, std::string_view shader, const std::string& defines);

/// The map of a kernel, evaluated on the OpenGL device. Throws as require_glsl_runs() does, and Error{kUsage} for
/// another kind.
EvaluatedMap glsl_map(const KernelFile& file);

/// The work of orrery-kernel-trial: runs a kernel on a few bodies, or for a few numbers of rows. Throws Error with the
/// reason.
void try_glsl(const KernelFile& file);

}  // namespace orrery
