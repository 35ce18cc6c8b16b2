// SPDX-License-Identifier: MIT
// 260 kernels that must not run: each is refused in one line, and none ends or stops this process.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/info.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "tests/core/kernels/kernel_texts.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

struct HostileKernel {
    std::string fault;
    std::string text;
    std::string expected;  ///< part of the message
};

std::string glsl(std::string_view kind, std::string_view code, std::string_view head = "") {
    return "//! kind = " + std::string{kind} + "\n//! language = glsl\n" + std::string{head} + std::string{code};
}

std::string head_of_cuda(std::string_view kind, std::string_view code) {
    return "//! kind = " + std::string{kind} + "\n//! language = cuda\n" + std::string{code};
}

/// Heads: 50, which no compiler sees.
void add_heads(std::vector<HostileKernel>& all) {
    for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i), head = "//! kind = map\n//! language = c++\n";
        all.push_back({"unknown kind", "//! kind = k" + n + "\n", "my.kernel:1: kind"});
        all.push_back({"unknown key", head + "//! k" + n + " = 1\n", "my.kernel:3: unknown key"});
        all.push_back(
            {"wrong size", head + "//! threads = " + std::to_string(1025 + i) + "\n", "my.kernel:3: threads"});
        all.push_back({"wrong range", head + "//! parameter x = " + n + " [20, 30]\n", "not in the range"});
        all.push_back({"too long", head + std::string(kMostKernelBytes + static_cast<std::size_t>(i), ' '), "at most"});
    }
}

/// C++: 90.
void add_cpp(std::vector<HostileKernel>& all) {
    for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i), only = "if (first == 0) ";
        all.push_back({"syntax", cpp_pair("return {other" + std::string(static_cast<std::size_t>(i), ')') + ", ;"),
                       "my.kernel:"});
        all.push_back({"signature", "//! kind = pair\n//! language = c++\nfloat pair(int a" + n + ") { return 0; }\n",
                       "my.kernel: "});
        all.push_back(
            {"endless loop", cpp_forces(only + "for (volatile int k = " + n + ";;) k = k;"), "does not end within"});
        all.push_back({"read outside",
                       cpp_forces(naive_loop("b.acceleration[first].w = b.body[b.count + " + n + "].x;")),
                       "outside of its arrays"});
        all.push_back({"write outside", cpp_forces(naive_loop("b.acceleration[b.count + " + n + "] = {};")),
                       "outside of its arrays"});
        all.push_back({"not a number", cpp_pair("return {other * std::sqrt(Real(-1 - " + n + ")), 0};"), "not finite"});
        all.push_back({"crash", cpp_forces("__builtin_trap(); b.acceleration[" + n + "] = {};"), "ended by signal"});
        all.push_back({"huge grid",
                       cpp_map("return {1ull << " + std::to_string(30 + i) + ", 1ull << 40};", "return {0, 0};"),
                       "gives a grid"});
        all.push_back({"memory",
                       cpp_forces("volatile std::size_t size = 1; size <<= " + std::to_string(40 + i / 3) +
                                      "; char* const at = new char[size]; at[size / 2] = 1;",
                                  "#include <new>\n"),
                       "the kernel "});
    }
}

/// GLSL: 60.
void add_glsl(std::vector<HostileKernel>& all) {
    for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i);
        all.push_back({"syntax", glsl("pair", "Vec2 pair(Real r2, Real own, Real other) {\nreturn othr" + n + ";\n}\n"),
                       "my.kernel:4: "});
        all.push_back({"signature", glsl("pair", "float pair(int a" + n + ") { return 0.0; }\n"), "my.kernel"});
        // Software OpenGL ends loops after 65 535 turns: then the kernel does not write all accelerations.
        all.push_back({"endless loop",
                       glsl("forces", "void forces(uint first) {\nuint k = " + n +
                                          "u;\nwhile (bodies[0].w >= Real(0)) k = k * 3u + count;\n"
                                          "acceleration[0] = Vec4(k);\n}\n"),
                       "does not "});
        all.push_back({"not a number",
                       glsl("forces",
                            "void forces(uint first) {\nuint i = first + gl_LocalInvocationID.x;\n"
                            "if (i < count) acceleration[i] = Vec4(sqrt(-Real(1 + " +
                                n + ") * bodies[i].w));\n}\n"),
                       "not finite"});
        all.push_back({"huge shared memory",
                       glsl("forces", "shared Vec4 much[" + std::to_string(1 << (17 + i)) +
                                          "];\nvoid forces(uint first) { much[first] = bodies[0]; barrier(); "
                                          "acceleration[first] = much[count]; }\n"),
                       "my.kernel"});
        all.push_back({"write outside",
                       glsl("forces",
                            "void forces(uint first) {\nuint i = first + gl_LocalInvocationID.x;\n"
                            "acceleration[i] = bodies[min(i, count - 1u)] * Real(1 + " +
                                n + ");\n}\n"),
                       "writes acceleration"});
    }
}

