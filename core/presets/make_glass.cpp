// SPDX-License-Identifier: MIT
// Writes core/presets/glass_tile.inc: bodies that gravity with reversed sign has pushed apart in a periodic cube with a
// neutralising background, until the forces vanish (S. White 1994, arXiv:astro-ph/9410043, §5.2). Starts from random
// positions (seed 1) and uses steepest descent with momentum; forces by Ewald summation. Takes a minute on two cores:
//     cmake --build build/release --target make_glass && build/release/core/make_glass > core/presets/glass_tile.inc
// Last bits differ between machines and, after so many steps, so does the glass; the stored one is used everywhere.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/random.hpp"
#include "core/base/vec.hpp"
#include "core/presets/cosmology.hpp"

namespace orrery {
namespace {

constexpr int kCells = 48;  // of the table, per half of the edge
constexpr int kSteps = 120;
constexpr double kMomentum = 0.8;
constexpr double kPi = std::numbers::pi;

/// The force of the periodic images of a repelling body and of the background, without that of the nearest image, in a
/// cube of edge 1 (L. Hernquist, F. Bouchet & Y. Suto 1991, ApJS 75, 231, equation 2.14b).
Vec3d beyond_nearest(Vec3d x) {
    constexpr double alpha = 2;
    Vec3d force{};
    for (int a = -4; a <= 4; ++a)
        for (int b = -4; b <= 4; ++b)
            for (int c = -4; c <= 4; ++c) {
                const Vec3d d = x - Vec3d{double(a), double(b), double(c)};
                const double r = length(d);
                if (r > 1e-12)
                    force = force + (std::erfc(alpha * r) / (r * r * r) +
                                     2 * alpha / std::sqrt(kPi) * std::exp(-alpha * alpha * r * r) / (r * r)) *
                                        d;
                const Vec3d h{double(a), double(b), double(c)};
                const double h2 = dot(h, h);
                if (h2 == 0) continue;
                force =
                    force + (2 / h2 * std::exp(-kPi * kPi * h2 / (alpha * alpha)) * std::sin(2 * kPi * dot(h, x))) * h;
            }
    const double r = length(x);
    return r > 1e-12 ? force - (1 / (r * r * r)) * x : force;
}

class Table {
public:
    Table() : rows_(static_cast<std::size_t>((kCells + 2) * (kCells + 2) * (kCells + 2))) {
        for (int i = 0; i <= kCells + 1; ++i)
            for (int j = 0; j <= kCells + 1; ++j)
                for (int k = 0; k <= kCells + 1; ++k)
                    rows_[at(i, j, k)] = beyond_nearest((0.5 / kCells) * Vec3d{double(i), double(j), double(k)});
    }
    /// Force of a body at x, with each coordinate within half an edge.
    Vec3d operator()(Vec3d x) const {
        const Vec3d u{std::abs(x.x) * 2 * kCells, std::abs(x.y) * 2 * kCells, std::abs(x.z) * 2 * kCells};
        const int i = int(u.x), j = int(u.y), k = int(u.z);
        const double a = u.x - i, b = u.y - j, c = u.z - k;
        Vec3d sum{};
        for (int corner = 0; corner < 8; ++corner) {
            const int p = corner & 1, q = corner >> 1 & 1, r = corner >> 2;
            sum = sum + ((p ? a : 1 - a) * (q ? b : 1 - b) * (r ? c : 1 - c)) * rows_[at(i + p, j + q, k + r)];
        }
        return {std::copysign(sum.x, sum.x * x.x), std::copysign(sum.y, sum.y * x.y),
                std::copysign(sum.z, sum.z * x.z)};
    }

private:
    static std::size_t at(int i, int j, int k) {
        return static_cast<std::size_t>((i * (kCells + 2) + j) * (kCells + 2) + k);
    }
    std::vector<Vec3d> rows_;
};

double nearest_image(double d) { return d - std::round(d); }

/// Forces between bodies of equal mass, total mass 1.
std::vector<Vec3d> repulsions(const std::vector<Vec3d>& places, const Table& table, Pool& pool) {
    std::vector<Vec3d> forces(places.size());
    pool.parallel_for(0, places.size(), [&](std::uint64_t i) {
        Vec3d sum{};
        for (std::size_t j = 0; j < places.size(); ++j) {
            if (j == i) continue;
            const Vec3d d{nearest_image(places[i].x - places[j].x), nearest_image(places[i].y - places[j].y),
                          nearest_image(places[i].z - places[j].z)};
            const double r2 = std::max(dot(d, d), 1e-12);
            sum = sum + (1 / (r2 * std::sqrt(r2))) * d + table(d);
        }
        forces[i] = (1 / static_cast<double>(places.size())) * sum;
    });
    return forces;
}

double rms(const std::vector<Vec3d>& all) {
    double sum = 0;
    for (const Vec3d& one : all) sum += dot(one, one);
    return std::sqrt(sum / static_cast<double>(all.size()));
}

void make() {
    Random random{1};
    std::vector<Vec3d> places(kGlassBodies), speeds(kGlassBodies);
    for (Vec3d& at : places) at = {random.uniform(), random.uniform(), random.uniform()};
    const Table table;
    Pool pool{0, false};
    // No force constant in a cube of density 1 exceeds 4π; `most` limits the step of bodies that happen to be close.
    constexpr double most = 0.25 / kGlassSide;
    for (int step = 0; step < kSteps; ++step) {
        const auto forces = repulsions(places, table, pool);
        if (step % 20 == 0) fmt::print(stderr, "step {}: mean force {:.3e}\n", step, rms(forces));
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Vec3d wanted = kMomentum * speeds[i] + (0.5 / (4 * kPi)) * forces[i];
            speeds[i] = std::min(1.0, most / std::max(length(wanted), 1e-300)) * wanted;
            places[i] = places[i] + speeds[i];
            for (double* one : {&places[i].x, &places[i].y, &places[i].z}) *one -= std::floor(*one);
        }
    }
    std::string text;
    for (const Vec3d& at : places)
        for (const double one : {at.x, at.y, at.z}) {
            const auto number = static_cast<unsigned>(one * kGlassSteps) % kGlassSteps;
            text += kGlassDigits[number / 64];
            text += kGlassDigits[number % 64];
        }
    fmt::print("// SPDX-License-Identifier: MIT\n// Written by make_glass.cpp.\n");
    for (std::size_t i = 0; i < text.size(); i += 108) fmt::print("\"{}\"\n", text.substr(i, 108));
}

}  // namespace
}  // namespace orrery

int main() { orrery::make(); }
