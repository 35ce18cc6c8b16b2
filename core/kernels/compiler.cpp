// SPDX-License-Identifier: MIT
#include "core/kernels/compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/base/child_process.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/kernels/kernel_cache.hpp"

namespace orrery {
namespace {

constexpr ProcessLimits kCompilerLimits{.seconds = 60, .memory = std::uint64_t{4} << 30};
constexpr ProcessLimits kTrialLimits{.seconds = 4, .memory = std::uint64_t{2} << 30};

/// No errno and no traps, so that square roots are vectorised. Not -ffast-math, with which g++ before version 13 links
/// code that flushes denormal numbers to zero in the whole process.
constexpr std::array kFlags{"-std=c++17",
                            "-O3",
                            "-march=native",
                            "-fno-math-errno",
                            "-fno-trapping-math",
                            "-ffp-contract=fast",
                            "-fopenmp-simd",
                            "-fPIC",
                            "-shared",
                            "-fvisibility=hidden",
                            "-w",
                            "-fmax-errors=3",
                            "-ftemplate-depth=200"};

/// The name of the kernel's text in messages of the compiler.
constexpr std::string_view kTextName = "orrery_kernel_text";

/// Empty if there is none.
std::string compiler() {
    if (const std::string given = environment_variable("ORRERY_CXX"); !given.empty()) return program_in_path(given);
    for (const char* const each : {"c++", "g++", "clang++"})
        if (const std::filesystem::path found = program_in_path(each); !found.empty()) return found;
    return {};
}

/// The model and the instruction sets of the processor, because a library is compiled for it.
const std::string& processor() {
    static const std::string text = [] {
        std::ifstream file{"/proc/cpuinfo"};
        std::string found, line;
        while (std::getline(file, line) && !line.empty())
            if (line.starts_with("model name") || line.starts_with("flags")) found += line;
        return found;
    }();
    return text;
}

/// The name of a kernel in the cache, without extension.
std::string key_of(const std::string& source) {
    std::string all = compiler() + processor() + source;
    for (const char* const flag : kFlags) all += flag;
    return digest_of(all);
}

/// The functions that the program calls.
std::string_view expected_functions(KernelKind kind) {
    switch (kind) {
        case KernelKind::kPair:
            return "template <class Real> orrery::Pair<Real> pair(Real r2, Real own, Real other, const "
                   "Parameters<Real>& p)";
        case KernelKind::kForces:
            return "template <class Real> void forces(const orrery::Bodies<Real>& bodies, std::size_t first, "
                   "std::size_t last, const Parameters<Real>& p)";
        default:
            return "orrery::Grid grid(std::uint32_t rows, const Parameters<double>& p) and orrery::Tile "
                   "tile(std::uint64_t x, std::uint64_t y, std::uint32_t rows, const Parameters<double>& p)";
    }
}

/// The first error of the compiler's output, at its line of the kernel: "newton.cpp:12: 'x' was not declared". An error
/// in the functions that the program adds concerns the signature of the kernel's function.
std::string first_error(const KernelFile& file, std::string_view output) {
    constexpr std::string_view kError = "error: ";
    const std::size_t at = output.find(kError);
    if (at == output.npos) return fmt::format("{}: the compiler fails without a message", file.name);
    const std::size_t begin = output.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view line = output.substr(begin, output.find('\n', at) - begin);
    const std::string what{line.substr(line.find(kError) + kError.size())};
    if (line.starts_with(kTextName))
        return fmt::format("{}:{}: {}", file.name, std::atoi(line.data() + kTextName.size() + 1), what);
    return fmt::format("{}: {}; a kernel of kind {} defines: {}", file.name, what, name(file.kind),
                       expected_functions(file.kind));
}

void compile(const KernelFile& file, const std::string& source, const std::filesystem::path& library) {
    const std::string program = compiler();
    if (program.empty()) environment_error(fmt::format("{}: {}", file.name, why_no_kernel_compiler()));
    const TemporaryFolder folder;
    const std::filesystem::path text = folder.path() / "kernel.cpp", made = folder.path() / "kernel.so";
    write_whole(text, source);
    std::vector<std::string> words{program};
    words.insert(words.end(), kFlags.begin(), kFlags.end());
    for (const std::string& word :
         {"-I" + library.parent_path().string(), text.string(), std::string{"-o"}, made.string()})
        words.push_back(word);
    const ProcessEnd end = run_limited(words, kCompilerLimits);
    if (!end.reason.empty()) usage_error(fmt::format("{}: the compiler {}", file.name, end.reason));
    if (end.code != 0) usage_error(first_error(file, end.output));
    write_whole(library, content_of(made));
}

void try_library(const KernelFile& file, const std::filesystem::path& library) {
    std::vector<std::string> words{std::string{name(file.kind)}, library.string()};
    for (const double value : file.values()) words.push_back(fmt::format("{:.17g}", value));
    run_trial(file, words, kTrialLimits);
}

/// Loaded kernels, by key.
struct LoadedKernels {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const KernelLibrary>> libraries;
};
LoadedKernels& loaded_kernels() {
    static LoadedKernels* const all = new LoadedKernels;  // libraries stay loaded until the process ends
    return *all;
}

}  // namespace

std::string why_no_kernel_compiler() {
    if (!compiler().empty()) return {};
    const std::string given = environment_variable("ORRERY_CXX");
    return given.empty() ? "no C++ compiler: c++, g++ and clang++ are not installed"
                         : fmt::format("no C++ compiler: ORRERY_CXX names {}", given);
}

KernelLibrary::KernelLibrary(const std::filesystem::path& path)
    : handle_{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)} {
    if (!handle_) usage_error(fmt::format("{}: {}", path.string(), ::dlerror()));
    const auto take = [this](auto& function, const char* symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle_, symbol));
    };
    int (*abi)() = nullptr;
    take(abi, "orrery_kernel_abi");
    if (!abi || abi() != ORRERY_KERNEL_ABI) {
        ::dlclose(handle_);
        usage_error(fmt::format("{}: compiled for another kernel interface than {}", path.string(), ORRERY_KERNEL_ABI));
    }
    take(rows_float, "orrery_kernel_float"), take(rows_double, "orrery_kernel_double");
    take(grid, "orrery_kernel_grid"), take(tiles, "orrery_kernel_tiles");
}

