// SPDX-License-Identifier: MIT
// Kernels in C++: compiled, tried in a separate process, and run by engines.
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/choices.hpp"
#include "core/formats/formats.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/physics/law.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/core/kernels/kernel_texts.hpp"

namespace orrery::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CppKernel : public ::testing::Test {
protected:
    void SetUp() override {
        if (!why_no_kernel_compiler().empty()) GTEST_SKIP() << why_no_kernel_compiler();
    }
    /// Loads a kernel that the user gave. Returns the message with which it is refused; empty if it is not.
    static std::string refusal(const std::string& text) {
        try {
            const KernelFile file = parse_kernel(text, "my.cpp");
            trust_kernel(file);
            kernel_library(file);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage) << error.what();
            return error.what();
        }
    }
};

Scene small_scene(std::size_t bodies = 257) { return make_preset("plummer", {.bodies = bodies}); }

EngineConfig config_of(const std::string& text, Precision precision = Precision::kSingle) {
    const KernelFile file = parse_kernel(text, "my.cpp");
    trust_kernel(file);
    const EngineEntry& entry = engine_of(file);
    return {.engine = std::string{entry.id}, .backend = entry.backend, .precision = precision, .kernel = text};
}

double error_on(const EngineConfig& config, const Scene& scene) {
    const auto found = accelerations(config, scene.bodies, scene.gravity);
    const auto truth = reference_accelerations(Law::kPairs, scene.bodies.position_mass, scene.gravity);
    double off = 0, all = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Vec3d d = xyz(found[i]) - xyz(truth[i]);
        off += dot(d, d), all += dot(xyz(truth[i]), xyz(truth[i]));
    }
    return std::sqrt(off / all);
}

TEST_F(CppKernel, OfAPairComputesItsForce) {
    const std::string newton = cpp_pair("const Real y = 1 / std::sqrt(r2); return {other * y * y * y, other * y};");
    EXPECT_LT(error_on(config_of(newton), small_scene()), 1e-6);
    EXPECT_LT(error_on(config_of(newton, Precision::kDouble), small_scene()), 1e-14);
    const std::string half = cpp_pair("const Real y = 1 / std::sqrt(r2); return {other * y * y * y / 2, other * y};");
    EXPECT_NEAR(error_on(config_of(half), small_scene()), 0.5, 1e-6);
}

TEST_F(CppKernel, OfForcesComputesItsLoop) {
    EXPECT_LT(error_on(config_of(cpp_forces(naive_loop())), small_scene()), 2e-6);
}

TEST_F(CppKernel, ReadsItsParametersWithoutANewCompilation) {
    const std::string text =
        cpp_pair("return {p.factor * other, 0};", "//! parameter factor = 1 [0, 100] of the spring\n");
    const KernelFile file = parse_kernel(text), changed = parse_kernel(with_parameter(file, "factor", 3));
    EXPECT_EQ(kernel_source(file), kernel_source(changed));
    const Scene scene = small_scene(20);
    const auto once = accelerations(config_of(text), scene.bodies, scene.gravity),
               thrice = accelerations(config_of(changed.text), scene.bodies, scene.gravity);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(thrice[i].x, 3 * once[i].x, 1e-5 * std::abs(once[i].x));
}

TEST_F(CppKernel, NamesTheLineOfACompilerError) {
    EXPECT_THAT(refusal(cpp_pair("\n\nreturn {othr, 0};")), AllOf(StartsWith("my.cpp:7: "), HasSubstr("othr")));
    EXPECT_THAT(refusal("//! kind = pair\n//! language = c++\nint x;\n"),
                AllOf(StartsWith("my.cpp: "), HasSubstr("a kernel of kind pair defines: template <class Real>")));
}

TEST_F(CppKernel, FailingItsTrialIsRefusedWithTheReason) {
    EXPECT_THAT(refusal(cpp_forces(naive_loop("b.acceleration[b.count] = {};"))),
                HasSubstr("it reads or writes outside of its arrays"));
    EXPECT_THAT(refusal(cpp_forces(naive_loop("b.acceleration[-1].w = 3;"))), HasSubstr("writes before the begin"));
    EXPECT_THAT(refusal(cpp_forces(naive_loop("const_cast<orrery::Vec4<Real>*>(b.body)[0].x = 3;"))),
                HasSubstr("outside of its arrays"));
    EXPECT_THAT(refusal(cpp_forces("")), HasSubstr("does not write the acceleration of body 0 of 1"));
    EXPECT_THAT(refusal(cpp_pair("return {std::sqrt(-r2), 0};")), HasSubstr("not finite, of body 0 of 2"));
    EXPECT_THAT(refusal(cpp_forces("for (auto i = first; i < last; ++i) b.acceleration[i] = {Real(first), 0, 0, 0};")),
                HasSubstr("if the bodies are divided in two parts"));
    EXPECT_THAT(refusal(cpp_forces("std::abort();", "#include <cstdlib>\n")), HasSubstr("ended by signal 6"));
    EXPECT_THAT(refusal(cpp_map("return {1u << 31, 1u << 31};", "return {0, 0};")), HasSubstr("gives a grid of"));
}

