// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "app/commands/check_tree.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

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
