// SPDX-License-Identifier: MIT
// Symmetries of gravity, and its potential, for every engine on the CPU in each precision.
#include <array>
#include <numeric>

#include "core/bodies/body_system.hpp"
#include "tests/core/properties/clouds.hpp"

namespace orrery::test {
namespace {

using Accelerations = std::vector<Vec4d>;

/// True if the only error is rounding, which is bounded for any bodies; otherwise the menu's tolerance applies to a
/// ball.
constexpr double kSmallAngle = 0.01;  // for engines whose tolerance at a default θ holds only for typical scenes

bool rounds_only(const EngineCase& c) { return c.entry->law == Law::kPairs && c.entry->tolerance(c.config()) < 1e-5; }

class EngineProperties : public NeedsEngine {
protected:
    bool rounds() const { return rounds_only(GetParam()); }
    bool gravity() const { return GetParam().entry->law == Law::kPairs; }
    Cases cases() const {
        if (GetParam().entry->id == "auto") return {3, 500};  // takes its time to choose
        return rounds() ? Cases{25, 5000} : Cases{6, 500};
    }

    Cloud any_bodies() const {
        if (rounds()) return any_cloud(300);
        return gravity() ? any_ball(100, 800) : any_ball(3, 40);
    }
    /// With a random accuracy if the engine has one.
    EngineConfig any_config() const {
        EngineConfig config = GetParam().config();
        config.threads = 1;
        if (GetParam().entry->has(Capability::kAccuracy) && !rounds())
            config.tree.accuracy = std::pow(10.0, -any_in(2, 6));
        if (GetParam().entry->opens_by_theta_alone()) config.tree.theta = kSmallAngle;
        return config;
    }
    static Accelerations run(const EngineConfig& config, const Cloud& cloud) {
        return accelerations(config, cloud.bodies, cloud.gravity, Potential::kCompute);
    }
    /// Two evaluations of the same bodies differ by at most the error of both. `moved`: positions were rounded in
    /// between.
    void same(const EngineConfig& config, const Accelerations& found, const Accelerations& wanted, const Cloud& cloud,
              bool moved = false) const {
        if (!rounds()) return close(config, found, wanted);
        const std::vector<Magnitude> sums = magnitudes(cloud);
        const double rounding = 2 * gamma(found.size(), config.precision), places = unit_of_places(config.precision);
        double farthest = 0;
        for (const Vec4d& p : cloud.bodies.position_mass) farthest = std::max(farthest, length(xyz(p)));
        for (std::size_t i = 0; i < found.size(); ++i) {
            double bound = rounding * sums[i].force;
            if (moved || config.precision == Precision::kMixed)
                bound += 4 * places * farthest * sums[i].gradient + 8 * unit(config.precision) * sums[i].force;
            RC_ASSERT(length(xyz(found[i]) - xyz(wanted[i])) <= bound);
        }
    }
    static void close(const EngineConfig& config, const Accelerations& found, const Accelerations& wanted) {
        Accelerations difference = found;
        for (std::size_t i = 0; i < found.size(); ++i)
            difference[i] = {found[i].x - wanted[i].x, found[i].y - wanted[i].y, found[i].z - wanted[i].z, 0};
        const double tolerance = find_engine(config)->tolerance(config);
        RC_ASSERT(norm(difference) <= tolerance * (norm(found) + norm(wanted)));
    }
};

TEST_P(EngineProperties, IsInvariantUnderTranslation) {
    check(cases(), [this] {
        const EngineConfig config = any_config();
        const Cloud cloud = any_bodies();
        Cloud moved = cloud;
        const auto shift = [] { return any_in(-(1 << 22), 1 << 22) * 0x1p-12; };
        const double x = shift(), y = shift(), z = shift();
        for (Vec4d& p : moved.bodies.position_mass) p = {p.x + x, p.y + y, p.z + z, p.w};
        same(config, run(config, moved), run(config, cloud), cloud);
    });
}

TEST_P(EngineProperties, IsInvariantUnderRotation) {
    check(cases(), [this] {
        const EngineConfig config = any_config();
        const Cloud cloud = any_bodies();
        // Triplets depend on distances to the ninth power.
        const bool exact = !gravity() || any_in(0, 2) == 0;
        const Rotation R = exact ? any_turn_of_axes() : any_rotation();
        Cloud turned = cloud;
        for (Vec4d& p : turned.bodies.position_mass) {
            const Vec3d x = R * xyz(p);
            p = {x.x, x.y, x.z, p.w};
        }
        Accelerations wanted = run(config, cloud);
        for (Vec4d& a : wanted) {
            const Vec3d x = R * xyz(a);
            a = {x.x, x.y, x.z, a.w};
        }
        same(config, run(config, turned), wanted, cloud, !exact);
    });
}

TEST_P(EngineProperties, IsInvariantUnderPermutation) {
    check(cases(), [this] {
        const EngineConfig config = any_config();
        const Cloud cloud = any_bodies();
        std::vector<std::size_t> order(cloud.bodies.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937{static_cast<unsigned>(any_in(0, 1 << 20))});
        Cloud mixed = cloud;
        for (std::size_t i = 0; i < order.size(); ++i)
            mixed.bodies.position_mass[order[i]] = cloud.bodies.position_mass[i];
        const Accelerations found = run(config, mixed);
        Accelerations back;
        for (const std::size_t at : order) back.push_back(found[at]);
        same(config, back, run(config, cloud), cloud);
    });
}

/// Scales masses and lengths: a ∝ m/l² for gravity, m²/l¹⁰ for triplets.
TEST_P(EngineProperties, ScalesWithUnits) {
    check(cases(), [this] {
        const EngineConfig config = any_config();
        const Cloud cloud = any_bodies();
        const bool exact = !gravity() || any_in(0, 2) == 0;
        const double of_length = gravity() ? 8 : 3, of_mass = 10;
        double l = std::exp2(any_real(-of_length, of_length)), m = std::exp2(any_real(-of_mass, of_mass));
        if (exact) l = std::exp2(std::round(std::log2(l))), m = std::exp2(std::round(std::log2(m)));
        Cloud scaled = cloud;
        scaled.gravity.softening *= l;
        for (Vec4d& p : scaled.bodies.position_mass) p = {l * p.x, l * p.y, l * p.z, m * p.w};
        Accelerations found = run(config, scaled);
        const double unit_of_a = gravity() ? m / (l * l) : m * m / std::pow(l, 10);
        for (Vec4d& a : found) a = {a.x / unit_of_a, a.y / unit_of_a, a.z / unit_of_a, a.w};
        same(config, found, run(config, cloud), cloud, !exact);
    });
}

/// |Σ m a| is bounded by the accumulated errors of all a.
TEST_P(EngineProperties, ObeysTheThirdLaw) {
    check(cases(), [this] {
        const EngineConfig config = any_config();
        const Cloud cloud = any_bodies();
        const Accelerations a = run(config, cloud);
        const std::vector<Magnitude> sums = magnitudes(cloud);
        const double rounding = gamma(a.size(), config.precision);
        Vec3d net{};
        double bound = 0, masses2 = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double mass = cloud.bodies.position_mass[i].w;
            net = net + mass * xyz(a[i]);
            bound += mass * (rounding * sums[i].force + 0x1p-50 * length(xyz(a[i])));
            if (config.precision == Precision::kMixed) bound += mass * 0x1p-42 * sums[i].gradient;
            masses2 += mass * mass;
        }
        if (!rounds()) bound = std::sqrt(masses2) * find_engine(config)->tolerance(config) * norm(a);
        RC_ASSERT(length(net) <= bound);
    });
}

/// Forces superpose: those of all masses are the sum of those of two subsets, and massless bodies exert none.
TEST_P(EngineProperties, SuperposesForces) {
    if (!gravity()) GTEST_SKIP() << "triplet forces do not superpose";
    check(cases(), [this] {
        const EngineConfig config = any_config();
        const Cloud cloud = any_bodies();
        Cloud of_a = cloud, of_b = cloud, a_alone{{}, cloud.gravity};
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < cloud.bodies.size(); ++i) {
            const bool in_a = any_in(0, 2) == 0 || i == 0;
            (in_a ? of_b : of_a).bodies.position_mass[i].w = 0;
            if (!in_a) continue;
            members.push_back(i);
            const Vec4d& p = cloud.bodies.position_mass[i];
            a_alone.bodies.add(xyz(p), {}, p.w);
        }
        const Accelerations by_a = run(config, of_a), by_b = run(config, of_b), all = run(config, cloud);
        Accelerations sum;
        for (std::size_t i = 0; i < all.size(); ++i)
            sum.push_back({by_a[i].x + by_b[i].x, by_a[i].y + by_b[i].y, by_a[i].z + by_b[i].z, 0});
        same(config, sum, all, cloud);
        Accelerations on_members;
        for (const std::size_t i : members) on_members.push_back(by_a[i]);
        same(config, run(config, a_alone), on_members, a_alone);
    });
}

