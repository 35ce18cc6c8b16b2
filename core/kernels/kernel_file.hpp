// SPDX-License-Identifier: MIT
// Kernel files: a head of lines `//! key = value`, then code. docs/guide/kernels.md describes them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/backend.hpp"

namespace orrery {

/// kPair: the force of a pair, called by the built-in loops. kForces: all accelerations. kMap: a thread map.
enum class KernelKind { kPair, kForces, kMap };
enum class KernelLanguage { kCpp, kGlsl, kCuda };

/// A number that the code reads by its name and that users may change within its range.
struct KernelParameter {
    std::string name;
    double value = 0, low = 0, high = 0;
    std::string doc;
    int line = 0;  ///< of the text, from 1
};

/// A parsed kernel file.
struct KernelFile {
    std::string name;  ///< of the file, for messages
    KernelKind kind{};
    KernelLanguage language{};
    std::string title, author;
    std::vector<KernelParameter> parameters;
    /// The force is not gravity: it is compared with its own sum in double precision, not with the scene's law.
    bool own_law = false;
    int threads = 64;  ///< GLSL, kind forces: of a work group
    int rows = 64;     ///< GLSL, kind forces: bodies of a work group
    std::string text;  ///< the whole file; values of parameters are in its head

    std::vector<double> values() const;
    /// The text without the lines of parameters, which stay as empty lines: it does not depend on their values.
    std::string code() const;
};

/// Texts above this size are refused: a checkpoint stores them in an attribute, which HDF5 limits to 64 KiB.
inline constexpr std::size_t kMostKernelBytes = 48 * 1024;

/// Parses a text. `name` stands for the file in messages. Throws Error{kUsage} as "NAME:LINE: problem".
KernelFile parse_kernel(std::string_view text, std::string_view name = "kernel");
/// True for the file names .cpp, .glsl and .cu, with which a kernel file can be opened like a scene.
bool is_kernel_path(const std::filesystem::path& path);
/// Reads the text of a file. Throws Error{kUsage} if it cannot be read or is too large.
std::string read_kernel_text(const std::string& path);
/// Reads a file and parses it. Throws Error{kUsage} also if it cannot be read.
KernelFile read_kernel(const std::string& path);
/// The line, from 1, that an error message about the kernel file `name` begins with: "NAME:LINE: problem"; 0: none.
int line_of_error(std::string_view message, std::string_view name);
/// The text with another value of a parameter. Throws Error{kUsage} if there is none of this name, or for a value
/// outside of its range.
std::string with_parameter(const KernelFile& file, std::string_view name, double value);

std::string_view name(KernelKind kind);
std::string_view name(KernelLanguage language);
/// The backend on which a language runs.
Backend backend_of(KernelLanguage language);

}  // namespace orrery