/// CUDA: 60, of which 30 need a device.
void add_cuda(std::vector<HostileKernel>& all) {
    for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i), each = "const unsigned i = first + threadIdx.x; if (i < b.count) ";
        all.push_back({"syntax", cuda_pair("return {othr" + n + ", 0};"), "my.kernel:5: "});
        all.push_back({"signature", head_of_cuda("pair", "float pair(int a" + n + ") { return 0; }\n"), "my.kernel"});
        all.push_back({"huge shared memory",
                       cuda_forces("__shared__ Real much[" + std::to_string(1 << (17 + i)) +
                                   "]; much[threadIdx.x] = b.count; __syncthreads(); b.acceleration[first].x = "
                                   "much[b.count % 7];"),
                       "my.kernel"});
        all.push_back({"endless loop, on the device",
                       cuda_forces("volatile unsigned k = " + n + "; while (b.count > 0) k = k * 3 + 1;"),
                       "does not end within"});
        all.push_back(
            {"write outside, on the device",
             cuda_forces(each + "b.acceleration[i] = {1, 2, 3, 4}; b.acceleration[b.count + " + n + "].x = 5;"),
             "writes outside of the accelerations"});
        all.push_back({"not a number, on the device",
                       cuda_pair("return {other * sqrt(Real(-1 - " + n + ")), Real(0)};"), "not finite"});
    }
}

std::string refusal_of(const std::string& text) {
    return refusal_when([&] {
        const KernelFile file = parse_kernel(text, "my.kernel");
        trust_kernel(file);
        if (file.language == KernelLanguage::kCuda && !cuda_info().available)
            cuda_cubin(file, "float", "90");
        else
            prepare_kernel(file);
    });
}

bool can_be_tried(const HostileKernel& kernel) {
    const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != text.npos; };
    if (has(kernel.fault, "on the device")) return cuda_info().available && why_no_nvrtc().empty();
    if (has(kernel.text, "language = cuda")) return why_no_nvrtc().empty();
    return has(kernel.text, "language = glsl") ? gl_compute_info().available : why_no_kernel_compiler().empty();
}

TEST(HostileKernels, AreRefusedInOneLineWithoutEndingTheProgram) {
    std::vector<HostileKernel> all;
    add_heads(all);
    const std::size_t heads = all.size();
    add_cpp(all), add_glsl(all), add_cuda(all);
    ASSERT_EQ(all.size(), 260u);
    std::set<std::string> seen;  // language and fault
    for (std::size_t i = 0; i < all.size(); ++i) {
        const HostileKernel& each = all[i];
        const std::string language =
            each.text.substr(each.text.find("language =") == std::string::npos ? 0 : each.text.find("language ="), 16);
        const bool first = seen.insert(language + each.fault).second;
        if (i >= heads && !first && !runs_long()) continue;  // every day the first of each fault
        if (i >= heads && !can_be_tried(each)) continue;
        const std::string why = refusal_of(each.text);
        EXPECT_THAT(why, ::testing::HasSubstr(each.expected)) << each.fault << ":\n" << each.text.substr(0, 400);
        EXPECT_THAT(why, ::testing::Not(::testing::HasSubstr("\n"))) << each.fault;
    }
}

}  // namespace
}  // namespace orrery::test
