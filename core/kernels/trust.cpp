// SPDX-License-Identifier: MIT
#include "core/kernels/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "core/base/error.hpp"
#include "core/kernels/examples.hpp"
#include "core/kernels/kernel_cache.hpp"

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
