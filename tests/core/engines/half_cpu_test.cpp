// SPDX-License-Identifier: MIT
// The CPU's half matrix beyond the tests of every engine: any map, any tile, Newton's third law, any number of threads.
#include "core/engines/entries.hpp"

#include <cmath>
#include <memory>

#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/engine.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/gravity.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

const Gravity kHalfCpuGravity{.constant = 1.5, .softening = 0.01};

template <class Real>
class HalfOnCpu : public ::testing::Test {
protected:
    static constexpr Precision kPrecision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble;
    static constexpr double kTolerance = sizeof(Real) == 4 ? 2e-6 : 1e-13;

    static std::vector<Vec4d> run(const EngineEntry& entry, EngineConfig config, const Bodies& bodies,
                                  const Gravity& gravity, Potential potential, std::uint64_t cut) {
        config.precision = kPrecision;
        const auto engine = std::get<std::unique_ptr<Engine<Host, Real>>>(entry.make(config));
        std::vector<Vec4<Real>> in, out(bodies.size(), Vec4<Real>{9, 9, 9, 9});
        for (const Vec4d& body : bodies.position_mass) in.push_back(convert<Real>(body));
        const std::uint64_t items = engine->begin({in.data(), out.data(), in.size()}, gravity, potential, {});
        for (std::uint64_t first = 0; first < items; first += cut) engine->run(first, std::min(items, first + cut), {});
        std::vector<Vec4d> found;
        for (const Vec4<Real>& a : out) found.push_back(convert<double>(a));
        return found;
    }
    static std::vector<Vec4d> half(const EngineConfig& config, const Bodies& bodies,
                                   const Gravity& gravity = kHalfCpuGravity, Potential potential = Potential::kSkip,
                                   std::uint64_t cut = 1 << 30) {
        return run(half_engine(), config, bodies, gravity, potential, cut);
    }
    static std::vector<Vec4d> reference(const Bodies& bodies, const Gravity& gravity = kHalfCpuGravity) {
        return run(reference_engine(), {}, bodies, gravity, Potential::kCompute, 1 << 30);
    }
    /// Bodies exactly representable in this precision.
    static Bodies some(std::size_t count) { return rounded(ball(count), kPrecision); }
};

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(HalfOnCpu, Reals);

TYPED_TEST(HalfOnCpu, AgreesForEveryMapAndTileSize) {
    for (const std::size_t count : {1, 15, 16, 17, 100, 513, 1100}) {
        const Bodies bodies = this->some(count);
        const auto wanted = this->reference(bodies);
        for (const MapEntry& map : maps())
            for (const RootEntry& root : roots())
                for (const int rows : {0, 16, 48, 112, 2048}) {
                    if (!map.takes_root && &root != &roots().front()) continue;
                    const EngineConfig config{
                        .map = std::string{map.id}, .root = std::string{root.id}, .tile_size = rows};
                    EXPECT_LE(compare(this->half(config, bodies), wanted).rms, this->kTolerance)
                        << count << " bodies, map " << map.id << ", root " << root.id << ", tile " << rows;
                }
    }
}

TYPED_TEST(HalfOnCpu, HandlesCoincidentBodiesWithinAndAcrossTiles) {
    Bodies bodies = this->some(200);
    bodies.position_mass[70] = bodies.position_mass[3];
    bodies.position_mass[4] = bodies.position_mass[3];
    bodies.position_mass[199] = {0, 0, 0, 1};
    for (const double softening : {0.0, 1e-15, 0.05})
        for (const int rows : {16, 208}) {
            const Gravity gravity{.softening = softening};
            const auto found = this->half({.tile_size = rows}, bodies, gravity, Potential::kCompute);
            const auto wanted = this->reference(bodies, gravity);
            EXPECT_LE(compare(found, wanted).rms, 4 * this->kTolerance) << "softening " << softening;
            // the reference is in double precision
            if (softening > 0 && softening * softening < kTouching<TypeParam>) continue;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const double most = 100 * this->kTolerance * std::abs(wanted[i].w);
                ASSERT_NEAR(found[i].w, wanted[i].w, most) << "body " << i << ", softening " << softening;
            }
        }
}

TYPED_TEST(HalfOnCpu, GivesASingleBodyNoForceOrPotential) {
    Bodies alone;
    alone.add({1, 2, 3}, {}, 5);
    EXPECT_EQ(this->half({}, alone, kHalfCpuGravity, Potential::kCompute), (std::vector<Vec4d>{{0, 0, 0, 0}}));
}

