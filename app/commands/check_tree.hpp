// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/multipole.hpp"
#include "core/physics/opening.hpp"

namespace orrery {

/// The error of an acceptance criterion on given bodies, independent of the engine that applies it: a plain octree in
/// double precision, traversed for groups of neighbours as the engines do. The criteria were calibrated on Plummer
/// spheres; on a lattice the errors of cells are correlated, and where few bodies hold most of the mass they do not
/// average out.
class PlainTree {
public:
    /// `truth`: accelerations of these bodies by direct summation. Both must outlive the tree. `alignment`: 0 to 3, the
    /// position of the root's cube around the bodies, which decides what cells they are in; that matters if few of them
    /// dominate. kAsOnDevice: the cube of the CUDA engines.
    PlainTree(std::span<const Vec4d> bodies, std::span<const Vec4d> truth, const Gravity& gravity, int alignment);
    static constexpr int kAlignments = 4, kAsOnDevice = 4;

    /// Relative RMS error of the accelerations; beyond 8192 bodies, of a sample of the groups.
    double error(const TreeChoice& choice, Pool& pool) const;

    /// Relative RMS error of the accelerations when pairs of cells interact through expansions: a pair is accepted if
    /// the sum of its radii is at most `theta` times its distance; the potential is expanded to this order in the
    /// bodies' positions within both cells. Beyond 2048 bodies, of a sample of them.
    double expansion_error(double theta, int order, Pool& pool) const;

    /// The same with groups instead of cells as targets, as on a device: pieces of the Hilbert curve with at most 32
    /// bodies each, expanded about the centres of their boxes.
    double group_expansion_error(double theta, int order, Pool& pool) const;

private:
    struct Cell {
        std::size_t first, count;         ///< range of order_
        std::vector<std::size_t> parts;   ///< child cells; none in a leaf
        Vec4d centre{};                   ///< centre of mass; w: mass
        Vec3d low{}, high{};              ///< corners of the tight box
        Quadrupole<double> quadrupole{};  ///< about the centre
        double radius = 0;                ///< of the sphere about the centre that contains its bodies
        double extent() const;
    };
    struct Sums {
        double off = 0, size = 0;  ///< sums of squares
    };

    static double relative(std::span<const Sums> parts);
    std::size_t build(std::size_t first, std::size_t count, Vec3d middle, double half, int level);
    void fill(Cell& cell) const;
    double opening(const Cell& cell, const TreeChoice& choice) const;
    std::vector<std::vector<std::size_t>> meetings(double theta) const;
    Vec3d expansion_missing(const Cell& from, Vec3d apart, Vec3d place, int order) const;
    std::vector<std::size_t> along_curve() const;
    Sums group_error(const Cell& group, const TreeChoice& choice, std::span<const double> opening) const;

    std::span<const Vec4d> bodies_, truth_;
    Gravity gravity_;
    double mean_acceleration_ = 0;  // without G
    Vec3d cube_low_{};
    double cube_side_ = 0;
    std::vector<std::size_t> order_;  // indices of the bodies, cell by cell
    std::vector<Cell> cells_;         // the root is the last
    std::vector<std::size_t> groups_;
};

}  // namespace orrery
