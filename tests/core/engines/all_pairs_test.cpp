// SPDX-License-Identifier: MIT
// Engines that sum all pairs in single precision are equally accurate on every preset, whatever the number of bodies.
#include <gtest/gtest.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

constexpr double kMostError = 5e-7;  // relative RMS
constexpr std::size_t kSamples = 256;

/// Without those kept for study, and the reference.
std::vector<EngineCase> all_pairs_engines() {
    std::vector<EngineCase> cases = every_engine();
    std::erase_if(cases, [](const EngineCase& c) {
        return c.entry->has_tree() || c.entry->id == "naive" || c.entry->id == "reference" ||
               c.precision == Precision::kDouble;
    });
    return cases;
}

class EveryAllPairsEngine : public NeedsEngine {
protected:
    /// Cached across engines, because creating a galaxy takes long. 0 bodies: the preset's number.
    static const Scene& made(const PresetEntry& preset, std::size_t bodies) {
        static std::map<std::pair<std::string_view, std::size_t>, Scene> scenes;
        const std::pair key{preset.id, bodies};
        if (const auto found = scenes.find(key); found != scenes.end()) return found->second;
        return scenes.emplace(key, make_preset(preset.id, {.bodies = bodies})).first->second;
    }
    /// `line`: place of the preset in the menu; engines on the host compute the larger number of a sixth of the
    /// presets.
    static std::vector<std::size_t> sizes(const PresetEntry& preset, std::size_t line) {
        if (preset.fixed_count) return {0};
        if (GetParam().on_software_gl()) return {2048};
        if (GetParam().entry->backend == Backend::kGl || (GetParam().on_host() && !has_turn(GetParam(), line, 6)))
            return {4096};
        if (GetParam().on_host()) return {4096, 16384};
        return {4096, 16384, 131072};
    }
    /// Without AVX-512, a pair on the CPU is less accurate than that, see core/engines/cpu/inverse_cube-inl.h.
    static double most_error() {
        return GetParam().on_host() && !simd_target().starts_with("AVX3") ? GetParam().tolerance() : kMostError;
    }
};

TEST_P(EveryAllPairsEngine, IsAccurateOnEveryPreset) {
    std::size_t line = 0;
    for (const PresetEntry& preset : presets()) {
        if (!preset.gravitates) continue;
        ++line;
        if (GetParam().on_software_gl() && !has_turn(GetParam(), line, 3)) continue;
        for (const std::size_t bodies : sizes(preset, line)) {
            const Scene& scene = made(preset, bodies);
            const auto system = make_body_system(GetParam().config(), scene.bodies);
            system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
            system->wait();
            EXPECT_LE(system->force_error(scene.gravity, kSamples).rms, most_error())
                << preset.id << ", " << system->count() << " bodies";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryAllPairsEngine, ::testing::ValuesIn(all_pairs_engines()), case_name);

}  // namespace
}  // namespace orrery::test
