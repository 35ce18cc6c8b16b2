// SPDX-License-Identifier: MIT
// Files about kernels in the user's cache, and the program that tries kernels.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/child_process.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery::kernel_texts {

/// The header kernel.h, or a part of the source around a kernel in C++; empty if there is none of this name. Generated:
/// cmake/embed.cmake.
std::string_view file(std::string_view name);

}  // namespace orrery::kernel_texts

namespace orrery {

/// $ORRERY_KERNELS, otherwise orrery/kernels in $XDG_CACHE_HOME or ~/.cache. Throws Error{kEnvironment} if there is
/// none.
std::filesystem::path kernel_folder();
/// The same, created for this user alone, with the header that kernels include.
std::filesystem::path prepared_kernel_folder();
/// 32 hexadecimal digits that identify a text.
std::string digest_of(std::string_view text);
/// The bytes of a file; empty if it cannot be read.
std::string content_of(const std::filesystem::path& path);
/// Writes a whole file, or throws Error{kEnvironment}.
void write_whole(const std::filesystem::path& path, std::string_view text);

/// Runs the program orrery-kernel-trial with these arguments and returns how it ended.
ProcessEnd run_trial_program(const std::vector<std::string>& arguments, const ProcessLimits& limits);
/// The same for a trial. Throws Error{kUsage} with the reason if the kernel fails.
void run_trial(const KernelFile& file, const std::vector<std::string>& arguments, const ProcessLimits& limits);
/// Throws Error{kUsage} with the reason unless the trial of this file has passed.
void require_passed(const KernelFile& file, const ProcessEnd& end);

// Kernels that may run. Scenes, sessions, checkpoints and uploads contain kernels too, and a kernel in C++ can do all
// that the user's programs can do.

/// Permits this code, with any values of its parameters, to be run on this machine, from now on and in later processes.
/// Call only for a text that the user gave as a kernel, not for one found in a file.
void trust_kernel(const KernelFile& file);
/// Permits all kernels in this process: `--allow-kernels`.
void trust_all_kernels();
/// Throws Error{kUsage} unless the kernel is trusted or is an example.
void require_trusted(const KernelFile& file);

}  // namespace orrery
