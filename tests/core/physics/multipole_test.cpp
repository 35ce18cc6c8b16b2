// SPDX-License-Identifier: MIT
#include "core/physics/multipole.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>
#include <vector>

namespace orrery::test {
namespace {

struct Cell {
    Vec4d centre;
    Quadrupole<double> quadrupole;
};

std::vector<Vec4d> cloud(std::size_t count, Vec3d middle, unsigned seed) {
    std::mt19937_64 random{seed};
    std::normal_distribution<double> normal;
    std::vector<Vec4d> bodies;
    for (std::size_t i = 0; i < count; ++i)
        bodies.push_back({middle.x + normal(random), middle.y + 0.5 * normal(random), middle.z + 0.2 * normal(random),
                          1 + 0.3 * std::abs(normal(random))});
    return bodies;
}

Cell cell_of_bodies(std::span<const Vec4d> bodies) {
    MassSum<double> sum{xyz(bodies[0])};
    for (const Vec4d& body : bodies) sum.add(body);
    Cell cell{sum.centre(), {}};
    for (const Vec4d& body : bodies) add_at(cell.quadrupole, xyz(body) - xyz(cell.centre), body.w);
    return cell;
}

Vec4d field_of_bodies(std::span<const Vec4d> bodies, Vec3d at, double softening2) {
    Vec4d sum{};
    for (const Vec4d& body : bodies) {
        const Vec3d d = xyz(body) - at;
        add_monopole(sum, d, body.w, 1 / std::sqrt(dot(d, d) + softening2));
    }
    return sum;
}

Vec4d field_of_cell(const Cell& cell, Vec3d at, double softening2, int order) {
    const Vec3d d = xyz(cell.centre) - at;
    const double y = 1 / std::sqrt(dot(d, d) + softening2);
    Vec4d sum{};
    add_monopole(sum, d, cell.centre.w, y);
    if (order == 2) add_quadrupole(sum, d, cell.quadrupole, y);
    return sum;
}

double off(Vec4d a, Vec4d b) {
    const Vec3d d = xyz(a) - xyz(b);
    return std::sqrt(dot(d, d));
}

TEST(Multipole, CombinesChildrenLikeBodies) {
    std::vector<Vec4d> all = cloud(30, {1, 2, 3}, 1);
    const std::vector<Vec4d> more = cloud(17, {-2, 0, 1}, 2);
    const Cell parts[] = {cell_of_bodies(all), cell_of_bodies(more)};
    all.insert(all.end(), more.begin(), more.end());
    const Cell whole = cell_of_bodies(all);

    MassSum<double> sum{xyz(parts[0].centre)};
    for (const Cell& part : parts) sum.add(part.centre);
    const Vec4d centre = sum.centre();
    Quadrupole<double> quadrupole;
    for (const Cell& part : parts) {
        add_at(quadrupole, xyz(part.centre) - xyz(centre), part.centre.w);
        add(quadrupole, part.quadrupole);
    }
    EXPECT_NEAR(centre.w, whole.centre.w, 1e-12);
    EXPECT_LT(off(centre, whole.centre), 1e-13);
    using Moments = Quadrupole<double>;
    for (double Moments::*moment : {&Moments::xx, &Moments::yy, &Moments::zz, &Moments::xy, &Moments::xz, &Moments::yz})
        EXPECT_NEAR(quadrupole.*moment, whole.quadrupole.*moment, 1e-10);
    EXPECT_NEAR(quadrupole.trace(), whole.quadrupole.trace(), 1e-10);
}

/// At twice the distance the error of the acceleration falls by 2⁴ (monopole) and 2⁵ (quadrupole), also within the
/// softening, where a traceless quadrupole would be no better than a monopole.
TEST(Multipole, ErrorScalesWithDistanceAndOrder) {
    const std::vector<Vec4d> bodies = cloud(40, {0, 0, 0}, 3);
    const Cell cell = cell_of_bodies(bodies);
    for (const double softening : {0.0, 1.0}) {
        double last[3] = {};
        for (const double distance : {40.0, 80.0, 160.0}) {
            const Vec3d at = distance * Vec3d{0.48, 0.6, -0.64};
            const Vec4d exact = field_of_bodies(bodies, at, softening * softening);
            for (const int order : {1, 2}) {
                const double error = off(field_of_cell(cell, at, softening * softening, order), exact);
                if (last[order] > 0) {
                    EXPECT_NEAR(std::log2(last[order] / error), order == 1 ? 4 : 5, 0.3)
                        << "order " << order << ", softening " << softening << ", distance " << distance;
                }
                last[order] = error;
            }
        }
    }
}

TEST(Multipole, AccelerationIsGradientOfPotential) {
    const Cell cell = cell_of_bodies(cloud(20, {1, 0, 0}, 4));
    const Vec3d at{3, 2, -1.5};
    for (const int order : {1, 2}) {
        const auto deep = [&](Vec3d x) { return field_of_cell(cell, x, 0.09, order).w; };
        const Vec4d acceleration = field_of_cell(cell, at, 0.09, order);
        const double h = 1e-5;
        EXPECT_NEAR((deep(at + Vec3d{h, 0, 0}) - deep(at - Vec3d{h, 0, 0})) / (2 * h), acceleration.x, 1e-8);
        EXPECT_NEAR((deep(at + Vec3d{0, h, 0}) - deep(at - Vec3d{0, h, 0})) / (2 * h), acceleration.y, 1e-8);
        EXPECT_NEAR((deep(at + Vec3d{0, 0, h}) - deep(at - Vec3d{0, 0, h})) / (2 * h), acceleration.z, 1e-8);
    }
}

TEST(Multipole, CentresAMasslessCellBetweenItsParts) {
    MassSum<float> sum{{10, 0, 0}};
    sum.add({10, 0, 0, 0});
    sum.add({12, 4, 0, 0});
    EXPECT_EQ(sum.centre(), (Vec4f{11, 2, 0, 0}));
}

TEST(Multipole, KeepsPrecisionFarFromTheOrigin) {
    MassSum<float> sum{{1e6f, 0, 0}};
    for (int i = 0; i < 1000; ++i) sum.add({1e6f + static_cast<float>(i % 2), 0, 0, 1});
    EXPECT_EQ(sum.centre().x, 1e6f + 0.5f);
}

}  // namespace
}  // namespace orrery::test
