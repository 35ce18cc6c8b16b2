// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/engines/menu.hpp"
#include "core/gl/info.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {

/// An entry of the engine menu in one precision: the parameter of tests over the menu.
struct EngineCase {
    const EngineEntry* entry;
    Precision precision;
    bool deterministic = false;

    EngineConfig config() const {
        EngineConfig config;
        config.engine = entry->id, config.backend = entry->backend, config.precision = precision;
        config.deterministic = deterministic;
        return config;
    }
    double tolerance() const { return entry->tolerance(config()); }
    /// Computed by the CPU: by its engines, or by OpenGL without a GPU.
    bool on_host() const {
        return entry->backend == Backend::kCpu || (entry->backend == Backend::kGl && !has_gl_hardware());
    }
    /// True in the everyday run for OpenGL without a GPU, which is slow and has the arithmetic of a GPU: tests use
    /// fewer bodies and cases.
    bool on_software_gl() const { return entry->backend == Backend::kGl && on_host() && !runs_long(); }
    /// everyday() for work on the host; `all` on a device.
    template <class T>
    T few_on_host(T few, T all) const {
        return on_host() ? everyday(few, all) : all;
    }
    /// True for CPU engines that serve as references and are slow: tests use fewer bodies where any number will do.
    bool slow_on_purpose() const {
        return entry->backend == Backend::kCpu &&
               (entry->id == "reference" || entry->id == "naive" || entry->id == "tree-locks");
    }
};

/// All engines for gravity, or for another law.
inline std::vector<EngineCase> every_engine(Law law = Law::kPairs) {
    std::vector<EngineCase> cases;
    for (const EngineEntry& entry : engines())
        for (const Precision precision : precisions()) {
            if (entry.law != law || !offers(entry, precision)) continue;
            cases.push_back({&entry, precision});
            if (entry.has_deterministic_mode()) cases.push_back({&entry, precision, true});
        }
    return cases;
}

/// True if an entry of another menu is combined with this engine. Every day, each engine and precision on the host is
/// combined with one of `of` entries, in turn; on a device and in long tests, with all.
inline bool has_turn(const EngineCase& c, std::size_t line, std::size_t of) {
    if (!c.on_host() || runs_long()) return true;
    std::size_t place = 0;
    for (const EngineCase& other : every_engine(c.entry->law)) {
        if (other.entry == c.entry && other.precision == c.precision && other.deterministic == c.deterministic) break;
        ++place;
    }
    return (place + line) % of == 0;
}

inline std::string case_name(const ::testing::TestParamInfo<EngineCase>& info) {
    std::string name =
        fmt::format("{}_{}_{}{}", info.param.entry->id, orrery::name(info.param.entry->backend),
                    orrery::name(info.param.precision), info.param.deterministic ? "_deterministic" : "");
    std::ranges::replace(name, '-', '_');  // not allowed in test names
    return name;
}
inline void PrintTo(const EngineCase& c, std::ostream* out) { *out << c.entry->id << ' ' << name(c.entry->backend); }

/// True if the running test is left out: every day on software OpenGL, a test over the menu takes one of the precisions
/// of an engine, which its name selects. The shaders differ in their types only.
inline bool another_precision_has_its_turn(const EngineCase& c) {
    if (!c.on_software_gl()) return false;
    const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
    const std::string_view own = all.current_test_info()->name(), test = own.substr(0, own.find('/'));
    const std::string engine = case_name({c, 0}).substr(0, c.entry->id.size());
    std::size_t turn = 0, own_place = 0;
    for (const char letter : test) turn += static_cast<unsigned char>(letter);
    std::size_t precisions = 0;
    for (int i = 0; i < all.current_test_suite()->total_test_count(); ++i) {
        const std::string_view other = all.current_test_suite()->GetTestInfo(i)->name();
        if (!other.starts_with(fmt::format("{}/{}_gl_", test, engine))) continue;
        if (other == own) own_place = precisions;
        ++precisions;
    }
    return precisions > 0 && turn % precisions != own_place;
}

class NeedsEngine : public ::testing::TestWithParam<EngineCase> {
protected:
    void SetUp() override {
        const std::string why = unavailable(*GetParam().entry);
        if (!why.empty()) return skip_or_fail(why);
        if (another_precision_has_its_turn(GetParam())) GTEST_SKIP() << "another precision has its turn";
    }
};

/// A ball of bodies with unequal masses, and velocities; the same for a count and seed.
inline Bodies ball(std::size_t count, unsigned seed = 7) {
    std::mt19937_64 random{seed};
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> mass{0.5, 1.5};
    Bodies bodies;
    for (std::size_t i = 0; i < count; ++i)
        bodies.add({normal(random), normal(random), normal(random)},
                   {0.3 * normal(random), 0.3 * normal(random), 0.3 * normal(random)},
                   mass(random) / static_cast<double>(count));
    return bodies;
}

/// The bodies as a float engine stores them, so that its error excludes the rounding of its input.
inline Bodies rounded(Bodies bodies, Precision precision) {
    if (precision == Precision::kSingle)
        for (Vec4d& body : bodies.position_mass) body = convert<double>(convert<float>(body));
    return bodies;
}

}  // namespace orrery::test