TEST_F(CppKernel, IsRefusedUntilTheUserTrustsIt) {
    const TemporaryFolder folder;
    const KernelFile file = parse_kernel(cpp_pair("return {other, 0 * r2 + 12345};"), "my.cpp");
    ::setenv("ORRERY_KERNELS", folder.path().c_str(), 1);
    try {
        kernel_library(file);
        ADD_FAILURE() << "an unknown kernel was run";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("--allow-kernels"));
    }
    trust_kernel(file);
    EXPECT_NO_THROW(kernel_library(file));
    ::unsetenv("ORRERY_KERNELS");
}

TEST_F(CppKernel, IsIgnoredByEnginesThatDoNotReadIt) {
    const Scene scene = small_scene(200);
    EngineConfig config = config_of(cpp_pair("return {other, 0};"));
    for (const char* engine : {"half", "direct", "naive"}) {
        config.engine = engine;
        EXPECT_LT(error_on(config, scene), 2e-6) << engine;
    }
}

TEST_F(CppKernel, MapIsRefusedAsAForce) {
    const Scene scene = small_scene(20);
    EngineConfig config = config_of(cpp_map("return {rows, rows};", "return {std::uint32_t(y), std::uint32_t(x)};"));
    EXPECT_EQ(config.engine, "half");
    config.engine = "kernel";
    EXPECT_THROW(accelerations(config, scene.bodies, scene.gravity), Error);
}

/// A long text, because HDF5 limits attributes.
TEST_F(CppKernel, IsPartOfCheckpoints) {
    if (const std::string_view why = format("checkpoint").why_not; !why.empty()) GTEST_SKIP() << why;
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.orrery";
    const EngineConfig config =
        config_of(cpp_pair("const Real y = 1 / std::sqrt(r2); return {3 * other * y * y * y, 0};") + "// " +
                  std::string(40'000, 'x') + "\n");
    Simulation one{small_scene(100), config};
    for (int i = 0; i < 3; ++i) one.step();
    write_checkpoint(checkpoint_of(one, {}), path);
    const Checkpoint read = read_run(path);
    EXPECT_EQ(read.state.engine, config);
    Simulation other = resume(read);
    for (int i = 0; i < 3; ++i) one.step(), other.step();
    EXPECT_EQ(other.snapshot().bodies.bytes, one.snapshot().bodies.bytes);
}

TEST_F(CppKernel, MapAssignsTheTilesOfHalf) {
    const std::string box = cpp_map("return {rows, rows};", "return {std::uint32_t(y), std::uint32_t(x)};");
    EngineConfig config = config_of(box);
    config.tile_size = 32;
    const Scene scene = small_scene(1000);
    EXPECT_LT(error_on(config, scene), 1e-6);
    EngineConfig house = config;
    house.kernel.clear(), house.map = "bb";
    const auto own = accelerations(config, scene.bodies, scene.gravity),
               wanted = accelerations(house, scene.bodies, scene.gravity);
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(xyz(own[i]), xyz(wanted[i]));
}

TEST_F(CppKernel, WrongMapIsRefusedByHalfWithTheRows) {
    EngineConfig config =
        config_of(cpp_map("return {rows, rows};", "return {std::uint32_t(y / 2 * 2), std::uint32_t(x)};"));
    config.tile_size = 32;
    const Scene scene = small_scene(100);
    try {
        accelerations(config, scene.bodies, scene.gravity);
        ADD_FAILURE() << "a wrong map was used";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("wrong at 4 rows of tiles"), HasSubstr("first wrong tile (0, 0)")));
    }
}

TEST_F(CppKernel, MapIsCalledWrongAtItsFirstWrongNumberOfRows) {
    // Row 40 and all after it are taken from the row before.
    const KernelFile file =
        parse_kernel(cpp_map("return {rows, rows};", "return {std::uint32_t(y >= 40 ? y - 1 : y), std::uint32_t(x)};"));
    trust_kernel(file);
    const MapVerdict verdict = judge_map(kernel_map(file), 200);
    ASSERT_TRUE(verdict.first_wrong);
    EXPECT_EQ(verdict.first_wrong->rows, 41u);
    EXPECT_EQ(verdict.first_wrong->missing, 41u);
    EXPECT_EQ(verdict.first_wrong->twice, 40u);
    EXPECT_EQ(*verdict.first_wrong->first, (Tile{39, 0}));
}

}  // namespace
}  // namespace orrery::test
