// SPDX-License-Identifier: MIT
// Kernels in CUDA as far as they can be tested without a device: binaries and messages of the compiler.
#include <gmock/gmock.h>

#include <string>

#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/examples.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "tests/core/kernels/kernel_texts.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using testing::HasSubstr;

class CudaKernel : public testing::Test {
protected:
    void SetUp() override {
        if (!why_no_nvrtc().empty()) GTEST_SKIP() << why_no_nvrtc();
    }
    static std::string refusal(const std::string& text) {
        return refusal_when([&] {
            const KernelFile file = parse_kernel(text, "my.cu");
            trust_kernel(file);
            cuda_cubin(file, "float", "90");
        });
    }
};

TEST_F(CudaKernel, EveryExampleIsCompiledForEveryCapabilityInBothPrecisions) {
    int compiled = 0;
    for (const ExampleKernel& each : example_kernels()) {
        const KernelFile file = parse_kernel(each.text, each.name);
        if (file.language != KernelLanguage::kCuda) continue;
        ++compiled;
        for (const char* const capability : {"75", "80", "90"})
            for (const char* const real : {"float", "double"})
                EXPECT_EQ(cuda_cubin(file, real, capability).substr(1, 3), "ELF")
                    << each.name << ' ' << capability << ' ' << real;
    }
    EXPECT_GE(compiled, 2);
}

TEST_F(CudaKernel, PairForceInCppIsValidCuda) {
    for (const char* const name : {"newton.cpp", "yukawa.cpp", "mond.cpp"}) {
        std::string text{example_kernel(name)};
        text.replace(text.find("c++"), 3, "cuda");
        EXPECT_EQ(refusal(text), "") << name;
    }
}

TEST_F(CudaKernel, ErrorNamesTheLineOfTheFile) {
    EXPECT_THAT(refusal(cuda_pair("return {othr, 0};")), HasSubstr("my.cu:5: identifier \"othr\" is undefined"));
    EXPECT_THAT(refusal(cuda_pair("return {other * 2.0.0, 0};")), HasSubstr("my.cu:5: "));
    EXPECT_THAT(refusal(cuda_pair("return {other * p.charm, 0};")), HasSubstr("my.cu:5: "));
    EXPECT_THAT(refusal("//! kind = pair\n//! language = cuda\nfloat pairs(float r2);\n"),
                HasSubstr("a kernel of kind pair defines: template <class Real> orrery::Pair<Real> pair("));
    EXPECT_THAT(refusal("//! kind = forces\n//! language = cuda\n#include <vector>\n"), HasSubstr("my.cu:3: "));
    EXPECT_THAT(refusal("//! kind = map\n//! language = cuda\n"),
                HasSubstr("my.cu:1: a map is written in c++ or glsl, not in cuda"));
}

/// The compiler runs in a separate process, which is ended.
TEST_F(CudaKernel, EndlessCompilationIsStopped) {
    if (!runs_long()) GTEST_SKIP() << "takes half a minute";
    EXPECT_THAT(refusal(cuda_pair("return {Real(Wide<1>::value), 0};",
                                  "template <unsigned long n, bool last = (n > (1ul << 28))> struct Wide { static "
                                  "constexpr unsigned long value = Wide<2 * n>::value + Wide<2 * n + 1>::value; };\n"
                                  "template <unsigned long n> struct Wide<n, true> { static constexpr unsigned long "
                                  "value = n; };\n")),
                HasSubstr("my.cu: the compiler "));
}

TEST_F(CudaKernel, ValuesOfParametersAreNotCompiled) {
    const KernelFile file = parse_kernel("//! kind = pair\n//! language = cuda\n//! parameter a = 1 [0, 2]\n", "a.cu");
    const KernelFile other = parse_kernel(with_parameter(file, "a", 2), "a.cu");
    EXPECT_EQ(cuda_source(file, "float"), cuda_source(other, "float"));
    EXPECT_NE(cuda_source(file, "float"), cuda_source(file, "double"));
}

TEST(CudaKernels, NeedADevice) {
    if (cuda_info().available) GTEST_SKIP() << "there is a device";
    EXPECT_THAT(refusal_when([] {
                    const KernelFile file = parse_kernel(example_kernel("newton.cu"), "newton.cu");
                    prepare_kernel(file);
                }),
                HasSubstr("kernels in CUDA need a device"));
}

TEST_F(CudaKernel, UntrustedCodeIsNotCompiled) {
    EXPECT_THAT(refusal_when([] {
                    cuda_cubin(parse_kernel(cuda_pair("return {other, Real(0.125)};"), "my.cu"), "float", "90");
                }),
                HasSubstr("has not been used on this machine"));
}

}  // namespace
}  // namespace orrery::test
