// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <mutex>
#include <set>
#include <string>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/gl/device.hpp"
#include "core/kernels/glsl.hpp"
#include "core/kernels/kernel_cache.hpp"

namespace orrery {
namespace {

/// Drivers take seconds to start, and reserve address space for the whole memory of a GPU.
constexpr ProcessLimits kGlslLimits{.seconds = 10, .memory = std::uint64_t{1} << 40};

}  // namespace

void require_glsl_runs(const KernelFile& file) {
    static std::mutex mutex;
    static std::set<std::string> passed;  // texts
    if (file.language != KernelLanguage::kGlsl)
        usage_error(fmt::format("{}: a kernel in {} does not run on gl, only on {}", file.name, name(file.language),
                                name(backend_of(file.language))));
    require_trusted(file);
    const GlDeviceInfo& device = gl::Device::info().devices.front();
    const std::string key = digest_of(device.renderer + device.version + file.text);
    const std::lock_guard lock{mutex};
    if (passed.contains(file.text)) return;
    const std::filesystem::path tried = prepared_kernel_folder() / (key + ".tried");
    if (!std::filesystem::exists(tried)) {
        const TemporaryFolder folder;
        write_whole(folder.path() / "kernel.glsl", file.text);
        run_trial(file, {"glsl", (folder.path() / "kernel.glsl").string(), file.name}, kGlslLimits);
        write_whole(tried, "");
    }
    passed.insert(file.text);
}

EvaluatedMap glsl_map(const KernelFile& file) {
    if (file.kind != KernelKind::kMap)
        usage_error(fmt::format("{}: a kernel of kind {} is not a thread map", file.name, name(file.kind)));
    require_glsl_runs(file);
    return glsl_map_on_device(file);
}

}  // namespace orrery
