// SPDX-License-Identifier: MIT
#include "core/kernels/kernel_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/child_process.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/kernels/examples.hpp"

namespace orrery {
namespace {

struct TrustedKernels {
    std::mutex mutex;
    bool all = false;
    std::set<std::string> codes;
};
TrustedKernels& trusted_kernels() {
    static TrustedKernels trusted;
    return trusted;
}

std::filesystem::path trust_path(const std::filesystem::path& folder, const std::string& code) {
    return folder / (digest_of(code) + ".trusted");
}

bool is_example(const std::string& code) {
    return std::ranges::any_of(example_kernels(), [&](const ExampleKernel& each) {
        return parse_kernel(each.text, each.name).code() == code;
    });
}

}  // namespace

std::filesystem::path kernel_folder() {
    if (const std::string given = environment_variable("ORRERY_KERNELS"); !given.empty()) return given;
    const std::filesystem::path folder = user_folder("XDG_CACHE_HOME", ".cache");
    if (!folder.is_absolute())
        environment_error("no place for compiled kernels: set HOME or XDG_CACHE_HOME to an absolute path");
    return folder / "kernels";
}

std::filesystem::path prepared_kernel_folder() {
    const std::filesystem::path folder = kernel_folder();
    std::error_code error;
    std::filesystem::create_directories(folder / "orrery", error);
    if (error) environment_error(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
    struct stat own = {};
    if (::stat(folder.c_str(), &own) != 0 || own.st_uid != ::geteuid())
        environment_error(fmt::format("{}: belongs to another user; kernels are not kept there", folder.string()));
    ::chmod(folder.c_str(), 0700);
    const std::filesystem::path header = folder / "orrery" / "kernel.h";
    const std::string_view text = kernel_texts::file("kernel.h");
    if (content_of(header) != text) write_whole(header, text);
    return folder;
}

// FNV-1a, 64 bits, twice with different starts: 32 hexadecimal digits.
std::string digest_of(std::string_view text) {
    std::string digits;
    for (std::uint64_t hash : {0xcbf29ce484222325ull, 0x9ae16a3b2f90404full}) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
        digits += fmt::format("{:016x}", hash);
    }
    return digits;
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
    OutputFile file{path};
    file.write(text);
    file.commit();
}

ProcessEnd run_trial_program(const std::vector<std::string>& arguments, const ProcessLimits& limits) {
    std::vector<std::string> words{companion_program(ORRERY_KERNEL_TRIAL, "which tries kernels").string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_limited(words, limits);
}

void run_trial(const KernelFile& file, const std::vector<std::string>& arguments, const ProcessLimits& limits) {
    require_passed(file, run_trial_program(arguments, limits));
}

void require_passed(const KernelFile& file, const ProcessEnd& end) {
    if (end.code == 0) return;
    std::string what = end.output.substr(0, end.output.find('\n'));
    if (!end.reason.empty()) what = end.reason;
    if (what.starts_with(file.name + ":")) usage_error(what);
    if (what.find("signal 11") != what.npos || what.find("signal 7") != what.npos)
        what += ": it reads or writes outside of its arrays";
    usage_error(fmt::format("{}: the kernel {}", file.name, what.empty() ? "fails its trial" : what));
}

void trust_kernel(const KernelFile& file) {
    const std::string code = file.code();
    {
        const std::lock_guard lock{trusted_kernels().mutex};
        if (!trusted_kernels().codes.insert(code).second) return;
    }
    const std::filesystem::path path = trust_path(prepared_kernel_folder(), code);
    if (content_of(path) != code) write_whole(path, code);
}

void trust_all_kernels() {
    const std::lock_guard lock{trusted_kernels().mutex};
    trusted_kernels().all = true;
}

void require_trusted(const KernelFile& file) {
    const std::string code = file.code();
    const std::lock_guard lock{trusted_kernels().mutex};
    if (trusted_kernels().all || trusted_kernels().codes.contains(code) || is_example(code)) return;
    // The whole code is compared, because another text with the same digest could be found.
    if (content_of(trust_path(kernel_folder(), code)) == code) return;
    usage_error(fmt::format(
        "{}: this kernel comes with a file and has not been used on this machine; read it, then pass --allow-kernels",
        file.title));
}

}  // namespace orrery
