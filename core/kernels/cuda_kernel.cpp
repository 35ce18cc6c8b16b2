// SPDX-License-Identifier: MIT
#include "core/kernels/cuda_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/cuda/info.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/kernel_cache.hpp"

namespace orrery {
namespace {

constexpr ProcessLimits kNvrtcLimits{.seconds = 30, .memory = std::uint64_t{8} << 30};
/// Contexts reserve address space for the memory of all devices.
constexpr ProcessLimits kCudaTrialLimits{.seconds = kNvrtcLimits.seconds + kCudaTrialSeconds,
                                         .memory = std::uint64_t{1} << 46};

constexpr std::string_view kCudaTextName = "orrery_kernel_text";

/// Fast roots and divisions as in the engines; functions keep their accuracy.
std::vector<std::string> options_for(const KernelFile& file, const std::string& real, const std::string& capability) {
    const bool pair = file.kind == KernelKind::kPair;
    return {"--gpu-architecture=sm_" + capability,
            "--std=c++17",
            "--device-as-default-execution-space",
            "--ftz=true",
            "--prec-sqrt=false",
            "--prec-div=false",
            "--disable-warnings",
            "-DORRERY_REAL=" + real,
            fmt::format("-DORRERY_THREADS={}", pair ? static_cast<int>(kCudaPairThreads) : file.threads),
            fmt::format("-DORRERY_ROWS={}", file.rows),
            fmt::format("-DORRERY_PULL_ROWS={}", cuda_pull_rows(real == "float"))};
}

/// The first error in NVRTC's log at its line of the kernel: "orrery_kernel_text(12): error: …".
std::string first_cuda_error(const KernelFile& file, std::string_view log) {
    const std::size_t at = log.find("error");
    if (at == log.npos) return fmt::format("{}: NVRTC fails without a message", file.name);
    const std::size_t begin = log.rfind('\n', at) + 1, colon = std::min(log.find(": ", at), log.size() - 1);
    const std::string_view line = log.substr(begin, log.find('\n', at) - begin);
    std::string what{log.substr(colon + 2, log.find('\n', at) - std::min(colon + 2, log.find('\n', at)))};
    if (line.starts_with(kCudaTextName))
        return fmt::format("{}:{}: {}", file.name, std::atoi(line.data() + kCudaTextName.size() + 1), what);
    return fmt::format("{}: {}; a kernel of kind {} defines: {}", file.name, what, name(file.kind),
                       file.kind == KernelKind::kPair
                           ? "template <class Real> orrery::Pair<Real> pair(Real r2, Real own, Real other, const "
                             "Parameters<Real>& p)"
                           : "template <class Real> void forces(const orrery::Bodies<Real>& b, unsigned first, const "
                             "Parameters<Real>& p)");
}

void require_compiles(const KernelFile& file) {
    if (file.language != KernelLanguage::kCuda)
        usage_error(fmt::format("{}: a kernel in {} does not run on cuda, only on {}", file.name, name(file.language),
                                name(backend_of(file.language))));
    require_trusted(file);
    if (const std::string why = why_no_nvrtc(); !why.empty()) environment_error(fmt::format("{}: {}", file.name, why));
}

std::string capability_of_device() {
    const CudaInfo& cuda = cuda_info();
    if (!cuda.available) environment_error(fmt::format("kernels in CUDA need a device: {}", cuda.reason));
    return fmt::format("{}{}", cuda.devices.front().major, cuda.devices.front().minor);
}

}  // namespace

std::string cuda_source(const KernelFile& file, const std::string& real) {
    std::string members, values;
    for (std::size_t i = 0; i < file.parameters.size(); ++i) {
        members += fmt::format(" Real {};", file.parameters[i].name);
        values += fmt::format("{}{}(v[{}])", i == 0 ? "" : ", ", real, i);
    }
    return fmt::format(
        "#include <orrery/kernel.h>\ntemplate <class Real> struct Parameters {{{} }};\nstatic Parameters<{}> "
        "orrery_parameters(const double* v) {{ return {{{}}}; }}\n#line 1 \"{}\"\n{}\n#define ORRERY_{}\n"
        "#line 1 \"wrap_cuda.inc\"\n{}",
        members, real, values, kCudaTextName, file.code(), file.kind == KernelKind::kPair ? "PAIR" : "FORCES",
        kernel_texts::file("wrap_cuda.inc"));
}

std::string cuda_cubin(const KernelFile& file, const std::string& real, const std::string& capability) {
    require_compiles(file);
    const std::string source = cuda_source(file, real), header{kernel_texts::file("kernel_cuda.h")};
    const std::vector<std::string> options = options_for(file, real, capability);
    std::string all = nvrtc_version() + header + source;
    for (const std::string& option : options) all += option;
    const std::filesystem::path kept = prepared_kernel_folder() / (digest_of(all) + ".cubin");
    if (std::string cubin = content_of(kept); !cubin.empty()) return cubin;

    const TemporaryFolder folder;
    const std::filesystem::path made = folder.path() / "kernel.cubin";
    write_whole(folder.path() / "kernel.cu", source), write_whole(folder.path() / "kernel.h", header);
    std::vector<std::string> words{"nvrtc", (folder.path() / "kernel.cu").string(),
                                   (folder.path() / "kernel.h").string(), made.string()};
    words.insert(words.end(), options.begin(), options.end());
    const ProcessEnd end = run_trial_program(words, kNvrtcLimits);
    if (!end.reason.empty()) usage_error(fmt::format("{}: the compiler {}", file.name, end.reason));
    if (end.code != 0) usage_error(first_cuda_error(file, end.output));
    std::string cubin = content_of(made);
    write_whole(kept, cubin);
    return cubin;
}

std::string tried_cubin(const KernelFile& file, const std::string& real) {
    static std::mutex mutex;
    static std::map<std::string, std::string> passed;  // by source
    const std::string source = cuda_source(file, real) + fmt::format("{} {}", file.threads, file.rows);
    const std::lock_guard lock{mutex};
    if (const auto found = passed.find(source); found != passed.end()) return found->second;
    const std::string capability = capability_of_device();
    require_compiles(file);
    const std::filesystem::path tried =
        prepared_kernel_folder() / (digest_of(cuda_info().devices.front().name + source) + ".tried");
    std::string cubin;
    if (std::filesystem::exists(tried)) {
        cubin = cuda_cubin(file, real, capability);
    } else {
        const TemporaryFolder folder;
        const std::filesystem::path binary = folder.path() / "kernel.cubin";
        std::vector<std::string> words{"cuda",
                                       binary.string(),
                                       std::string{name(file.kind)},
                                       real,
                                       fmt::to_string(file.threads),
                                       fmt::to_string(file.rows)};
        for (const double value : file.values()) words.push_back(fmt::format("{:.17g}", value));
        // The trial makes its context, and then waits for the binary, while the compiler runs.
        std::future<ProcessEnd> trial =
            std::async(std::launch::async, [&words] { return run_trial_program(words, kCudaTrialLimits); });
        try {
            cubin = cuda_cubin(file, real, capability);
        } catch (...) {
            write_whole(binary, "");  // ends the trial
            throw;
        }
        write_whole(binary, cubin);
        require_passed(file, trial.get());
        write_whole(tried, "");
    }
    return passed.emplace(source, cubin).first->second;
}

}  // namespace orrery
