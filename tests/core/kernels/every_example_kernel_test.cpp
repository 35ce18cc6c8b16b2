// SPDX-License-Identifier: MIT
// The shipped kernels: each does what its head claims.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/choices.hpp"
#include "core/gl/info.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/examples.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/physics/law.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

class EveryExampleKernel : public ::testing::TestWithParam<ExampleKernel> {
protected:
    KernelFile file = parse_kernel(GetParam().text, GetParam().name);

    void SetUp() override {
        if (file.language == KernelLanguage::kCpp && !why_no_kernel_compiler().empty())
            GTEST_SKIP() << why_no_kernel_compiler();
        if (file.language == KernelLanguage::kGlsl && !gl_compute_info().available)
            skip_or_fail(gl_compute_info().reason);
        if (file.language == KernelLanguage::kCuda) {
            if (!cuda_info().available) skip_or_fail(cuda_info().reason);
            if (!why_no_nvrtc().empty()) GTEST_SKIP() << why_no_nvrtc();
        }
    }
    EngineConfig config(Precision precision) const {
        const EngineEntry& entry = engine_of(file);
        return {.engine = std::string{entry.id}, .backend = entry.backend, .precision = precision, .kernel = file.text};
    }
};

double relative_rms(const std::vector<Vec4d>& found, const std::vector<Vec4d>& truth) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Vec3d d = xyz(found[i]) - xyz(truth[i]);
        off += dot(d, d), all += dot(xyz(truth[i]), xyz(truth[i]));
    }
    return std::sqrt(off / all);
}

/// Gravity is compared with the reference in double; another law with its own sum in double, which must differ from
/// gravity. Potentials of gravity are compared too.
TEST_P(EveryExampleKernel, ComputesItsForceOrMapsEveryTileOnce) {
    if (file.kind == KernelKind::kMap) {
        const MapVerdict verdict = judge_map(kernel_map(file), 3000);
        const bool wrong = GetParam().name.starts_with("lambda-wrong");
        ASSERT_EQ(verdict.first_wrong.has_value(), wrong) << describe(verdict);
        if (wrong) {
            EXPECT_GT(verdict.first_wrong->rows, 10u) << "it is right for few rows";
        }
        return;
    }
    for (const std::size_t bodies : {1, 33, 600}) {
        Scene scene = make_preset("plummer", {.bodies = bodies});
        for (Vec4d& body : scene.bodies.position_mass) body = convert<double>(convert<float>(body));
        const auto gravity = reference_accelerations(Law::kPairs, scene.bodies.position_mass, scene.gravity);
        const auto in_double =
                       accelerations(config(Precision::kDouble), scene.bodies, scene.gravity, Potential::kCompute),
                   in_single = accelerations(config(Precision::kSingle), scene.bodies, scene.gravity);
        if (bodies == 1) {
            EXPECT_EQ(xyz(in_double[0]), Vec3d{}) << "a body does not attract itself";
            continue;
        }
        EXPECT_LT(relative_rms(in_single, in_double), 1e-5);
        if (file.own_law) {
            EXPECT_GT(relative_rms(in_double, gravity), 0.01);
            continue;
        }
        EXPECT_LT(relative_rms(in_double, gravity), file.language == KernelLanguage::kGlsl ? 1e-7 : 1e-13);
        for (std::size_t i = 0; i < bodies; ++i)
            EXPECT_NEAR(in_double[i].w, gravity[i].w, 1e-6 * std::abs(gravity[i].w)) << "potential of body " << i;
    }
}

std::string example_name(const ::testing::TestParamInfo<ExampleKernel>& info) {
    std::string name{info.param.name};
    std::ranges::replace_if(
        name, [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, EveryExampleKernel, ::testing::ValuesIn(example_kernels()), example_name);

/// λ with each of its roots, and the Yukawa force at the limit of gravity.
TEST(ExampleKernels, AreExactForEveryValueOfTheirParameters) {
    if (!why_no_kernel_compiler().empty()) GTEST_SKIP() << why_no_kernel_compiler();
    const KernelFile lambda = parse_kernel(example_kernel("lambda.cpp"));
    for (const double root : {0.0, 1.0, 2.0}) {
        const MapVerdict verdict = judge_map(kernel_map(parse_kernel(with_parameter(lambda, "root", root))), 3000);
        EXPECT_FALSE(verdict.first_wrong) << root << ": " << describe(verdict);
    }
    const KernelFile yukawa = parse_kernel(example_kernel("yukawa.cpp"));
    const Scene scene = make_preset("plummer", {.bodies = 300});
    const EngineConfig config{.engine = "kernel",
                              .backend = Backend::kCpu,
                              .precision = Precision::kDouble,
                              .kernel = with_parameter(yukawa, "length", 100)};
    EXPECT_LT(relative_rms(accelerations(config, scene.bodies, scene.gravity),
                           reference_accelerations(Law::kPairs, scene.bodies.position_mass, scene.gravity)),
              0.01);
}

}  // namespace
}  // namespace orrery::test