TYPED_TEST(HalfOnCpu, HasNoNetForce) {
    const Bodies bodies = this->some(5000);
    const auto a = this->half({}, bodies);
    Vec3d sum{};
    double size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3d force = bodies.position_mass[i].w * xyz(a[i]);
        sum = sum + force, size += std::sqrt(dot(force, force));
    }
    EXPECT_LE(std::sqrt(dot(sum, sum)), (sizeof(TypeParam) == 4 ? 1e-6 : 1e-15) * size);
}

TYPED_TEST(HalfOnCpu, IsBitwiseEqualForAnyThreadsAndSlicing) {
    const Bodies bodies = this->some(2500);
    for (const char* map : {"lambda", "bb", "rb"}) {
        EngineConfig config{.map = map, .tile_size = 64};
        config.threads = 1;
        const auto wanted = this->half(config, bodies, kHalfCpuGravity, Potential::kCompute);
        for (const int threads : {1, 2, 5})
            for (const std::uint64_t cut : {1, 23, 500}) {
                config.threads = threads;
                EXPECT_EQ(this->half(config, bodies, kHalfCpuGravity, Potential::kCompute, cut), wanted)
                    << "map " << map << ", " << threads << " threads, cut every " << cut;
            }
    }
}

TYPED_TEST(HalfOnCpu, HandlesEqualMassesInAllOrSomeTiles) {
    Bodies bodies = this->some(300);
    for (Vec4d& body : bodies.position_mass) body.w = 0.25;
    for (const std::size_t heavy : {299, 150, 0}) {
        const auto found = this->half({.tile_size = 96}, bodies, kHalfCpuGravity, Potential::kCompute);
        const auto wanted = this->reference(bodies);
        EXPECT_LE(compare(found, wanted).rms, this->kTolerance);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i].w, wanted[i].w, 100 * this->kTolerance * std::abs(wanted[i].w)) << "body " << i;
        bodies.position_mass[heavy].w = 0.75;
    }
}

TYPED_TEST(HalfOnCpu, HandlesDistancesWhoseCubeOverflowsFloat) {
    Bodies bodies = this->some(100);
    for (Vec4d& body : bodies.position_mass) body = {1e14 * body.x, 1e14 * body.y, 1e14 * body.z, 1e24 * body.w};
    bodies = rounded(bodies, this->kPrecision);
    Bodies alike = this->some(96);  // full tiles of equal masses
    for (Vec4d& body : alike.position_mass) body = {1e14 * body.x, 1e14 * body.y, 1e14 * body.z, 1e24};
    alike = rounded(alike, this->kPrecision);
    for (const double softening : {0.0, 1e12})
        for (const Bodies& far : {bodies, alike}) {
            const Gravity gravity{.softening = softening};
            const auto wanted = this->reference(far, gravity);
            EXPECT_LE(compare(this->half({.tile_size = 32}, far, gravity), wanted).rms, this->kTolerance) << softening;
        }
}

TYPED_TEST(HalfOnCpu, CanBeReusedForMoreAndFewerBodies) {
    EngineConfig config{.map = "lut"};
    config.precision = this->kPrecision;
    const auto engine = std::get<std::unique_ptr<Engine<Host, TypeParam>>>(half_engine().make(config));
    for (const std::size_t count : {700, 3000, 20, 701}) {
        const Bodies bodies = this->some(count);
        std::vector<Vec4<TypeParam>> in, out(count);
        for (const Vec4d& body : bodies.position_mass) in.push_back(convert<TypeParam>(body));
        engine->run(0, engine->begin({in.data(), out.data(), count}, {.constant = 7}, Potential::kCompute, {}) / 2, {});
        accelerate(*engine, {in.data(), out.data(), count}, kHalfCpuGravity);
        std::vector<Vec4d> found;
        for (const auto& a : out) found.push_back(convert<double>(a));
        EXPECT_LE(compare(found, this->reference(bodies)).rms, this->kTolerance) << count << " bodies";
    }
}

void expect_refused(const EngineConfig& config, const std::string& word) {
    try {
        half_engine().make(config);
        FAIL() << "no error mentions " << word;
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kUsage);
        EXPECT_NE(std::string{error.what()}.find(word), std::string::npos) << error.what();
    }
}

TEST(HalfOnCpu, RefusesUnsupportedTilesAndMaps) {
    for (const int rows : {-16, 1, 40, 2064}) expect_refused({.tile_size = rows}, std::to_string(rows));
    expect_refused({.map = "no-such"}, "no-such");
    expect_refused({.root = "no-such"}, "no-such");
}

}  // namespace
}  // namespace orrery::test