KernelLibrary::~KernelLibrary() { ::dlclose(handle_); }

std::string kernel_source(const KernelFile& file) {
    std::string members, values;
    for (std::size_t i = 0; i < file.parameters.size(); ++i) {
        members += fmt::format(" Real {};", file.parameters[i].name);
        values += fmt::format("{}Real(v[{}])", i == 0 ? "" : ", ", i);
    }
    std::string text = fmt::format(
        "#include <orrery/kernel.h>\ntemplate <class Real> struct Parameters {{{} }};\nnamespace {{ template <class "
        "Real> "
        "Parameters<Real> orrery_parameters(const double* v) {{ (void)v; return {{{}}}; }} }}\n",
        members, values);
    text += fmt::format("#line 1 \"{}\"\n{}\n", kTextName, file.code());
    const std::string_view kind = file.kind == KernelKind::kMap    ? "MAP"
                                  : file.kind == KernelKind::kPair ? "PAIR"
                                                                   : "FORCES";
    return text + fmt::format("#define ORRERY_{}\n#line 1 \"wrap.inc\"\n{}", kind, kernel_texts::file("wrap.inc"));
}

std::shared_ptr<const KernelLibrary> kernel_library(const KernelFile& file) {
    if (file.language != KernelLanguage::kCpp)
        usage_error(fmt::format("{}: a kernel in {} does not run on cpu, only on {}", file.name, name(file.language),
                                name(backend_of(file.language))));
    const std::string source = kernel_source(file), key = key_of(source);
    LoadedKernels& all = loaded_kernels();
    const std::lock_guard lock{all.mutex};
    if (const auto found = all.libraries.find(key); found != all.libraries.end()) return found->second;
    const std::filesystem::path folder = prepared_kernel_folder(), library = folder / (key + ".so"),
                                tried = folder / (key + ".tried");
    require_trusted(file);
    if (!std::filesystem::exists(library)) compile(file, source, library);
    if (!std::filesystem::exists(tried)) try_library(file, library), write_whole(tried, "");
    return all.libraries.emplace(key, std::make_shared<const KernelLibrary>(library)).first->second;
}

}  // namespace orrery