/// Along a short path the potential falls by the work: five massless bodies at the points of Gaussian quadrature and
/// one at either end. The quadrature error, and positions rounded to float, are taken from the plain formula.
TEST_P(EngineProperties, AccelerationIsMinusTheGradientOfThePotential) {
    static constexpr std::array<double, 5> kAt{0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842,
                                               0.953089922969332};
    static constexpr std::array<double, 5> kWeight{0.118463442528095, 0.239314335249683, 0.284444444444444,
                                                   0.239314335249683, 0.118463442528095};
    check(cases(), [this] {
        EngineConfig config = any_config();
        if (GetParam().entry->has(Capability::kAccuracy) && !rounds() && gravity()) config.tree.accuracy = 1e-5;
        Cloud cloud = any_bodies();
        cloud.gravity.softening = std::max(cloud.gravity.softening, 0.25);
        const std::size_t first = cloud.bodies.size();
        const Vec3d direction = any_rotation()[0], from{any_real(-2, 2), any_real(-2, 2), any_real(-2, 2)};
        const double way = cloud.gravity.softening / 8;
        const auto add = [&](double t) { cloud.bodies.add(from + t * way * direction, {}, 0); };
        add(0), add(1);
        for (const double t : kAt) add(t);
        cloud.bodies = rounded(cloud.bodies, config.precision);
        const auto missing = [&](const auto& a) {
            double work = 0;
            for (std::size_t k = 0; k < kAt.size(); ++k)
                work += kWeight[k] * way * dot(direction, xyz(a[first + 2 + k]));
            return a[first + 1].w - a[first].w + work;
        };
        const auto plain = reference_accelerations(GetParam().entry->law, cloud.bodies.position_mass, cloud.gravity);
        const Accelerations found = run(config, cloud);
        double left = 0, bound = 0;  // difference by the plain formula, and the tolerance of the engine
        const std::vector<Magnitude> sums = magnitudes(cloud);
        const double error = rounds() ? gamma(found.size(), config.precision) : find_engine(config)->tolerance(config);
        for (std::size_t i = first; i < found.size(); ++i) {
            const bool end = i < first + 2;
            const double size = rounds() ? (end ? sums[i].potential : sums[i].force)
                                         : (end ? std::abs(plain[i].w) : norm(plain) / std::sqrt(double(first)));
            bound += (end ? error : error * kWeight[i - first - 2] * way) * size;
            left = std::max(left, end ? std::abs(plain[i].w) : way * length(xyz(plain[i])));
        }
        const bool exact_places = config.precision != Precision::kSingle;
        RC_ASSERT(std::abs(missing(plain)) <= left * (exact_places ? 1e-11 : 1e-4));
        RC_ASSERT(std::abs(missing(found)) <= 2 * bound + std::abs(missing(plain)));
    });
}

std::vector<EngineCase> on_the_cpu() {
    std::vector<EngineCase> cases = every_engine();
    for (const EngineCase& c : every_engine(Law::kAxilrodTeller)) cases.push_back(c);
    std::erase_if(cases, [](const EngineCase& c) { return c.entry->backend != Backend::kCpu; });
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Menu, EngineProperties, ::testing::ValuesIn(on_the_cpu()), case_name);

}  // namespace
}  // namespace orrery::test
