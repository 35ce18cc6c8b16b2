// SPDX-License-Identifier: MIT
// Every kernel of the laboratory through every form, against a direct loop; and that a wrong map is told from a right
// one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/lab/forms3.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/pairs.hpp"
#include "core/maps/maps.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

struct KernelCase {
    std::string_view id;
    MakeLabKernel make;
    int dimensions;
    bool study, device;
    bool triples = false;
};
void PrintTo(const KernelCase& c, std::ostream* out) { *out << c.id; }

std::vector<KernelCase> every_kernel() {
    return {{"dummy_cpu", cpu_dummy, 0, true, false},
            {"edm_1_cpu", cpu_edm, 1, false, false},
            {"edm_2_cpu", cpu_edm, 2, false, false},
            {"edm_3_cpu", cpu_edm, 3, false, false},
            {"edm_4_cpu", cpu_edm, 4, false, false},
            {"collision_1_cpu", cpu_collision, 1, false, false},
            {"collision_3_cpu", cpu_collision, 3, false, false},
            {"triplet_cpu", cpu_triplet, 0, false, false, true},
            {"triplet_cuda", cuda_triplet, 0, false, true, true},
            {"dummy_cuda", cuda_dummy, 0, true, true},
            {"edm_1_cuda", cuda_edm, 1, false, true},
            {"edm_2_cuda", cuda_edm, 2, false, true},
            {"edm_3_cuda", cuda_edm, 3, false, true},
            {"edm_4_cuda", cuda_edm, 4, false, true},
            {"collision_1_cuda", cuda_collision, 1, false, true},
            {"collision_3_cuda", cuda_collision, 3, false, true}};
}

class EveryLabKernel : public ::testing::TestWithParam<KernelCase> {
protected:
    void SetUp() override {
        if (GetParam().device && !cuda_info().available) skip_or_fail(cuda_info().reason);
    }
};

TEST_P(EveryLabKernel, IsRightThroughEveryForm) {
    const auto& [id, make, dimensions, study, device, triples] = GetParam();
    const std::vector<std::uint32_t> of_pairs{1, 2, 31, 32, 33, 500, 512, 1000},
        of_triples{1, 2, 8, 9, 31, 64, 100, 120};
    for (const std::uint32_t rho : triples ? std::vector{kTripleRho} : std::vector{8u, 16u, 32u})
        for (const std::uint32_t bodies : triples ? of_triples : of_pairs) {
            const auto kernel = make({bodies, rho, dimensions});
            for (const LabForm& form : lab_forms()) {
                const bool dummy_only = form.for_study || form.dummy_only;
                if ((dummy_only && !study) || form.triples != triples) continue;
                for (const RootEntry& root : roots()) {
                    const LabCheck check = kernel->check({form.form, root.root});
                    EXPECT_TRUE(check.right)
                        << form.id << ' ' << root.id << ", N = " << bodies << ", rho = " << rho << ": " << check.why;
                    if (!form.takes_root) break;
                }
            }
        }
}

TEST_P(EveryLabKernel, TakesTimeAsOftenAsAsked) {
    const bool triples = GetParam().triples;
    const auto kernel = GetParam().make({256, triples ? kTripleRho : 16, GetParam().dimensions});
    const auto times = kernel->seconds({triples ? form3_id<Hadouken3> : form_id<Lut>}, 5);
    ASSERT_EQ(times.size(), 5u);
    for (const double seconds : times) EXPECT_GT(seconds, 0);
    EXPECT_EQ(kernel->clock_mhz() > 0, GetParam().device);
}

TEST_P(EveryLabKernel, StopsBetweenTwoRuns) {
    const bool triples = GetParam().triples;
    const auto kernel = GetParam().make({256, triples ? kTripleRho : 16, GetParam().dimensions});
    int asked = 0;
    const auto times = kernel->seconds({triples ? form3_id<Hadouken3> : form_id<Lut>}, 50, [&] { return ++asked > 3; });
    EXPECT_EQ(times.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryLabKernel, ::testing::ValuesIn(every_kernel()),
                         [](const auto& each) { return std::string{each.param.id}; });

// UTM with a root in float loses pairs from n = 5794 on: docs/maps.md.
TEST(LabKernel, FindsWhatAWrongMapLeavesOut) {
    for (const MakeLabKernel make : {cpu_dummy, cpu_edm}) {
        const auto kernel = make({5793, 16, 1});
        const LabCheck check = kernel->check({form_id<Rooted<UtmThreads>>, root_id<SqrtRoot>});
        EXPECT_FALSE(check.right);
        EXPECT_THAT(check.why, ::testing::HasSubstr("left out"));
        EXPECT_TRUE(kernel->check({form_id<Rooted<UtmThreads>>, root_id<Fp64Root>}).right);
    }
}

TEST(LabKernel, SaysWhatIsWrong) {
    EXPECT_TRUE(dummy_verdict(10, 10, 0, 6, 4).right);
    EXPECT_THAT(dummy_verdict(10, 9, 0, 6, 4).why, ::testing::HasSubstr("1 of 10"));
    EXPECT_THAT(dummy_verdict(10, 10, 2, 6, 4).why, ::testing::HasSubstr("twice"));
    EXPECT_FALSE(dummy_verdict(10, 10, 0, 7, 4).right) << "the largest i + j is 6";
    EXPECT_FALSE(edm_verdict(1, 0).right);
    EXPECT_FALSE(edm_verdict(0, 1).right);
    EXPECT_FALSE(collision_verdict(1, 5, 5).right);
    EXPECT_FALSE(collision_verdict(0, 4, 5).right);
}

TEST(LabKernel, CollidesAsOftenAsProbabilitySays) {
    const auto bodies = lab_bodies(2000);
    std::size_t along = 0, inside = 0, pairs = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j, ++pairs) {
            const Vec4f a = bodies[i], b = bodies[j];
            along += std::abs(a.x - b.x) < a.w + b.w;
            inside += std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) < a.w + b.w;
        }
    // Mean reach 2·(r₁ + r₂) = 0.1, less what lies outside; mean volume 4π/3·(r₁ + r₂)³ = 7.9e-4.
    EXPECT_NEAR(static_cast<double>(along) / static_cast<double>(pairs), 0.098, 0.005);
    EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(pairs), 7.5e-4, 1e-4);
}

}  // namespace
}  // namespace orrery::test
