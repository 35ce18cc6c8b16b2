// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

class Ranks;

// Chooses values that a file does not state. Deterministic, and cheap compared with reading the file.

/// The quantities of many bodies from which suggestions follow. Sums are those of blocks, added in order, so that the
/// bits do not depend on the parts in which the bodies were added, or on the ranks that added them.
class BodySurvey {
public:
    static constexpr std::size_t kBlock = std::size_t{1} << 15;  ///< bodies
    static constexpr std::size_t kFewest = 1024;  ///< of no more bodies, the time step follows from all pairs

    explicit BodySurvey(std::uint64_t bodies) : bodies_{bodies} {}
    /// Adds the bodies from `first` on: whole blocks, except for the last one of all bodies. Call it in ascending
    /// order.
    void add(std::uint64_t first, std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity);
    /// Adds what the other ranks have surveyed; each has a later part of the bodies than the ranks before it.
    void join(Ranks& ranks);

    std::uint64_t bodies() const { return bodies_; }
    double mass() const;
    double heaviest() const;
    double median_radius() const;
    double softening() const;
    double dt(Gravity gravity) const;  ///< for more than kFewest bodies
    /// At most 4096 bodies, evenly spaced.
    Bodies sample() const;

private:
    /// One block of bodies.
    struct Block {
        double count, mass, heaviest, square;  ///< mean square velocity relative to the mean velocity
        Vec3d mean;
    };
    struct Row {
        Vec4d position_mass;
        Vec3d velocity;
    };

    double velocity_scatter() const;

    std::uint64_t bodies_;
    std::vector<Block> blocks_;
    std::vector<Row> sample_;
};

/// Median distance from the median position, from at most 4096 bodies; 0 for one body.
double median_radius(const Bodies& bodies);

/// A softening for bodies without one: 0 for few bodies or if one holds most of the mass (planets), otherwise 0.98
/// N^-0.26 median radii (Athanassoula et al. 2000, MNRAS 314, 475: minimum force error for a Plummer sphere).
double suggested_softening(const Bodies& bodies);

/// A leapfrog step: a tenth of the time in which a typical body crosses the softening length, and at most 2 % of the
/// dynamical time √(r³/GM). Up to 1024 bodies: 3 % of the shortest time scale of any pair, as needed for planets.
double suggested_dt(const Bodies& bodies, Gravity gravity);

}  // namespace orrery
