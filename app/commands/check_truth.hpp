// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"
#include "core/engines/menu.hpp"
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

/// Accuracy that floating-point sums can reach for given bodies, from a sample of at most 1024 of them. RMS over
/// bodies, as for the errors.
struct Conditioning {
    double cancellation = 1;  ///< Σ_j|a_ij| over |a_i|: about 3 in three dimensions, 68 along a lattice of 1000
    double potential = 1;     ///< the same for potentials, which cancel if charges differ in sign
    /// Contributions below the rounding unit of their sum, over |a_i|: a sum over all bodies may lose them.
    double lost_in_single = 0, lost_in_double = 0;
};
Conditioning conditioning(const std::vector<Vec4d>& bodies, const Gravity& gravity,
                          std::span<const double> charge = {});

/// Errors that `check` accepts, relative RMS.
struct Accepted {
    double acceleration, potential;
    double criterion = 0;  ///< for trees: error of the acceptance criterion itself on these bodies
    /// Error of a heavy body's own acceleration; infinite if the criterion does not bound it.
    double heavy = std::numeric_limits<double>::infinity();
};

/// A body that holds much of the mass (heavy_from()). The RMS over all bodies hides its error.
struct HeavyBody {
    std::size_t index;
    double least;         ///< acceleration that the mean force on a body would give it: the scale if its forces cancel
    double cancellation;  ///< Σ_j|a_ij| over |a_i| or `least`
    double lost_in_single, lost_in_double;  ///< as in Conditioning
};

/// Accelerations and potentials of a scene by a plain loop in double precision, and the errors to be expected of
/// engines.
class CheckTruth {
public:
    /// `scene` and `pool` must outlive it.
    CheckTruth(const Scene& scene, Pool& pool) : scene_{scene}, pool_{pool} {}

    /// For the bodies as stored in this precision: single rounds positions and masses to 32 bits.
    const std::vector<Vec4d>& accelerations(Law law, Precision precision);
    Accepted accepted(const EngineEntry& entry, const EngineConfig& config);
    /// For engines in which pairs of cells interact: the error of expansions at this θ on these bodies, where it
    /// exceeds the engine's tolerance, which assumes many bodies distributed in space.
    Accepted accepted_of_expansions(const EngineEntry& entry, const EngineConfig& config);
    /// Relative RMS change of the accelerations caused by rounding to single precision alone.
    double rounding(Law law);
    /// The largest relative error of a heavy body's acceleration; 0 without heavy bodies.
    double heavy_error(const std::vector<Vec4d>& found, const std::vector<Vec4d>& truth);

private:
    const std::vector<Vec4d>& held(Precision precision);
    double criterion_error(const EngineEntry& entry, const EngineConfig& config);
    const std::vector<HeavyBody>& heavy_bodies();
    double accepted_of_heavy(const EngineEntry& entry, const EngineConfig& config);
    /// The maximum of `error` over all alignments of the tree, for these parameters.
    template <class Error>
    double worst_of_trees(double theta, double alpha, int order, const Error& error);

    const Scene& scene_;
    Pool& pool_;
    std::vector<Vec4d> rounded_;  // empty if rounding changes nothing
    bool compared_ = false;       // rounded_ has been computed
    std::map<std::pair<Law, bool>, std::vector<Vec4d>> truths_;
    std::optional<Conditioning> conditioning_;
    std::optional<std::vector<HeavyBody>> heavy_;
    std::vector<PlainTree> trees_;
    std::optional<PlainTree> device_tree_;
    std::map<std::tuple<double, double, int>, double> criteria_;  // errors, by θ, α and expansion order
};

/// True if its error depends on a user's choice; `auto` only passes that choice on.
inline bool is_tree(const EngineEntry& entry) { return entry.has_tree() && entry.id != "auto"; }
/// True if it traverses its tree for groups of bodies, as PlainTree does.
inline bool has_groups(const EngineEntry& entry) {
    return is_tree(entry) && (entry.has(Capability::kGroups) || entry.opens_by_theta_alone());
}
/// True if its pairs of cells interact through expansions, at a requested opening angle.
inline bool has_expansions(const EngineEntry& entry, const EngineConfig& config) {
    return is_tree(entry) && !has_groups(entry) && entry.has(Capability::kAccuracy) && config.tree.theta > 0;
}
/// The acceptance criterion of a tree under this configuration, with groups of 64.
TreeChoice criterion_of(const EngineEntry& entry, const EngineConfig& config);

/// √(difference2/size2); 0 if both are 0, infinite if only size2 is.
double relative_error(double difference2, double size2);

}  // namespace orrery
