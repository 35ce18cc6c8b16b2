// SPDX-License-Identifier: MIT
#include "core/simulation/kernel_verdict.hpp"

#include <gmock/gmock.h>

#include "core/kernels/compiler.hpp"
#include "core/kernels/examples.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/kernels/kernel_texts.hpp"

namespace orrery::test {
namespace {

class KernelVerdict : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = why_no_kernel_compiler(); !why.empty()) GTEST_SKIP() << why;
        trust_all_kernels();
    }
    const Scene scene_ = make_preset("plummer", {1000, 7});
};

/// Newton's force times `factor`.
KernelFile force(const std::string& factor) {
    return parse_kernel(
        cpp_pair("const Real y = 1 / std::sqrt(r2);\nreturn {Real(" + factor + ") * other * y * y * y, other * y};"));
}

TEST_F(KernelVerdict, MeasuresTheErrorOfTheForce) {
    const ForceVerdict right = compare_force(force("1"), scene_), wrong = compare_force(force("1.01"), scene_);
    EXPECT_TRUE(right.pass()) << right.rms_error;
    EXPECT_EQ(right.compared, 1000u);
    EXPECT_FALSE(wrong.pass());
    EXPECT_NEAR(wrong.rms_error, 0.01, 1e-5);
    EXPECT_NEAR(wrong.worst_error, 0.01, 1e-4);
    EXPECT_FALSE(wrong.times) << "not measured";
}

TEST_F(KernelVerdict, LargeScenesAreThinnedOut) {
    // A force that is wrong only on the body of its own mass.
    Scene scene = scene_;
    scene.bodies.position_mass[600].w *= 3;
    const KernelFile kernel =
        parse_kernel(cpp_pair("const Real y = 1 / std::sqrt(r2);\nreturn {(own > Real(2e-3) ? Real(2) : Real(1)) * "
                              "other * y * y * y, other * "
                              "y};"));
    const ForceVerdict few = compare_force(kernel, scene, {.compared = 400});
    EXPECT_EQ(few.bodies, 1000u);
    EXPECT_EQ(few.compared, 334u) << "every third";
    EXPECT_EQ(few.worst, 600u) << "by its index in the scene";
    EXPECT_NEAR(few.worst_error, 1, 1e-4);
}

TEST_F(KernelVerdict, OwnLawIsComparedWithItsOwnSum) {
    const ForceVerdict verdict = compare_force(parse_kernel(example_kernel("yukawa.cpp")), scene_);
    EXPECT_TRUE(verdict.own_law);
    EXPECT_TRUE(verdict.pass()) << verdict.rms_error;
}

TEST_F(KernelVerdict, ForcesAndMapsAreTimed) {
    for (const char* name : {"newton.cpp", "rectangular-box.cpp"}) {
        const RivalTimes times = time_kernel(parse_kernel(example_kernel(name)), scene_, {.timed = 500});
        EXPECT_EQ(times.bodies, 500u);
        EXPECT_GT(times.seconds, 0);
        EXPECT_GT(times.rival_seconds, 0);
        EXPECT_DOUBLE_EQ(times.ratio(), times.rival_seconds / times.seconds);
    }
}

}  // namespace
}  // namespace orrery::test
