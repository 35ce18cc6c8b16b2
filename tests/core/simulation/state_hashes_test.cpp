// SPDX-License-Identifier: MIT
// The bits of a state after a few steps, for each engine, precision and integrator on the CPU, are those recorded in
// state_hashes.inc. A change of bits is thereby deliberate: record the new ones with ORRERY_STATE_HASHES=FILE, which
// appends this processor's lines to FILE.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "core/engines/cpu/simd.hpp"
#include "core/integrators/integrators.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

struct StateHash {
    std::string_view processor, what;
    std::uint64_t hash;
};
constexpr StateHash kRecorded[] = {
#include "tests/core/simulation/state_hashes.inc"
};

/// Vendor and instruction set: approximate reciprocal roots differ between vendors.
std::string processor() {
#if defined(__x86_64__)
    return fmt::format("{} {}",
                       __builtin_cpu_is("amd")     ? "amd"
                       : __builtin_cpu_is("intel") ? "intel"
                                                   : "other",
                       simd_target());
#else
    return std::string{simd_target()};
#endif
}

// The compiler decides which products and sums it contracts to FMA.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
constexpr bool kRecordedCompiler = true;
#else
constexpr bool kRecordedCompiler = false;
#endif

/// Bodies by integer arithmetic alone: no function of the C library, whose last bit may differ between versions.
Scene scene_of_integers(std::size_t bodies) {
    Scene scene{.id = "integers", .label = "integers"};
    std::uint64_t state = 1;
    const auto number = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 44) / (1 << 20) - 0.5;
    };
    for (std::size_t i = 0; i < bodies; ++i) {
        const Vec3d position{number(), number(), number()}, velocity{number(), number(), number()};
        scene.bodies.add(position, velocity, (1.5 + number()) / static_cast<double>(bodies));
    }
    scene.gravity.softening = 0.05;
    return scene;
}

std::uint64_t fnv1a(std::uint64_t hash, const void* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
    return hash;
}

std::uint64_t hash_after_steps(const EngineConfig& config, std::string_view integrator_id,
                               const Scene& scene = scene_of_integers(300)) {
    Simulation simulation{scene, config, integrator_id};
    for (int i = 0; i < 5; ++i) simulation.step();
    const Bodies bodies = present_scene(simulation).bodies;
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4d& p = bodies.position_mass[i];
        const Vec3d& v = bodies.velocity[i];
        const double numbers[] = {p.x, p.y, p.z, v.x, v.y, v.z};
        hash = fnv1a(hash, numbers, sizeof numbers);
    }
    return hash;
}

void expect_recorded(const std::string& what, std::uint64_t hash) {
    if (const char* path = std::getenv("ORRERY_STATE_HASHES")) {
        std::ofstream{path, std::ios::app} << fmt::format("{{\"{}\", \"{}\", {:#018x}}},\n", processor(), what, hash);
        return;
    }
    if (!kRecordedCompiler) GTEST_SKIP() << "hashes are recorded for g++ 12 on x86-64";
    for (const StateHash& recorded : kRecorded)
        if (recorded.processor == processor() && recorded.what == what) {
            EXPECT_EQ(fmt::format("{:#018x}", hash), fmt::format("{:#018x}", recorded.hash)) << what;
            return;
        }
    const bool any =
        std::ranges::any_of(kRecorded, [](const StateHash& recorded) { return recorded.processor == processor(); });
    if (!any) GTEST_SKIP() << "no hashes are recorded for " << processor();
    ADD_FAILURE() << "no hash is recorded for " << what;
}

class EveryEngineBits : public NeedsEngine {};

TEST_P(EveryEngineBits, MatchTheRecordedHashes) {
    const EngineCase& c = GetParam();
    expect_recorded(case_name({c, 0}), hash_after_steps(c.config(), "leapfrog"));
}

std::vector<EngineCase> host_engines() {
    std::vector<EngineCase> cases = every_engine();
    std::erase_if(cases, [](const EngineCase& c) {  // a kernel is compiled by the user's compiler
        return c.entry->backend != Backend::kCpu || c.entry->id == "auto" || c.entry->has(Capability::kKernel);
    });
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineBits, testing::ValuesIn(host_engines()), case_name);

/// Checkpoints of earlier versions resume to the same bits in double precision: engines add up many bodies, and bodies
/// beside a heavy one, in another order only in single precision, where it saves digits.
TEST(DoubleBits, OfManyBodiesBesideAHeavyOneMatchTheRecordedHashes) {
    Scene scene = scene_of_integers(2500);
    scene.bodies.position_mass[7].w = 3;
    for (const auto& [engine, integrator] :
         {std::pair{"direct", "leapfrog"}, {"direct", "hermite4"}, {"half", "leapfrog"}, {"half", "hermite4"}}) {
        EngineConfig config;
        config.engine = engine, config.backend = Backend::kCpu, config.precision = Precision::kDouble;
        expect_recorded(fmt::format("heavy_{}_{}_double", engine, integrator),
                        hash_after_steps(config, integrator, scene));
    }
}

class EveryIntegratorBits : public testing::TestWithParam<const IntegratorEntry*> {};

TEST_P(EveryIntegratorBits, MatchTheRecordedHashes) {
    for (const Precision precision : precisions()) {
        EngineConfig config;
        config.engine = "direct", config.backend = Backend::kCpu, config.precision = precision;
        if (!why_incompatible(*GetParam(), config).empty()) continue;
        expect_recorded(fmt::format("{}_{}", GetParam()->id, name(precision)),
                        hash_after_steps(config, GetParam()->id));
    }
}

std::vector<const IntegratorEntry*> every_integrator() {
    std::vector<const IntegratorEntry*> all;
    for (const IntegratorEntry& entry : integrators()) all.push_back(&entry);
    return all;
}
std::string integrator_name(const testing::TestParamInfo<const IntegratorEntry*>& integrator) {
    std::string name{integrator.param->id};
    std::ranges::replace(name, '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Menu, EveryIntegratorBits, testing::ValuesIn(every_integrator()), integrator_name);

}  // namespace
}  // namespace orrery::test
